/**
 * All questions of a dataset by all methods, some at a time. Question by question, so that what
 * changes with time, as the speed of a provider does, falls on all methods alike.
 */

import { AgentError } from '../agent/port/errors.ts';
import type { Host, RunEnd } from '../agent/port/host.ts';
import { journalPath, type Workspace } from '../agent/port/workspace.ts';
import type { Toolbox } from '../agent/tools/toolbox.ts';
import { openJournal } from '../engine/journal/open-journal.ts';
import { askItem, type ItemRequest } from './ask-item.ts';
import type { Item } from './dataset.ts';
import { type BenchLine, keyOf, type Log } from './log.ts';
import type { AskOptions } from './options.ts';

export interface Bench {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly options: AskOptions;
  readonly items: readonly Item[];
  readonly methods: readonly string[];
  readonly log: Log;
  /** Lines of the log that count: what they are about is not run again. */
  readonly known: readonly BenchLine[];
  /** How many questions are asked at a time. */
  readonly concurrency: number;
  /** USD that all runs of this process may cost together. */
  readonly costMax: number;
  /** Ends it: no question is begun, and what is under way is interrupted. */
  readonly signal: AbortSignal;
  readonly host: BenchHost;
}

/** What a benchmark needs of the face that it works for. */
export interface BenchHost {
  begun?(): void;
  /** The line of an item is in the log. */
  ended?(line: BenchLine): void;
  /**
   * Who looks on while the runs of an item go on. Where the process has to end within a call of a
   * tool, `broken` puts the item into the log.
   */
  hostFor?(broken: (end: RunEnd) => void): Host;
}

export interface BenchEnd {
  /** Of this process. */
  readonly lines: readonly BenchLine[];
  readonly stopped: 'interrupted' | 'cost' | undefined;
}

/** One item by one method. */
type Work = Pick<ItemRequest, 'item' | 'method'>;

/** Throws as `askItem` does, and `AgentError` PV6806, once all that was begun has ended. */
export async function runBench(bench: Bench): Promise<BenchEnd> {
  const { workspace, toolbox, options, signal, host } = bench;
  const lines: BenchLine[] = [];
  const keep = (line: BenchLine): void => {
    bench.log.append(line);
    lines.push(line);
    host.ended?.(line);
  };
  const journal = openJournal(journalPath(workspace));
  const shared = { workspace, toolbox, journal, options, signal };
  const hostFor = (broken: (end: RunEnd) => void): Host => host.hostFor?.(broken) ?? {};
  const all = workOf(bench);
  const queue = all.values();
  let failure: { readonly error: unknown } | undefined;
  const isOver = (): boolean =>
    signal.aborted || failure !== undefined || costOf(lines) >= bench.costMax;
  const worker = async (): Promise<void> => {
    for (const work of queue) {
      if (isOver()) return;
      host.begun?.();
      try {
        const line = await askItem({ ...shared, ...work, hostFor, broken: keep });
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
    journal.close();
  }
  if (failure) throw failure.error;
  const reason = signal.aborted ? 'interrupted' : 'cost';
  return { lines, stopped: lines.length === all.length ? undefined : reason };
}

function workOf({ items, methods, known }: Bench): Work[] {
  const there = new Set(known.map(keyOf));
  return items
    .flatMap((item) => methods.map((method) => ({ item, method })))
    .filter(({ item, method }) => !there.has(keyOf({ method, id: item.id })));
}

const costOf = (lines: readonly BenchLine[]): number =>
  lines.reduce((total, { usage }) => total + (usage.cost ?? 0), 0);

/** What no other question would have more luck with: a wrong key, an unknown model, no credit. */
const hopeless: ReadonlySet<string> = new Set(['PV4101', 'PV4102', 'PV4103', 'PV4117']);

/** What passes, but may take its time: overload, failure, no connection. */
const away: ReadonlySet<string> = new Set(['PV4105', 'PV4106', 'PV4107']);

/** So many in a row that find the model away. */
const awayMax = 3;

/** Throws `AgentError` PV6806 where asking on would only fill the log with failures. */
function refuseHopeless(line: BenchLine | undefined, lines: readonly BenchLine[]): void {
  if (!line?.error) return;
  const last = lines.slice(-awayMax);
  const isAway = last.length === awayMax && last.every(({ error }) => away.has(error?.code ?? ''));
  if (!isAway && !hopeless.has(line.error.code)) return;
  const { code, message } = line.error;
  throw new AgentError('PV6806', `the model cannot be asked: ${code} ${message}`, {
    hint: 'resume the benchmark later, and ask again what has no answer',
  });
}
