/** What the options of `planvm bench qa` say of a benchmark. */

import { resolve } from 'node:path';
import type { AskOptions } from '../../bench/options.ts';
import type { AskFlags } from '../planning/ask-here.ts';
import { readText } from '../process/files.ts';

export interface BenchFlags extends Omit<AskFlags, 'journal'> {
  readonly dataset: string;
  readonly method?: readonly string[];
  readonly limit?: number;
  readonly id?: readonly string[];
  readonly concurrency: number;
  readonly out?: string;
  readonly resume?: true;
  readonly again?: true;
  readonly costMax?: number;
}

/** Throws `CliError` PV6006 for examples that cannot be read. */
export function askOptionsOf(flags: BenchFlags): AskOptions {
  const { language, format, examples: file, corrections, sequential } = flags;
  const { rounds, depth, join, nativeTools } = flags;
  const examples = file === undefined ? undefined : readText(file);
  return {
    ...{ language, format, examplesFile: file === undefined ? undefined : resolve(file) },
    goal: {
      ...{ corrections, sequential },
      ...{ rounds, depth, join, nativeTools, examples },
    },
  };
}

/** Several of an option, also with commas between. */
export const listOf = (given: readonly string[] | undefined): readonly string[] | undefined =>
  given?.flatMap((names) => names.split(',')).map((name) => name.trim());
