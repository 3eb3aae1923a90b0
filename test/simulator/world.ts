/**
 * What the programs of a simulation act upon. The outcome of an effect is decided by the seed and by
 * its id and request, so that it is the same one in whatever order things happen; how long an
 * attempt takes, and how often one goes wrong before, is part of the accidents.
 *
 * What is promised of it: a `write` acts at most once for each effect of a run, never where a
 * process that has lost its run performs it, and nothing is called that is to be left alone.
 */
import { bindSpec } from '../../src/effects/bind/specs.ts';
import { clockHandlers } from '../../src/effects/clock/handlers.ts';
import { modelSpecs } from '../../src/effects/model/handlers.ts';
import { askHandler } from '../../src/effects/person/ask.ts';
import {
  type Arguments,
  type AttemptContext,
  EffectFailure,
  type Handler,
} from '../../src/engine/handler.ts';
import type { Load } from '../../src/engine/load.ts';
import { type Outcome, type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import type { Outage } from './accidents.ts';
import { type Chance, hash32 } from './chance.ts';
import { type AttemptEnd, type Breaking, Circuits } from './circuit.ts';
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
 * that has to be approved. `peek` and `nest` are programs in their turn, of which the second writes.
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
    tool('peek', { effect: 'read' }),
    tool('nest', { effect: 'write', idempotent: true }),
    { ...bindSpec, limits },
    ...waiting.map(({ spec }) => spec),
    ...modelSpecs.map((spec) => ({ ...spec, limits })),
  ].map((spec) => [spec.name, spec]),
);

export const isNest = (name: string): boolean => name === 'peek' || name === 'nest';

export const isWrite = (name: string): boolean => specs.get(name)?.effect === 'write';

const isStream = (name: string): boolean => name === 'feed' || name === 'flow';

/** What becomes of an effect in the end; ordinary JSON data. */
export interface Fate {
  readonly value: unknown;
  readonly fails: boolean;
  readonly parts: readonly string[];
}

export interface WorldParts {
  readonly seed: number;
  readonly chance: Chance;
  readonly clock: SimulatedClock;
  /** Every answer is another one: what was lost does not come back by itself. */
  readonly fresh: boolean;
  readonly outages: readonly Outage[];
  readonly breaking: Breaking;
  /** The program that an effect is; `key` as for fates. */
  readonly nested: (key: string, depth: number, reads: boolean) => Nested;
}

export interface Nested {
  readonly text: string;
  readonly dialect: string;
  readonly load: Load;
}

export class World {
  readonly circuits: Circuits;
  /** What has happened that must not. */
  readonly wrongs: string[] = [];
  /** Attempts of each effect that had an accident. */
  readonly #slips = new Map<string, number>();
  /** By run: keys of the writes that have acted, in the order in which they first did. */
  readonly #written = new Map<string, string[]>();
  /** The request that an effect of a run has acted on. */
  readonly #acted = new Map<string, string>();
  #answers = 0;
  readonly #parts: WorldParts;

  constructor(parts: WorldParts) {
    this.#parts = parts;
    this.circuits = new Circuits(parts.breaking);
  }

  /** Effect id and hash of each write of a run that has acted. */
  written(run: string): readonly string[] {
    return this.#written.get(run) ?? [];
  }

  /** `key` is effect id and hash of the request. */
  fate(name: string, key: string): Fate {
    const drawn = hash32(`${this.#parts.seed} ${key}`);
    const text = `r${drawn % 100}`;
    const parts = Array.from({ length: drawn % 4 }, (_, i) => `p${(drawn >>> (i + 3)) % 100}`);
    const fails = name !== 'steady' && name !== 'flow' && (drawn >>> 5) % 12 === 0;
    if (name === bindSpec.name) return { value: boundOf(key, text, drawn), fails, parts: [] };
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
    const own = [...specs].map(([name, spec]): [string, Handler] => {
      const perform: Handler['perform'] = (args, context) =>
        this.#perform(spec, life, args, context);
      if (spec.kind !== 'model') return [name, { spec, perform }];
      return [name, { spec, perform, model: () => ({ name: 'world/model', price }) }];
    });
    return new Map([...own, ...waiting.map((one): [string, Handler] => [one.spec.name, one])]);
  }

