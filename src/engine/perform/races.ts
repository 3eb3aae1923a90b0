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
import type { PastEffect } from '../past/past.ts';
import { type Alarm, setAlarm } from './alarm.ts';

export interface OpenRace {
  readonly request: Request;
  readonly hash: string;
  /** Epoch milliseconds. */
  readonly queuedAt: number;
}

export interface RaceHost {
  readonly clock: Clock;
  /** A race that the journal does not know yet has begun. */
  began(race: OpenRace): void;
  /** Index of the winner, -1 where all have failed, null where the time is over. */
  decided(race: OpenRace, winner: number | null): void;
}

interface Entry extends OpenRace {
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

  /** True where the race was open: the program no longer needs it. */
  drop(effect: string): OpenRace | undefined {
    const race = this.#open.get(effect);
    if (race) this.#close(race);
    return race?.begun ? race : undefined;
  }

  close(): void {
    for (const race of this.#open.values()) this.#close(race);
  }

  #begin(race: Entry): void {
    const { clock } = this.#host;
    race.begun = true;
    if (!race.known) this.#host.began(race);
    if (race.seen !== undefined) {
      this.#end(race, race.seen);
      return;
    }
    const timeoutMs = race.request.race?.timeoutMs ?? null;
    if (timeoutMs === null) return;
    race.alarm = setAlarm(clock, race.queuedAt + timeoutMs, () => this.#end(race, null));
  }

  #end(race: Entry, winner: number | null): void {
    this.#close(race);
    this.#host.decided(race, winner);
  }

  #close(race: Entry): void {
    race.alarm?.cancel();
    race.alarm = undefined;
    this.#open.delete(race.request.id);
  }
}

/** What the machine takes of a race: who comes first, or that nobody does. */
export const raceOutcome = (winner: number | null): Outcome =>
  winner !== null && winner < 0
    ? { ok: false, error: { code: 'PV4008', message: 'all calls of the race have failed' } }
    : { ok: true, value: String(winner) };
