/**
 * The texts of the control loops in `src/loops/`, read when one is first run: neither `check` nor
 * `run` needs them. The build copies them beside the compiled files.
 */
import { readFileSync } from 'node:fs';

export const loopNames = [
  'plan',
  'revise',
  'judge',
  'route',
  'converse',
  'llmcompiler',
  'react',
  'digest',
  'bind',
  'query',
  'delegate',
  'playbook',
  'lines',
] as const;

export type LoopName = (typeof loopNames)[number];

export function loopSource(name: LoopName): string {
  return readFileSync(new URL(`../loops/${name}.star`, import.meta.url), 'utf8');
}
