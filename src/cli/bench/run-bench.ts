/**
 * All questions of a dataset by all methods, some at a time. Question by question, so that what
 * changes with time, as the speed of a provider does, falls on all methods alike.
 */
import { openJournal } from '../../engine/journal/open-journal.ts';
import { exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import type { AskFlags } from '../planning/asking.ts';
import { journalPath, type Workspace } from '../settings/workspace.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { askItem } from './ask-item.ts';
import type { Item } from './dataset.ts';
import { keyOf, type Line, type Log } from './log.ts';
import type { Progress } from './progress.ts';

export interface Bench {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly flags: AskFlags;
  readonly items: readonly Item[];
  readonly methods: readonly string[];
  readonly log: Log;
  /** Lines of the log that count: what they are about is not run again. */
  readonly known: readonly Line[];
  readonly concurrency: number;
  /** USD that all runs of this process may cost together. */
  readonly costMax: number;
  readonly progress: Progress;
  /** Whether only the figures are wanted. */
  readonly isQuiet: boolean;
}

export interface BenchEnd {
  /** Of this process. */
  readonly lines: readonly Line[];
  readonly stopped: 'interrupted' | 'cost' | undefined;
}

interface Work {
  readonly item: Item;
  readonly method: string;
}

/** Throws what `askItem` throws, once all that was begun has ended. */
export async function runBench(bench: Bench): Promise<BenchEnd> {
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
        const line = await askItem({
          ...{ ...bench, journal, item, method },
          ...{ interrupted: interrupts.heard, broken },
        });
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

function workOf({ items, methods, known }: Bench): Work[] {
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

interface Interrupts {
  heard(): boolean;
  stop(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Beside the runs under way, each of which hears it too and ends so that nothing is lost. */
function hearInterrupts({ progress, concurrency }: Bench): Interrupts {
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
