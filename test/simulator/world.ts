/**
 * What the programs of a simulation act upon. The outcome of an effect is decided by the seed and by
 * its id and request, so that it is the same one in whatever order things happen; how long an
 * attempt takes, and how often one goes wrong before, is part of the accidents.
 *
 * What is promised of it: a `write` acts at most once for each effect, and never where a process
 * that has lost its run performs it.
 */
import { clockHandlers } from '../../src/effects/clock/handlers.ts';
import { modelSpecs } from '../../src/effects/model/handlers.ts';
import { askHandler } from '../../src/effects/person/ask.ts';
import {
  type Arguments,
  type AttemptContext,
  EffectFailure,
  type Handler,
} from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import type { Assumption } from '../../src/engine/perform/assume.ts';
import { type Outcome, type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import { type Chance, hash32 } from './chance.ts';
import type { SimulatedClock } from './clock.ts';

/** A process of the simulation. What runs in a dead one comes to nothing. */
export interface Life {
  readonly owner: string;
  dead: boolean;
}

const parameters = { type: 'object', properties: { x: {} }, required: ['x'] };
const timeoutMs = 4_000;
const limits = { timeoutMs };
const tool = (name: string, changes: Partial<ToolSpec>): ToolSpec =>
  toolSpec({ name, description: `The tool ${name}.`, parameters, limits, ...changes });

/** Questions and pauses: the engine waits for them itself. */
const waiting = [askHandler, ...clockHandlers().filter(({ spec }) => spec.name === 'sleep')];

/**
 * `read`, `pure` and the writes may fail for good, `steady` never does. `feed` and `flow` give parts,
 * `flow` never fails. `put` is a write that may be repeated, `wipe` one
 * that has to be approved.
 */
export const specs: ReadonlyMap<string, ToolSpec> = new Map(
  [
    tool('read', { effect: 'read' }),
    tool('pure', { effect: 'pure' }),
    tool('steady', { effect: 'read' }),
    tool('feed', { effect: 'read' }),
    tool('flow', { effect: 'read' }),
    tool('write', { effect: 'write' }),
    tool('put', { effect: 'write', idempotent: true }),
    tool('wipe', { effect: 'write', destructive: true }),
    ...waiting.map(({ spec }) => spec),
    ...modelSpecs.map((spec) => ({ ...spec, limits })),
  ].map((spec) => [spec.name, spec]),
);

export const isWrite = (name: string): boolean => specs.get(name)?.effect === 'write';

const isStream = (name: string): boolean => name === 'feed' || name === 'flow';

/** What becomes of an effect in the end; ordinary JSON data. */
interface Fate {
  readonly value: unknown;
  readonly fails: boolean;
  readonly parts: readonly string[];
}

export class World {
  /** Keys of the writes that have acted, in the order in which they first did. */
  readonly written: string[] = [];
  /** What has happened that must not. */
  readonly wrongs: string[] = [];
  /** Attempts of each effect that had an accident. */
  readonly #slips = new Map<string, number>();
  /** The request that an effect of a run has acted on. */
  readonly #acted = new Map<string, string>();
  readonly #fresh: boolean;
  #answers = 0;
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #clock: SimulatedClock;

  /** With `fresh`, every answer is another one: what was lost does not come back by itself. */
  constructor(parts: { seed: number; chance: Chance; clock: SimulatedClock; fresh: boolean }) {
    this.#seed = parts.seed;
    this.#chance = parts.chance;
    this.#clock = parts.clock;
    this.#fresh = parts.fresh;
  }

  /** `key` is effect id and hash of the request. */
  fate(name: string, key: string): Fate {
    const drawn = hash32(`${this.#seed} ${key}`);
    const text = `r${drawn % 100}`;
    const parts = Array.from({ length: drawn % 4 }, (_, i) => `p${(drawn >>> (i + 3)) % 100}`);
    const fails = name !== 'steady' && name !== 'flow' && (drawn >>> 5) % 12 === 0;
    if (name === 'llm_condition') return { value: { result: drawn % 2 === 0 }, fails, parts: [] };
    const value = (drawn >>> 4) % 5 === 0 ? [text, drawn % 10] : text;
    return { value, fails, parts: isStream(name) ? parts : [] };
  }

  outcome(name: string, key: string): Outcome {
    const { value, fails } = this.fate(name, key);
    if (!fails) return { ok: true, value: JSON.stringify(value) };
    return { ok: false, error: { code: 'PV4200', message: `${key.slice(0, 12)} broke` } };
  }

  handlers(life: Life): Map<string, Handler> {
    const own = [...specs].map(([name, spec]): [string, Handler] => [
      name,
      { spec, perform: (args, context) => this.#perform(spec, life, args, context) },
    ]);
    return new Map([...own, ...waiting.map((one): [string, Handler] => [one.spec.name, one])]);
  }

  /** What a person finds out about the effects in doubt. */
  decisions(journal: Journal, run: string): Map<string, Assumption> {
    const found = new Map<string, Assumption>();
    for (const event of journal.events(run)) {
      if (event.type !== 'effect.unknown') continue;
      const key = `${event.effect}/${event.hash}`;
      const { value } = this.fate(event.tool, key);
      found.set(event.effect, this.written.includes(key) ? { as: 'done', value } : { as: 'retry' });
    }
    return found;
  }

  async #perform(
    spec: ToolSpec,
    life: Life,
    _args: Arguments,
    context: AttemptContext,
  ): Promise<unknown> {
    const { idempotencyKey, run } = context;
    const key = idempotencyKey.slice(idempotencyKey.indexOf('/') + 1);
    const { value, fails, parts } = this.fate(spec.name, key);
    if (life.dead && isWrite(spec.name)) this.wrongs.push(`a dead process performs ${key}`);
    // A process that comes later may still hear of it, so that what is done is done at once.
    if (spec.effect === 'write' && !fails) this.#act(spec, key, run);
    const slip = this.#slip(spec, key, fails);
    await this.#wait(
      life,
      slip === 'hang' ? 10 * timeoutMs : this.#chance.pick([0, 0, 1, 20, 300]),
    );
    for (const part of parts) {
      context.part(part);
      await this.#wait(life, this.#chance.pick([0, 0, 10]));
      if (slip === 'break' && this.#chance.flag(0.5)) break;
    }
    if (slip === 'break') throw new Error('the connection broke');
    if (fails) {
      const { error } = this.outcome(spec.name, key) as Extract<Outcome, { ok: false }>;
      throw new EffectFailure(error.code, error.message, { answered: true });
    }
    setImmediate(() => this.#afterwards(context));
    return this.#fresh && typeof value === 'string' ? `${value}.${++this.#answers}` : value;
  }

  #act({ idempotent }: ToolSpec, key: string, run: string): void {
    const effect = `${run}/${key.slice(0, key.indexOf('/'))}`;
    const before = this.#acted.get(effect) ?? key;
    this.#acted.set(effect, key);
    if (before !== key) this.wrongs.push(`${effect} acts on two requests`);
    if (!this.written.includes(key)) this.written.push(key);
    else if (!idempotent) this.wrongs.push(`${key} acts twice`);
  }

  /** An attempt that ends without the tool's answer: a connection that breaks, or none at all. */
  #slip({ idempotent }: ToolSpec, key: string, fails: boolean): 'break' | 'hang' | undefined {
    const slips = this.#slips.get(key) ?? 0;
    // A failure counts its attempts in its message; and there are no more than three attempts.
    if (fails || slips >= (idempotent ? 2 : 1) || !this.#chance.flag(0.12)) {
      return undefined;
    }
    this.#slips.set(key, slips + 1);
    return this.#chance.flag(0.7) ? 'break' : 'hang';
  }

  async #wait(life: Life, ms: number): Promise<void> {
    if (ms > 0) await this.#clock.sleep(ms);
    if (life.dead) await new Promise(() => {});
  }

  /** A tool that does not stop talking when it has answered. */
  #afterwards(context: AttemptContext): void {
    context.part('late');
    context.progress('late');
    context.use({ modelCalls: 9, inputTokens: 9, outputTokens: 9 });
  }
}
