/** The dialects by name, with nothing of what reads them. */

export type DialectName =
  | 'stackvm-1'
  | 'stackvm-2'
  | 'starlark'
  | 'llmcompiler'
  | 'react'
  | 'stack'
  | 'playbook';

/**
 * The endings of files that always mean a dialect; `.json` means none. The order is that of
 * `dialects`: it decides between two that are equally sure of a text.
 */
export const dialectFiles: Readonly<Record<DialectName, readonly string[]>> = {
  'stackvm-1': [],
  'stackvm-2': [],
  starlark: ['.star'],
  llmcompiler: ['.llmcompiler'],
  react: ['.react'],
  stack: ['.stack'],
  playbook: ['.playbook.md', '.pbasm', '.pb', 'SKILL.md'],
};

export const dialectNames: readonly DialectName[] = Object.keys(dialectFiles) as DialectName[];
