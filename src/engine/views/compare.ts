/** What differs between two runs: programs, inputs, the first effect, variables, answers, ends. */
import { decode, encode } from '../../program/json.ts';
import { dictEntries, isDict, type Value } from '../../program/value.ts';
import type { Journal } from '../journal/journal.ts';
import type { RunReason, RunStatus } from '../journal/run-state.ts';
import type { Load, RecordedRun } from '../load.ts';
import type { PastEffect } from '../past/past.ts';
import { readPast } from '../past/read-past.ts';
import { stateAt } from '../past/time.ts';
import { type ResultUsage, shownOf, usageOf } from '../result.ts';
import { findRun } from '../run-name.ts';
import { type EffectView, lookAt, type RunView } from './show.ts';
import { type Change, diffStates, diffValues } from './state-diff.ts';

export interface Comparison {
  readonly runs: readonly [Compared, Compared];
  /** The first effect, by the steps of the programs, that differs. */
  readonly effect: Divergence | undefined;
  readonly inputs: readonly Change[];
  /** At their ends, with the places inside them. */
  readonly variables: readonly Change[];
  /** Whether more variables differ than are listed. */
  readonly isCut: boolean;
}

export interface Compared {
  readonly run: string;
  readonly title: string;
  readonly dialect: string;
  /** The program's text. */
  readonly program: string;
  readonly status: RunStatus;
  readonly reason?: RunReason;
  /** Ordinary JSON data. */
  readonly answers: readonly unknown[];
  readonly error?: { readonly code: string; readonly message: string; readonly step: string };
  /** What the run itself has performed and used; of a fork, nothing of its base. */
  readonly effects: number;
  readonly usage: ResultUsage;
  /** Milliseconds for which a process has had it. */
  readonly wallMs: number;
}

/** Where two runs part; one of the effects may be missing. */
export interface Divergence {
  /** `request`: another call, or none; `outcome`: the same call has come to something else. */
  readonly what: 'request' | 'outcome';
  readonly id: string;
  readonly effects: readonly [EffectView | null, EffectView | null];
}

export interface CompareOptions extends Omit<RecordedRun, 'run'> {
  readonly runs: readonly [string, string];
}

/** Throws `RunError` where there is no such run, or its program cannot be read any more. */
export function compareRuns({ journal, runs: [one, other], load }: CompareOptions): Comparison {
  const sides = [sideOf(journal, one, load), sideOf(journal, other, load)] as const;
  const [a, b] = sides;
  const at = 'end';
  const states = [
    stateAt({ journal, run: one, load, at }),
    stateAt({ journal, run: other, load, at }),
  ] as const;
  const { variables, isCut } = diffStates(states, [one, other]);
  return {
    runs: [a.compared, b.compared],
    effect: divergence(sides),
    inputs: diffValues(inputsIn(a.inputs), inputsIn(b.inputs)).changes,
    variables,
    isCut,
  };
}

interface Side {
  readonly compared: Compared;
  readonly view: RunView;
  readonly effects: ReadonlyMap<string, PastEffect>;
  /** Canonical text. */
  readonly inputs: string;
}

function sideOf(journal: Journal, run: string, load: Load): Side {
  const summary = findRun(journal, run);
  const { view, events, again } = lookAt({ journal, run, load });
  const { effects, program, spent, wallMs } = readPast(events);
  const { title, dialect, status, reason, inputs } = summary;
  const { answers, error } = again.view;
  const compared: Compared = {
    ...{ run, title, dialect, status },
    program: program?.text ?? '',
    ...(reason ? { reason } : {}),
    answers: answers.map(({ value }) => shownOf(encode(value))),
    ...(error ? { error: { code: error.code, message: error.message, step: error.step } } : {}),
    effects: spent.effects,
    usage: usageOf(spent),
    wallMs,
  };
  return { compared, view, effects, inputs };
}

function divergence([a, b]: readonly [Side, Side]): Divergence | undefined {
  const ids = new Set([...a.effects.keys(), ...b.effects.keys()]);
  const steps = new Map<string, number>();
  for (const { view } of [a, b]) {
    for (const [i, { id }] of view.steps.entries()) if (!steps.has(id)) steps.set(id, i);
  }
  let first: { readonly id: string; readonly what: Divergence['what'] } | undefined;
  let lowest: readonly number[] = [];
  for (const id of ids) {
    const [one, other] = [a.effects.get(id), b.effects.get(id)];
    const what = differenceOf(one, other);
    if (what === undefined) continue;
    const step = steps.get(one?.step ?? other?.step ?? '') ?? Infinity;
    const place = [step, ...numbersIn(id)];
    if (first && !isLower(place, lowest)) continue;
    first = { id, what };
    lowest = place;
  }
  if (!first) return undefined;
  const { id } = first;
  const viewIn = ({ view }: Side): EffectView | null =>
    view.effects.find((effect) => effect.id === id) ?? null;
  return { ...first, effects: [viewIn(a), viewIn(b)] };
}

function differenceOf(
  one: PastEffect | undefined,
  other: PastEffect | undefined,
): Divergence['what'] | undefined {
  // What was asked for in vain depends on time.
  const isVoid = (effect: PastEffect | undefined): boolean =>
    effect === undefined || effect.state === 'cancelled';
  if (isVoid(one) && isVoid(other)) return undefined;
  if (one?.hash !== other?.hash) return 'request';
  const isSame = JSON.stringify(one?.outcome) === JSON.stringify(other?.outcome);
  return isSame ? undefined : 'outcome';
}

const numbersIn = (id: string): number[] => (id.match(/\d+/g) ?? []).map(Number);

function isLower(place: readonly number[], than: readonly number[]): boolean {
  const at = place.findIndex((number, i) => number !== than[i]);
  return at >= 0 && (place[at] ?? 0) < (than[at] ?? -1);
}

function inputsIn(text: string): ReadonlyMap<string, Value> {
  const given = decode(text);
  if (!isDict(given)) return new Map();
  return new Map(Array.from(dictEntries(given), ([name, value]) => [String(name), value]));
}
