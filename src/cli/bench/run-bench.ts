/**
 * All questions of a dataset by all methods, some at a time. Question by question, so that what
 * changes with time, as the speed of a provider does, falls on all methods alike.
 */

import { journalPath } from '../../agent/port/workspace.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import type { Workspace } from '../settings/workspace.ts';
import { say } from '../view/output.ts';
import { keyOf, type Line, type Log } from './log.ts';
import type { Progress } from './progress.ts';

export interface Bench<Item extends { readonly id: string }> {
  readonly workspace: Workspace;
  readonly items: readonly Item[];
  readonly methods: readonly string[];
  readonly log: Log;
  /** Lines of the log that count: what they are about is not run again. */
  readonly known: readonly Line[];
  readonly concurrency: number;
  /** USD that all runs of this process may cost together. */
  readonly costMax: number;
  readonly progress: Progress;
  /** Undefined where it was interrupted before it came to an end. */
  readonly ask: (asked: Asked<Item>) => Promise<Line | undefined>;
}

/** One item by one method. */
export interface Asked<Item> {
  readonly item: Item;
  readonly method: string;
  readonly journal: Journal;
  /** Whether whoever has called wants all of it to end. */
  readonly interrupted: () => boolean;
  /** Takes the item's line where the process has to end in the midst of a call of a tool. */
  readonly broken: (line: Line) => void;
}

export interface BenchEnd {
  /** Of this process. */
  readonly lines: readonly Line[];
  readonly stopped: 'interrupted' | 'cost' | undefined;
}

type Work<Item> = Pick<Asked<Item>, 'item' | 'method'>;

/** Throws what `ask` throws, once all that was begun has ended. */
export async function runBench<Item extends { readonly id: string }>(
  bench: Bench<Item>,
): Promise<BenchEnd> {
  const journal = openJournal(journalPath(bench.workspace));
  const interrupts = hearInterrupts(bench);
  const lines: Line[] = [];
  const keep = (line: Line): void => {
    bench.log.append(line);
    lines.push(line);
    bench.progress.ended(line);
  };
  const broken = (line: Line): void => {
    keep(line);
    bench.progress.note(`the process ends with it; --resume --out ${bench.log.file} goes on`);
    bench.progress.end();
  };
  let failure: { readonly error: unknown } | undefined;
  const isOver = (): boolean =>
    interrupts.heard() || failure !== undefined || costOf(lines) >= bench.costMax;
  const queue = workOf(bench).values();
  const worker = async (): Promise<void> => {
    for (const { item, method } of queue) {
      if (isOver()) return;
      bench.progress.begun();
      try {
        const asked = { item, method, journal, interrupted: interrupts.heard, broken };
        const line = await bench.ask(asked);
        if (line) keep(line);
        refuseHopeless(line, lines);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: bench.concurrency }, worker));
  } finally {
    interrupts.stop();
    journal.close();
  }
  if (failure) throw failure.error;
  const isWhole = lines.length === workOf(bench).length;
  const why = interrupts.heard() ? 'interrupted' : 'cost';
  return { lines, stopped: isWhole ? undefined : why };
}

function workOf<Item extends { readonly id: string }>({
  items,
  methods,
  known,
}: Bench<Item>): Work<Item>[] {
  const there = new Set(known.map(keyOf));
  return items
    .flatMap((item) => methods.map((method) => ({ item, method })))
    .filter(({ item, method }) => !there.has(keyOf({ method, id: item.id })));
}

const costOf = (lines: readonly Line[]): number =>
  lines.reduce((total, { usage }) => total + (usage.cost ?? 0), 0);

/** What no other question would have more luck with: a wrong key, an unknown model, no credit. */
const hopeless: ReadonlySet<string> = new Set(['PV4101', 'PV4102', 'PV4103', 'PV4117']);

/** What passes, but may take its time: overload, failure, no connection. */
const away: ReadonlySet<string> = new Set(['PV4105', 'PV4106', 'PV4107']);

/** So many in a row that find the model away. */
const awayMost = 3;

/** Throws `CliError` PV6806 where asking on would only fill the log with failures. */
function refuseHopeless(line: Line | undefined, lines: readonly Line[]): void {
  if (!line?.error) return;
  const last = lines.slice(-awayMost);
  const isAway = last.length === awayMost && last.every(({ error }) => away.has(error?.code ?? ''));
  if (!isAway && !hopeless.has(line.error.code)) return;
  const { code, message } = line.error;
  throw new CliError('PV6806', `the model cannot be asked: ${code} ${message}`, {
    hint: '--again goes on, and asks once more what has no answer',
    exit: exit.failed,
  });
}

/** How a command ends with it; says how to go on where it was stopped. */
export function exitOfBench(log: Log, { stopped, lines }: BenchEnd): ExitCode {
  if (stopped !== undefined) {
    const why = stopped === 'cost' ? 'stopped at --cost-max' : 'interrupted';
    say(`${why}; --resume --out ${log.file} goes on`);
    return stopped === 'cost' ? exit.budget : exit.interrupted;
  }
  const isAllLost = lines.length > 0 && lines.every(({ answer }) => answer === null);
  return isAllLost ? exit.failed : exit.done;
}

interface Interrupts {
  heard(): boolean;
  stop(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Beside the runs under way, each of which hears it too and ends so that nothing is lost. */
function hearInterrupts({
  progress,
  concurrency,
}: {
  readonly progress: Progress;
  readonly concurrency: number;
}): Interrupts {
  let heard = false;
  const interrupt = (): void => {
    if (heard) {
      progress.end();
      process.exit(exit.interrupted);
    }
    heard = true;
    progress.note('interrupted: what is under way ends; once more to end at once');
  };
  // Each run under way listens, too.
  process.setMaxListeners(process.getMaxListeners() + concurrency);
  for (const signal of signals) process.on(signal, interrupt);
  return {
    heard: () => heard,
    stop() {
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}
