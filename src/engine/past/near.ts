/**
 * A walk to a step that reads of the journal no more than what lies between two checkpoints: what a
 * run of many thousand effects needs to show a state at once. Where anything about that is not
 * plain, there is none, and whoever asks reads all.
 */
import type { Journal } from '../journal/journal.ts';
import { type Load, type Loaded, loadProgram } from '../load.ts';
import { readLimits } from '../settings.ts';
import { type Checkpoint, isBeforeStep, usable } from './checkpoint.ts';
import { stepsNamed } from './named-steps.ts';
import { readPast } from './read-past.ts';
import { type Moment, Walk } from './walk.ts';

export interface Near {
  readonly moment: Moment;
  readonly walk: Walk;
  readonly loaded: Loaded;
  /** Outcomes that came before, from the start on. */
  readonly position: number;
}

/** A run begins with its record and its program. */
const headEvents = 2;

export function walkNear(
  { journal, run, load }: { journal: Journal; run: string; load: Load },
  named: string,
): Near | undefined {
  const summary = journal.find(run);
  const seqs = journal.snapshots(run);
  // What a fork shares is cut and changed at its point: its past is read as a whole.
  if (!summary || summary.base || seqs.length === 0) return undefined;
  const head = journal.events(run, 0, headEvents);
  const first = readPast(head);
  if (!first.program) return undefined;
  const loaded = loadProgram(run, first, load);
  const [step, other] = stepsNamed(loaded.program, named);
  if (step === undefined || other !== undefined) return undefined;
  const read = (seq: number): Checkpoint | undefined =>
    usable({ journal, run, past: first, loaded }, seq);
  const stretch = stretchAround(seqs, read, (one) => isBeforeStep(one, loaded.program, step));
  if (!stretch) return undefined;
  const { from, upTo } = stretch;
  const past = readPast([...head, ...journal.events(run, from?.seq ?? headEvents, upTo)]);
  const raised = { ...readLimits(from?.limits ?? {}), ...past.raised };
  const parts = { loaded, past: { ...past, raised }, status: summary.status };
  const mark = from && { snapshot: from.machine, position: 0, emitted: from.emitted };
  const walk = new Walk(parts, mark);
  const moment = walk.nextStep(step);
  return moment && { moment, walk, loaded, position: (from?.position ?? 0) + walk.position };
}

/** The checkpoint before and the one behind; undefined where one on the way cannot be used. */
function stretchAround(
  seqs: readonly number[],
  read: (seq: number) => Checkpoint | undefined,
  isBefore: (checkpoint: Checkpoint) => boolean,
): { readonly from: Checkpoint | undefined; readonly upTo: number | undefined } | undefined {
  let from: Checkpoint | undefined;
  let [low, high] = [0, seqs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = read(seqs[middle] ?? 0);
    if (!one) return undefined;
    if (isBefore(one)) {
      from = one;
      low = middle + 1;
    } else high = middle;
  }
  return { from, upTo: seqs[high] };
}
