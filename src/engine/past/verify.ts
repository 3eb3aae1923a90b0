/**
 * Runs a run again purely from its journal and compares: every request, message, answer, the end.
 * Nothing is performed. What differs says that the journal was changed, that the program is another
 * one, or that this planvm runs it differently than the one that wrote the journal.
 *
 * - V1 A replay hands outcomes in by their order in the journal, one by one, each as late as it
 *   can. So it asks for at least what the run has asked for; what it asks for beyond that is a
 *   difference only where the run has ended and the replay waits for it.
 */
import type { Machine, View } from '../../machine/machine.ts';
import type { Turn } from '../../machine/turn.ts';
import type { Request, ToolSpec } from '../../program/effect.ts';
import { encode, stringify, toJson } from '../../program/json.ts';
import { readJson, valueOfNode } from '../../text/json-text.ts';
import { breaksIn } from '../journal/history.ts';
import type { RunEvent } from '../journal/journal.ts';
import type { RunStatus } from '../journal/run-state.ts';
import {
  type Loaded,
  limitsAgain,
  loadProgram,
  machineFor,
  programHash,
  type RecordedRun,
} from '../load.ts';
import { errorOf, resultOf } from '../result.ts';
import { findRun } from '../run-name.ts';
import { nothingSpent } from '../spent.ts';
import type { Past, PastEffect } from './past.ts';
import { readPast } from './read-past.ts';
import { handKnown, Replay } from './replay.ts';

export interface Verification {
  readonly run: string;
  readonly status: RunStatus;
  /** Whether there is no difference. */
  readonly ok: boolean;
  /** Effects and messages that were compared and are equal. */
  readonly effects: number;
  readonly messages: number;
  /** False where the program compiles to other code than the run had; no difference by itself. */
  readonly sameProgram: boolean;
  /** The first of each kind that is met; later ones follow from it. */
  readonly differences: readonly Difference[];
}

/** Throws `RunError` where there is no such run, or its program cannot be read any more. */
export function verifyRun({ journal, run, load }: RecordedRun): Verification {
  const summary = findRun(journal, run);
  const events = journal.events(run);
  const past = readPast(events);
  const loaded = loadProgram(run, past, load);
  const again = new Again(loaded, past, events, summary.status);
  again.run();
  const broken = breaksIn(events).map(
    ({ seq, message }): Difference => ({
      ...{ what: 'journal', name: String(seq), step: '' },
      ...{ recorded: message, replayed: null },
    }),
  );
  const differences = again.difference
    ? [...broken, again.difference]
    : [...broken, ...endDifferences(again.machine.view(), events, summary.status)];
  return {
    run,
    status: summary.status,
    ok: differences.length === 0,
    effects: again.effects,
    messages: again.messages,
    sameProgram: past.program?.hash === programHash(loaded.program),
    differences,
  };
}

/** Instructions between two looks at whether there is anything left to compare. */
const sliceInstructions = 100_000;

/** The program once more. */
class Again {
  readonly machine: Machine;
  difference: Difference | undefined;
  effects = 0;
  messages = 0;
  readonly #specs: ReadonlyMap<string, ToolSpec>;
  readonly #past: Past;
  readonly #replay: Replay;
  readonly #said: readonly Said[];
  /** So many of them were said with other outcomes: what the program says now need not be it. */
  readonly #unlike: number;
  readonly #hasEnded: boolean;
  readonly #instructionsMax: number;
  /**
   * Whether the program may have been further ahead of its failure than it comes now: one that no
   * longer counts has made room then, parts came one by one of a stream that come at once now, or
   * what a fork took over came at once and has to wait for its turn now.
   */
  readonly #mayFailEarlier: boolean;
  /** What the journal has no outcome of, by id. */
  readonly #waiting = new Map<string, Request>();

  constructor(loaded: Loaded, past: Past, events: readonly RunEvent[], status: RunStatus) {
    const limits = limitsAgain(loaded, past);
    this.machine = machineFor(loaded, past, limits);
    this.#specs = loaded.specs;
    this.#past = past;
    // What a fork could still take over is not in its journal.
    this.#replay = new Replay({ ...past, reuse: undefined });
    this.#said = messagesIn(events);
    this.#unlike = messagesOfOtherOutcomes(events);
    this.#hasEnded = status === 'done' || status === 'failed';
    this.#instructionsMax = limits.instructions;
    const cameEarlier = [...past.effects.values()].some(
      ({ parts, origin }) => parts.length > 0 || origin === 'reused',
    );
    this.#mayFailEarlier = cameEarlier || past.lost.length > 0;
  }