  async #perform(
    spec: ToolSpec,
    life: Life,
    args: Arguments,
    context: AttemptContext,
  ): Promise<unknown> {
    const { clock } = this.#parts;
    // A process dies as a whole, wherever in its runs within runs it has died.
    const isWithin = depthOf(context.run) > 0 || isNest(spec.name);
    if (life.dead && isWithin) return await new Promise(() => {});
    const circuit = this.circuits.began(`${context.run} ${life.owner}`, spec.name, clock.uptime());
    let isOver = false;
    const end = (how: AttemptEnd): void => {
      if (!isOver) circuit.ended(how, clock.uptime());
      isOver = true;
    };
    context.signal.addEventListener('abort', () =>
      end(context.signal.reason instanceof EffectFailure ? 'away' : 'gone'),
    );
    try {
      const value = await this.#answer(spec, life, args, context);
      end('answered');
      return value;
    } catch (error) {
      end(error instanceof EffectFailure && error.answered ? 'answered' : 'away');
      throw error;
    }
  }

  async #answer(
    spec: ToolSpec,
    life: Life,
    _args: Arguments,
    context: AttemptContext,
  ): Promise<unknown> {
    const { chance, fresh } = this.#parts;
    const { idempotencyKey, run } = context;
    const key = idempotencyKey.slice(idempotencyKey.indexOf('/') + 1);
    const { value, fails, parts } = this.fate(spec.name, key);
    if (life.dead && isWrite(spec.name)) this.wrongs.push(`a dead process performs ${key}`);
    if (spec.kind === 'model') {
      context.use({ modelCalls: 1, inputTokens: 40, outputTokens: chance.between(1, 60) });
    }
    if (this.#isAway(spec)) {
      await this.#wait(life, chance.pick([0, 0, 5, 200]));
      throw new EffectFailure('PV4200', `${spec.name} is away`, {
        ...{ retryable: true, mayHaveActed: false },
        ...(chance.flag(0.1) ? { retryAfterMs: chance.pick([10, 5_000, 100_000]) } : {}),
      });
    }
    if (isNest(spec.name)) return await this.#nest(spec, life, key, context);
    // A process that comes later may still hear of it, so that what is done is done at once.
    if (spec.effect === 'write' && !fails) this.#act(spec, key, run);
    const slip = this.#slip(spec, `${run} ${key}`, fails);
    await this.#wait(life, slip === 'hang' ? 10 * timeoutMs : chance.pick([0, 0, 1, 20, 300]));
    for (const part of parts) {
      context.part(part);
      await this.#wait(life, chance.pick([0, 0, 10]));
      if (slip === 'break' && chance.flag(0.5)) break;
    }
    if (slip === 'break') throw new Error('the connection broke');
    if (fails) {
      const { error } = this.outcome(spec.name, key) as Extract<Outcome, { ok: false }>;
      throw new EffectFailure(error.code, error.message, { answered: true });
    }
    setImmediate(() => this.#afterwards(context));
    return fresh && typeof value === 'string' ? `${value}.${++this.#answers}` : value;
  }

  /** An attempt may break off before the program within it has begun, and behind its end. */
  async #nest(spec: ToolSpec, life: Life, key: string, context: AttemptContext): Promise<unknown> {
    const slip = this.#slip(spec, `${context.run} ${key}`, false);
    await this.#wait(life, this.#parts.chance.pick([0, 0, 20]));
    if (slip === 'hang') throw new Error('the connection broke');
    const depth = depthOf(context.run);
    const { text, dialect, load } = this.#parts.nested(key, depth, spec.effect === 'read');
    const value = await context.inner({
      ...{ name: 'nested', title: text, text, dialect, compile: load, inputs: new Map() },
      handlers: this.handlers(life),
    });
    if (life.dead) await new Promise(() => {});
    if (slip === 'break') throw new Error('the connection broke');
    return value;
  }

  #isAway({ name }: ToolSpec): boolean {
    const { clock, outages } = this.#parts;
    const now = clock.uptime();
    return outages.some(({ tool, from, to }) => tool === name && from <= now && now < to);
  }

  #act({ idempotent }: ToolSpec, key: string, run: string): void {
    const effect = `${run}/${key.slice(0, key.indexOf('/'))}`;
    const before = this.#acted.get(effect) ?? key;
    this.#acted.set(effect, key);
    if (before !== key) this.wrongs.push(`${effect} acts on two requests`);
    const written = this.#written.get(run) ?? [];
    this.#written.set(run, written);
    if (!written.includes(key)) written.push(key);
    else if (!idempotent) this.wrongs.push(`${run}/${key} acts twice`);
  }

  /** An attempt that ends without the tool's answer: a connection that breaks, or none at all. */
  #slip({ idempotent }: ToolSpec, key: string, fails: boolean): 'break' | 'hang' | undefined {
    const { chance } = this.#parts;
    const slips = this.#slips.get(key) ?? 0;
    // A failure counts its attempts in its message; and there are no more than three attempts.
    if (fails || slips >= (idempotent ? 2 : 1) || !chance.flag(0.12)) {
      return undefined;
    }
    this.#slips.set(key, slips + 1);
    return chance.flag(0.7) ? 'break' : 'hang';
  }

  async #wait(life: Life, ms: number): Promise<void> {
    if (ms > 0) await this.#parts.clock.sleep(ms);
    if (life.dead) await new Promise(() => {});
  }

  /** A tool that does not stop talking when it has answered. */
  #afterwards(context: AttemptContext): void {
    context.part('late');
    context.progress('late');
    context.use({ modelCalls: 9, inputTokens: 9, outputTokens: 9 });
  }
}

/** How many runs a run is within, by its id. */
export const depthOf = (run: string): number => run.split('.nested').length - 1;

/** At first, it may want to look further behind a barrier. */
function boundOf(key: string, text: string, drawn: number): unknown {
  if (!isAgain(key) && (drawn >>> 9) % 3 === 0) return { barrier: { args: {}, missing: [] } };
  return (drawn >>> 7) % 4 === 0
    ? { unresolved: { question: `which is ${text}?`, helper: 'read', missing: ['x'] } }
    : { args: { x: text } };
}

/** Whether a request is made again behind a barrier, by its id. */
export const isAgain = (id: string): boolean => /#\d+(?:\.1)+(?:\/|$)/.test(id);

const price = { input: 1, output: 2 };
