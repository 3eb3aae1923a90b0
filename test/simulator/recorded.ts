/**
 * What a history says, read once more and more simply than the engine reads it: for a fork, what
 * counts there of its base, what it was given, and what it has done itself.
 */

import type { RunEvent } from '../../src/engine/journal/journal.ts';
import { isBefore } from '../../src/engine/journal/lineage.ts';
import { type Outcome, raceTool } from '../../src/program/effect.ts';
import { decode, encode, toJson } from '../../src/program/json.ts';

/** Variables that are set by hand when a step is entered; JSON-like data by name. */
export interface Assignment {
  readonly at: string;
  readonly set: Readonly<Record<string, unknown>>;
}

/** An effect of the base of a fork. */
export interface Left {
  readonly tool: string;
  readonly hash: string;
  readonly outcome: Outcome | undefined;
  /** Number of the event that has its outcome. */
  readonly seq: number | undefined;
  /** It was begun, and nobody has said how it ended. */
  readonly isDoubtful: boolean;
}

export interface Recorded {
  /** Outcomes that count, by effect id. */
  readonly outcomes: Map<string, Outcome>;
  readonly parts: Map<string, string[]>;
  /** Channel, value and step of each message that counts. */
  readonly said: string[];
  readonly hashes: Map<string, string>;
  readonly tools: Map<string, string>;
  /** Effects that this run has begun itself, in order. */
  readonly started: string[];
  readonly assignments: Assignment[];
  /** Of a fork: what it shares with its base. */
  readonly inherited: Set<string>;
  /** Of a fork: what its base has from the point on, and what of it was taken by whom. */
  readonly left: Map<string, Left>;
  readonly reused: Extract<RunEvent, { type: 'effect.reused' }>[];
  /** Whether something that had failed was performed again. */
  readonly isMended: boolean;
  /** What nobody knows of whether it has happened. */
  readonly unknown: Set<string>;
  /** Hashes of requests that this run was in doubt about. */
  readonly doubted: Set<string>;
  /** Whose outcome is that of an equal request, in a base. */
  readonly borrowed: Set<string>;
  /** Whose outcome is that of an equal request in the same run; true where it really is. */
  readonly shared: Map<string, boolean>;
  /** Ids whose outcomes were given by hand. */
  readonly given: Map<string, Outcome>;
  readonly races: number;
}

export function readHistory(events: readonly RunEvent[]): Recorded {
  const reader = new Reader();
  for (const event of events) reader.read(event);
  return reader;
}

class Reader implements Recorded {
  readonly outcomes = new Map<string, Outcome>();
  readonly parts = new Map<string, string[]>();
  readonly said: string[] = [];
  readonly hashes = new Map<string, string>();
  readonly tools = new Map<string, string>();
  readonly started: string[] = [];
  readonly assignments: Assignment[] = [];
  readonly inherited = new Set<string>();
  readonly left = new Map<string, Left>();
  readonly reused: Extract<RunEvent, { type: 'effect.reused' }>[] = [];
  isMended = false;
  readonly unknown = new Set<string>();
  readonly doubted = new Set<string>();
  readonly borrowed = new Set<string>();
  readonly shared = new Map<string, boolean>();
  readonly given = new Map<string, Outcome>();
  readonly #seqs = new Map<string, number>();
  readonly #doubtful = new Set<string>();
  readonly #bySeq = new Map<number, { outcome: Outcome; parts: string[] | undefined }>();

  get races(): number {
    return [...this.outcomes.keys()].filter((id) => this.tools.get(id) === raceTool).length;
  }

  read(event: RunEvent): void {
    if ('effect' in event && 'tool' in event) this.#effect(event);
    if (event.type === 'run.forked') this.#fork(event);
    else if (event.type === 'run.resumed') {
      for (const id of event.again ?? []) this.outcomes.delete(id);
      this.isMended ||= event.again !== undefined;
    } else if (event.type === 'message.emitted') {
      this.said.push(`${event.channel} ${encode(decode(event.value))} ${event.step}`);
    }
  }

  #effect(event: Extract<RunEvent, { effect: string; tool: string }>): void {
    const { type, effect: id, seq } = event;
    this.tools.set(id, event.tool);
    if ('hash' in event) this.hashes.set(id, event.hash);
    if (type === 'effect.started' || type === 'effect.unknown') this.#doubtful.add(id);
    this.unknown.delete(id);
    if (type === 'effect.unknown') {
      this.unknown.add(id);
      this.doubted.add(event.hash);
    }
    // A call that has asked is made again with the answer.
    if (type === 'effect.cancelled' || type === 'effect.asked') this.#doubtful.delete(id);
    if (type === 'effect.started' && !this.started.includes(id)) this.started.push(id);
    if (type === 'effect.part') {
      const parts = this.parts.get(id) ?? [];
      parts[event.index] = event.value;
      this.parts.set(id, parts);
    } else if (type === 'effect.settled') {
      this.#bySeq.set(seq, { outcome: event.outcome, parts: this.parts.get(id) });
      this.#share(event);
      this.#settle(id, seq, event.outcome);
      this.borrowed.delete(id);
    } else if (type === 'effect.reused') {
      const found = this.#bySeq.get(event.from);
      const outcome = found?.outcome ?? this.given.get(id);
      if (outcome) this.#settle(id, event.from, outcome);
      if (found?.parts) this.parts.set(id, found.parts);
      this.borrowed.add(id);
      this.reused.push(event);
    }
  }

  #share({ effect: id, as, hash, outcome }: Extract<RunEvent, { type: 'effect.settled' }>): void {
    this.shared.delete(id);
    if (as === undefined) return;
    const other = this.outcomes.get(as);
    const isEqual = outcome.ok && other?.ok && outcome.value === other.value;
    this.shared.set(id, isEqual === true && this.hashes.get(as) === hash);
  }

  #settle(id: string, seq: number, outcome: Outcome): void {
    this.outcomes.set(id, outcome);
    this.#seqs.set(id, seq);
    this.#doubtful.delete(id);
  }

  #fork({ edit, point, seq }: Extract<RunEvent, { type: 'run.forked' }>): void {
    for (const [id, outcome] of Object.entries(edit.outcomes ?? {})) {
      this.given.set(id, outcome);
      this.#settle(id, seq, outcome);
    }
    this.left.clear();
    this.doubted.clear();
    this.inherited.clear();
    for (const [id, hash] of this.hashes) {
      if (point && isBefore(id, point)) {
        this.inherited.add(id);
        continue;
      }
      this.left.set(id, {
        tool: this.tools.get(id) ?? '',
        hash,
        outcome: this.outcomes.get(id),
        seq: this.#seqs.get(id),
        isDoubtful: this.#doubtful.has(id),
      });
      for (const one of [this.outcomes, this.parts, this.hashes, this.#seqs]) one.delete(id);
      this.#doubtful.delete(id);
      this.unknown.delete(id);
    }
    this.said.length = point?.messages ?? 0;
    this.started.length = 0;
    this.reused.length = 0;
    if (point && edit.set) this.assignments.push({ at: point.step, set: dataOf(edit.set) });
  }
}

const dataOf = (set: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(set).map(([name, text]) => [name, toJson(decode(text))]));