  run(): void {
    let ready = true;
    while (ready && !this.difference) {
      const turn = this.machine.run(sliceInstructions);
      ready = this.#take(turn);
      if (this.difference || turn.status === 'done' || turn.status === 'failed') break;
      if (turn.status === 'ready') ready = this.#mayGoOn(turn);
      else if (!ready) ready = this.#handInNext();
    }
    this.difference ??= this.#unasked() ?? this.#stuck() ?? this.#unsaid();
  }

  /** Whether the machine has something new to go on with. */
  #take(turn: Turn): boolean {
    let ready = turn.status === 'ready';
    for (const id of turn.cancels) this.#waiting.delete(id);
    for (const request of turn.requests) ready = this.#ask(request) || ready;
    for (const { channel, value, step } of turn.emits) this.#say(channel, encode(value), step);
    return ready;
  }

  #ask(request: Request): boolean {
    const { id, step } = request;
    const known = this.#replay.answer(request, this.#specs.get(request.tool));
    if (known.kind === 'nothing' || known.kind === 'reused') {
      this.#waiting.set(id, request);
      return false;
    }
    const { past } = known;
    if (known.kind === 'other') {
      const recorded = recordedCall(past);
      this.difference ??= { what: 'request', name: id, step, recorded, replayed: callOf(request) };
      return false;
    }
    this.effects++;
    if (known.kind === 'begun') this.#waiting.set(id, request);
    return handKnown(this.machine, id, known);
  }

  #say(channel: string, value: string, step: string): void {
    const said = this.#said[this.messages];
    const replayed = messageOf(channel, value);
    const recorded = said ? messageOf(said.channel, said.value) : null;
    const isSame = said && recorded === replayed && said.step === step;
    if (isSame || (said && this.messages < this.#unlike)) this.messages++;
    else if (said || this.#hasEnded)
      this.#differ('message', this.messages + 1, step, recorded, replayed);
  }

  #handInNext(): boolean {
    const next = this.#replay.next();
    if (next) this.machine.settle(next.effect, next.outcome);
    return next !== undefined;
  }

  /** A run that was stopped while it computed is followed while there is something to compare. */
  #mayGoOn({ instructions }: Turn): boolean {
    if (instructions >= this.#instructionsMax) return false;
    const seen = this.#replay.over && this.messages >= this.#said.length;
    return this.#hasEnded || !seen || this.#past.effects.size > 0;
  }

  /** It may still wait for what its base had, or it had itself, when it said or asked for more. */
  get #isOnItsWay(): boolean {
    const { edit, lost } = this.#past;
    return !this.#hasEnded && (edit !== undefined || lost.length > 0);
  }

  /** What the journal has and nobody has asked for; with a smaller window, that comes later. */
  #unasked(): Difference | undefined {
    const { raised } = this.#past;
    const mayCome = this.machine.view().status === 'blocked' && raised.windowEntries !== undefined;
    if (mayCome || this.#isOnItsWay) return undefined;
    const isOther = this.#mayFailEarlier && this.machine.view().status === 'failed';
    for (const [name, past] of this.#replay.unclaimed()) {
      const { step, tool } = past;
      if (isOther && this.#specs.get(tool)?.effect !== 'write') continue;
      return { what: 'request', name, step, recorded: recordedCall(past), replayed: null };
    }
    return undefined;
  }

  #unsaid(): Difference | undefined {
    if (this.#isOnItsWay) return undefined;
    const next = this.#said[this.messages];
    if (!next) return undefined;
    const { channel, value, step } = next;
    const name = String(this.messages + 1);
    return { what: 'message', name, step, recorded: messageOf(channel, value), replayed: null };
  }

  /** The run has ended, and its replay waits for something that it has not asked for. */
  #stuck(): Difference | undefined {
    if (!this.#hasEnded || this.machine.view().status !== 'blocked') return undefined;
    const [first] = this.#waiting.values();
    if (!first) return undefined;
    const { id: name, step } = first;
    return { what: 'request', name, step, recorded: null, replayed: callOf(first) };
  }

  #differ(
    what: Difference['what'],
    number: number,
    step: string,
    recorded: string | null,
    replayed: string | null,
  ): void {
    this.difference ??= { what, name: String(number), step, recorded, replayed };
  }
}

