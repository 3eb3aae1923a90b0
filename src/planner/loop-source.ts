/**
 * The texts of the control loops in `src/loops/`, read when one is first run: neither `check` nor
 * `run` needs them. The build copies them beside the compiled files.
 */
import { readFileSync } from 'node:fs';

export const loopNames = [
  'plan',
  'revise',
  'judge',
  'converse',
  'llmcompiler',
  'react',
  'digest',
  'bind',
  'query',
  'delegate',
  'playbook',
  'transpile',
] as const;

export type LoopName = (typeof loopNames)[number];

/** Loops of several files: these stand behind each other, in a folder of the loop's name. */
const parts: Partial<Record<LoopName, readonly string[]>> = {
  playbook: [
    ...['frames', 'values', 'lines', 'turns', 'calls', 'views', 'triggers'],
    ...['people', 'waits', 'agents', 'meetings', 'program'],
  ],
};

/** What a loop is made of, in order, such as `loops/plan.star`. */
export const loopFiles = (name: LoopName): readonly string[] =>
  parts[name]?.map((part) => `loops/${name}/${part}.star`) ?? [`loops/${name}.star`];

/** `own` gives a file's text where it is not the one that planvm has. */
export function loopSource(
  name: LoopName,
  own: (file: string) => string | undefined = () => undefined,
): string {
  return loopFiles(name)
    .map((file) => own(file) ?? readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
    .join('\n');
}
