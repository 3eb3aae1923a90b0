/**
 * The races of one run (`first`): nobody performs them, their outcome is a decision. What it owns:
 * which races are open, their timers, what the machine has seen of each. What is decided is an
 * outcome like any other: journaled before the machine takes it.
 *
 * - A race is over once: by what the machine has seen to come first, or by its deadline, which
 *   counts from the first time that it was journaled, in whichever process.
 */
import type { Outcome, Request } from '../../program/effect.ts';
import type { Clock } from '../clock.ts';
import type { EventBody } from '../journal/journal.ts';
import type { PastEffect } from '../past/past.ts';
import { type Alarm, setAlarm } from './deadlines.ts';

export interface RaceHost {
  readonly clock: Clock;
  record(event: EventBody): void;
  /** A race that the journal did not know has begun. */
  began(request: Request): void;
  decided(effect: string, outcome: Outcome): void;
}

interface Entry {
  readonly request: Request;
  readonly hash: string;
  /** Epoch milliseconds. */
  readonly queuedAt: number;
  /** Whether the journal has its start. */
  known: boolean;
  begun: boolean;
  seen: number | undefined;
  alarm: Alarm | undefined;
}

export class Races {
  readonly #host: RaceHost;
  readonly #open = new Map<string, Entry>();

  constructor(host: RaceHost) {
    this.#host = host;
  }

  /** Whether a deadline may still decide one. */
  get timed(): boolean {
    return [...this.#open.values()].some(({ alarm }) => alarm !== undefined);
  }

  /** Takes a race up; `past` is what the journal has of it. It begins with the next `launch`. */
  accept(request: Request, hash: string, past: PastEffect | undefined): void {
    const queuedAt = past?.queuedAt ?? this.#host.clock.now();
    const known = past !== undefined && past.state === 'started';
    const race = { request, hash, queuedAt, known, begun: false, seen: undefined };
    this.#open.set(request.id, { ...race, alarm: undefined });
  }

  /** The machine has seen who comes first; ignored for a race that is not open. */
  see(effect: string, index: number): void {
    const race = this.#open.get(effect);
    if (!race) return;
    race.seen ??= index;
    if (race.begun) this.#end(race, race.seen);
  }

  launch(): void {
    for (const race of this.#open.values()) if (!race.begun) this.#begin(race);
  }

  /** The program no longer needs an effect. */
  drop(effect: string): void {
    const race = this.#open.get(effect);
    if (!race) return;
    this.#close(race);
    const { tool } = race.request;
    if (race.begun) this.#host.record({ type: 'effect.cancelled', effect, tool, attempts: 1 });
  }

  close(): void {
    for (const race of this.#open.values()) this.#close(race);
  }

  #begin(race: Entry): void {
    const { clock } = this.#host;
    race.begun = true;
    if (!race.known) {
      this.#host.began(race.request);
      this.#host.record(started(race));
    }
    if (race.seen !== undefined) {
      this.#end(race, race.seen);
      return;
    }
    const timeoutMs = race.request.race?.timeoutMs ?? null;
    if (timeoutMs === null) return;
    race.alarm = setAlarm(clock, race.queuedAt + timeoutMs, () => this.#end(race, null));
  }

  /** `winner`: its index, -1 where all have failed, null where the time is over. */
  #end(race: Entry, winner: number | null): void {
    this.#close(race);
    const outcome = raceOutcome(winner);
    this.#host.record(settled(race, outcome));
    this.#host.decided(race.request.id, outcome);
  }

  #close(race: Entry): void {
    race.alarm?.cancel();
    race.alarm = undefined;
    this.#open.delete(race.request.id);
  }
}

/** What the machine takes of a race: who comes first, or that nobody does. */
const raceOutcome = (winner: number | null): Outcome =>
  winner !== null && winner < 0
    ? { ok: false, error: { code: 'PV4008', message: 'all calls of the race have failed' } }
    : { ok: true, value: String(winner) };

function started({ request, hash, queuedAt }: Entry): EventBody {
  const { id: effect, tool, step, args } = request;
  return {
    type: 'effect.started',
    effect,
    attempt: 1,
    tool,
    step,
    hash,
    request: args,
    queuedAt,
    ...(request.handled ? { handled: true } : {}),
  };
}

function settled({ request, hash, queuedAt }: Entry, outcome: Outcome): EventBody {
  const { id: effect, tool } = request;
  const made = { effect, tool, hash, outcome };
  return { type: 'effect.settled', ...made, attempts: 1, startedAt: queuedAt };
}