/** Messages that a fork has from its base, but for outcomes that the fork was given instead. */
function messagesOfOtherOutcomes(events: readonly RunEvent[]): number {
  const given = events.findLast(
    (event) => event.type === 'run.forked' && Object.keys(event.edit.outcomes ?? {}).length > 0,
  );
  return given?.type === 'run.forked' ? (given.point?.messages ?? 0) : 0;
}

const callOf = ({ tool, args }: Request): string => `${tool} ${args}`;

const recordedCall = ({ tool, request }: PastEffect): string =>
  `${tool} ${request ?? '(arguments not recorded)'}`;

const messageOf = (channel: string, value: string): string => `${channel} ${value}`;

// The end of a run beside the end of its replay: status, answers, variables, error.

/** Something that is not as the journal has it. */
export interface Difference {
  readonly what: 'journal' | 'request' | 'message' | 'status' | 'answer' | 'variable' | 'error';
  /** Effect id, number of the event, message or answer from 1, or name of the variable. */
  readonly name: string;
  /** Step id with visit; empty where there is none. */
  readonly step: string;
  /** What the journal has, as text; null for nothing. */
  readonly recorded: string | null;
  /** What the replay has. */
  readonly replayed: string | null;
}

/**
 * What differs. Of a run that is not over, only its answers are compared, as far as they go: it may
 * have been stopped between any two instructions.
 */
function endDifferences(view: View, events: readonly RunEvent[], status: RunStatus): Difference[] {
  // A run that is taken up, or forked, has left the end before it behind.
  const last = events.findLast(({ type }) => type.startsWith('run.'));
  if (!last || !('result' in last)) return [];
  const recorded = readResult(last.result);
  const replayed = readResult(stringify(replayedResult(view)));
  if (status !== 'done' && status !== 'failed') {
    const replayedAnswers = replayed.answers.slice(0, recorded.answers.length);
    return listed('answer', recorded.answers, replayedAnswers);
  }
  const ended = statusOf[view.status] ?? 'running';
  if (ended !== status) {
    const error = replayed.error ? `: ${stringify(replayed.error)}` : '';
    return [difference('status', '', status, `${ended}${error}`)];
  }
  return [
    ...listed('answer', recorded.answers, replayed.answers),
    // Behind a failure, what became of shared containers depends on how far the program was ahead.
    ...(status === 'done' ? named(recorded.variables, replayed.variables) : []),
    ...listed('error', [recorded.error ?? null], [replayed.error ?? null]),
  ];
}

const statusOf: Partial<Record<View['status'], RunStatus>> = { done: 'done', failed: 'failed' };

/** The parts of a result document that are compared; ordinary JSON data. */
interface Recorded {
  readonly answers: readonly unknown[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

function readResult(text: string): Recorded {
  const { node } = readJson(text);
  return node ? (toJson(valueOfNode(node)) as Recorded) : { answers: [], variables: {} };
}

function replayedResult(view: View): Recorded {
  const error = view.error && errorOf(view.error);
  const parts = { run: '', status: 'done' as const, spent: nothingSpent(), warnings: [] };
  return resultOf({ ...parts, view, error });
}

function listed(
  what: Difference['what'],
  recorded: readonly unknown[],
  replayed: readonly unknown[],
): Difference[] {
  const length = Math.max(recorded.length, replayed.length);
  return Array.from({ length }, (_, i) =>
    difference(what, what === 'error' ? '' : String(i + 1), recorded[i], replayed[i]),
  ).filter(differs);
}

function named(recorded: Recorded['variables'], replayed: Recorded['variables']): Difference[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(replayed)]);
  return [...names]
    .map((name) => difference('variable', name, recorded[name], replayed[name]))
    .filter(differs);
}

function difference(
  what: Difference['what'],
  name: string,
  recorded: unknown,
  replayed: unknown,
): Difference {
  const shown = (data: unknown): string | null =>
    data === undefined
      ? null
      : typeof data === 'string' && what === 'status'
        ? data
        : stringify(data);
  return { what, name, step: '', recorded: shown(recorded), replayed: shown(replayed) };
}

const differs = ({ recorded, replayed }: Difference): boolean => recorded !== replayed;

// The messages of a run's history; of a fork, its own and those of its base that come before.

export type Said = Extract<RunEvent, { type: 'message.emitted' }>;

export function messagesIn(events: readonly RunEvent[]): Said[] {
  const said: Said[] = [];
  for (const event of events) {
    if (event.type === 'message.emitted') said.push(event);
    // An imported file may say any number.
    else if (event.type === 'run.forked') said.splice(Math.max(0, event.point?.messages ?? 0));
  }
  return said;
}
