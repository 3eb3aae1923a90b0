/**
 * What a person at the command line can do about errors of the layers below. These know of no
 * commands and flags: code and members say what is the case, and limits have their names.
 */
import type { EngineCode } from '../engine/codes.ts';
import type { JournalCode } from '../engine/journal/journal-codes.ts';
import type { OpenWait } from '../engine/perform/person.ts';
import { limitNames, limitTable } from '../program/limits.ts';
import { waitCommands } from './view/wait-commands.ts';

interface About {
  readonly run: string;
  readonly step: string;
  /** What it may be about, where that is not clear. */
  readonly waits: readonly OpenWait[];
}

type Advice = Readonly<Partial<Record<EngineCode | JournalCode, (about: About) => string>>>;

const advice: Advice = {
  PV5003: () => 'planvm runs lists those there are',
  PV5004: () => 'planvm delete --undo restores a deleted run, planvm gc sweeps the journal',
  PV5104: () => '--allow and --deny may leave it out',
  PV5105: () => 'planvm runs lists those there are',
  PV5106: ({ run }) => `see planvm show ${run}`,
  PV5110: ({ run }) => `see planvm show ${run}`,
  PV5113: ({ run }) => `see planvm show ${run}`,
  PV5132: ({ run, step }) => `planvm show ${run} --at ${step} shows what there is`,
  PV5133: ({ run }) => `planvm show ${run} lists its effects`,
  PV5134: () => 'planvm check shows what is wrong with it',
  PV5142: ({ run }) => `see planvm show ${run}`,
  PV5143: ({ run, waits }) =>
    waits.some(({ kind }) => kind === 'approval')
      ? 'name those that are meant, or say --all'
      : waitCommands(run, waits)
          .map((command) => `planvm ${command}`)
          .join('; '),
  PV5145: ({ run }) => `see planvm show ${run}`,
};

/** The hint of an error, and what else to do; undefined where there is nothing to say. */
export function advised(error: Error & { readonly code: string }): string | undefined {
  const {
    code,
    hint,
    run = '',
    step = 'STEP',
    waits = [],
  } = error as typeof error & Partial<About & Hinted>;
  const more = advice[code as keyof Advice]?.({ run, step, waits });
  const own = hint === undefined ? '' : withFlags(hint);
  if (own === '' || more === undefined) return own || more;
  // What ends a sentence needs no more behind it.
  return `${own}${/[.?!]$/.test(own) ? '' : ';'} ${more}`;
}

interface Hinted {
  readonly hint: string;
}

/** A problem whose hint has, beside the limits that it names, the flags that set them. */
export const flagged = <T extends { readonly hint?: string | undefined }>(problem: T): T =>
  problem.hint === undefined ? problem : { ...problem, hint: withFlags(problem.hint) };

export const withFlags = (text: string): string =>
  withLimitFlags(text).replace(
    /\bas the input ([\p{L}\p{N}_-]+)/gu,
    (all, name: string) => `${all} (--input ${name}=…)`,
  );

const withLimitFlags = (text: string): string =>
  text.replace(
    /\b(?:the )?limit (\w+(?:\.\w+)*)(?: at (\S+))?/g,
    (all, name: string, value: string | undefined) => {
      const flag = flagOf(name);
      if (flag === undefined) return all;
      if (value === undefined) return `${all} (${flag})`;
      return name.includes('.') ? `${flag} ${name}=${value}` : `${flag} ${value}`;
    },
  );

/** Those of a tool have its name before them, and one flag for all. */
function flagOf(name: string): string | undefined {
  if (name.includes('.')) return '--tool-limit';
  const found = limitNames.find((one) => one === name);
  return found && `--${limitTable[found].flag}`;
}
