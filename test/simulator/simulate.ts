/**
 * One seed: a random program, run through accidents by as many processes as it takes, and held
 * against what the program is to come to. Nothing here depends on anything but the seed.
 */
import { forkRun } from '../../src/engine/fork/fork.ts';
import { breaksIn } from '../../src/engine/journal/history.ts';
import type { Journal, RunEvent } from '../../src/engine/journal/journal.ts';
import { leaseMs } from '../../src/engine/journal/journal.ts';
import { openJournal } from '../../src/engine/journal/open-journal.ts';
import { openWaits } from '../../src/engine/open-waits.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { cancelRun, type RunHandle, resumeRun, startRun } from '../../src/engine/run.ts';
import { verifyRun } from '../../src/engine/views/verify.ts';
import { raceTool } from '../../src/program/effect.ts';
import { decode, encode, stringify } from '../../src/program/json.ts';
import type { Limits } from '../../src/program/limits.ts';
import { type Accident, drawAccidents } from './accidents.ts';
import { Chance } from './chance.ts';
import { SimulatedClock } from './clock.ts';
import { type Expected, expectedOf } from './oracle.ts';
import { type Drawn, draw, kinds } from './programs.ts';
import { type Ledger, recording } from './recording.ts';
import { type Life, World } from './world.ts';

export interface Options {
  /** Path of a SQLite journal that is this simulation's alone; in memory where absent. */
  readonly file?: string;
  /** In place of those that the seed draws. */
  readonly accidents?: readonly Accident[];
  readonly kind?: string;
}

export interface Report {
  readonly seed: number;
  readonly drawn: Drawn;
  readonly accidents: readonly Accident[];
  /** Processes that have had the run. */
  readonly lives: number;
  readonly events: number;
  readonly status: string;
  readonly races: number;
  /** What is not as it must be; empty where all is well. */
  readonly wrongs: readonly string[];
}

export async function simulate(seed: number, options: Options = {}): Promise<Report> {
  const simulation = new Simulation(seed, options);
  try {
    return await simulation.run();
  } catch (cause) {
    throw new Error(`seed ${seed}: ${String(cause)}`, { cause });
  } finally {
    simulation.close();
  }
}

/** Turns of the loop that even the longest simulation does not take. */
const turnsMax = 200_000;
const livesMax = 60;

class Simulation {
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #clock = new SimulatedClock();
  readonly #drawn: Drawn;
  readonly #accidents: readonly Accident[];
  readonly #world: World;
  readonly #journal: Journal;
  readonly #ledger: Ledger;
  readonly #limits: Partial<Limits>;
  readonly #checkpointEvery: number | undefined;
  readonly #lives: Life[] = [];
  readonly #wrongs: string[] = [];
  /** The process that has the run now. */
  #current: { life: Life; handle: RunHandle } | undefined;
  /** The run was taken by another process while one still had it. */
  #stolen = false;
  #id = '';
  /** The history when a process last ended. */
  #before: readonly string[] = [];
  #effectsMax: number;

  constructor(seed: number, { file = ':memory:', accidents, kind }: Options) {
    this.#seed = seed;
    const programs = new Chance(seed, 'program');
    this.#drawn = (kind === undefined ? draw : (kinds[kind] ?? draw))(programs);
    this.#chance = new Chance(seed, 'schedule');
    this.#accidents = accidents ?? drawAccidents(new Chance(seed, 'accidents'));
    const settings = new Chance(seed, 'settings');
    this.#effectsMax = settings.flag(0.15) ? settings.between(1, 6) : 10_000;
    this.#limits = {
      windowEntries: settings.pick([1024, 1024, 8, 3]),
      concurrency: settings.pick([64, 64, 3, 1]),
      stepVisits: 40,
    };
    this.#checkpointEvery = settings.pick([undefined, undefined, 1, 4]);
    const parts = { seed, chance: this.#chance, clock: this.#clock };
    this.#world = new World({ ...parts, fresh: settings.flag(0.5) });
    this.#journal = openJournal(file, {
      now: this.#clock.now,
      isGone: (owner) => this.#lives.some((life) => life.owner === owner && life.dead),
    });
    this.#ledger = {
      ...{ appends: 0, acknowledged: new Map(), epochs: [] },
      around: (moment, append, life) => this.#accident(moment, append, life),
    };
  }

  close(): void {
    this.#journal.close();
  }

  async run(): Promise<Report> {
    for (;;) {
      await this.#live();
      this.#examine();
      // A process may die when the end is written, and before it can say so.
      const result = this.#recorded();
      if (result && (result.status === 'done' || result.status === 'failed')) {
        this.#judge(result);
        if (result.status === 'done') await this.#fork(result);
        break;
      }
      if (this.#lives.length > livesMax) {
        this.#wrongs.push(
          `no end after ${livesMax} processes: ${stringify(result?.error ?? null)}`,
        );
        break;
      }
    }
    this.#wrongs.push(...this.#world.wrongs);
    const events = this.#journal.events(this.#id);
    return {
      ...{ seed: this.#seed, drawn: this.#drawn, accidents: this.#accidents },
      ...{ lives: this.#lives.length, events: events.length },
      status: this.#journal.find(this.#id)?.status ?? 'none',
      races: racesIn(events),
      wrongs: this.#wrongs,
    };
  }

  /** The result that the journal ends with. */
  #recorded(): RunResult | undefined {
    const last = this.#journal.events(this.#id).at(-1);
    return last && 'result' in last ? JSON.parse(last.result) : undefined;
  }

  /** One process, from taking the run up to its end or death. */
  async #live(): Promise<void> {
    const life: Life = { owner: `process ${this.#lives.length + 1}`, dead: false };
    if (this.#lives.length > 0) await this.#reply();
    // Days later.
    if (this.#recorded()?.status === 'waiting') this.#clock.jump(86_400_000);
    this.#lives.push(life);
    const handle = this.#takeUp(life);
    this.#current = { life, handle };
    let isOver = false;
    handle.result.then(
      (ended) => {
        isOver = true;
        if (stringify(ended) !== stringify(this.#recorded())) this.#wrongs.push('another result');
      },
      (error: unknown) => {
        isOver = true;
        const name = error instanceof Error ? error.name : '';
        if (name !== 'Died' && name !== 'LeaseLost') this.#wrongs.push(`stopped: ${String(error)}`);
      },
    );
    for (let turns = 0; !isOver && !life.dead && !this.#stolen; turns++) {
      if (turns > turnsMax) throw new Error(`seed ${this.#seed}: the run does not end`);
      await this.#turn();
      if (this.#chance.flag(0.02)) await this.#reply();
    }
  }

  /** Somebody answers and decides, from another process and not always at once. */
  async #reply(): Promise<void> {
    const { owner } = this.#lives[0] ?? { owner: '' };
    const handlers = this.#world.handlers({ owner, dead: false });
    for (const { wait } of await openWaits(this.#journal, this.#id, handlers)) {
      if (wait.kind === 'pause' || this.#chance.flag(0.2)) continue;
      const { effect } = wait;
      const [journal, run] = [this.#journal, this.#id];
      const said = this.#chance.below(100);
      if (wait.kind === 'question') {
        journal.post(run, { kind: 'answer', effect, value: `"so ${said}"`, by: 'somebody' });
      } else {
        const kind = said < 25 ? 'deny' : 'approve';
        journal.post(run, { kind, effect, by: 'somebody' });
      }
    }
  }

  async #turn(): Promise<void> {
    for (let i = this.#chance.between(1, 3); i > 0; i--) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#clock.fireNext();
  }

  #takeUp(life: Life): RunHandle {
    const journal = recording(this.#journal, this.#ledger, life);
    const common = {
      ...{ journal, handlers: this.#world.handlers(life), clock: this.#clock },
      ...{ owner: life.owner, random: this.#chance.next },
      checkpointEvery: this.#checkpointEvery,
    };
    const { program, text, dialect, load } = this.#drawn;
    if (this.#lives.length === 1) {
      const limits = { ...this.#limits, effects: this.#effectsMax };
      const handle = startRun({ ...common, program, text, dialect, limits, id: 'r1' });
      this.#id = handle.id;
      return handle;
    }
    this.#effectsMax += 4;
    // Whoever still has it has slept: its lease is over.
    if (this.#stolen) this.#clock.jump(leaseMs + 8 * 3_600_000);
    this.#stolen = false;
    const assume = this.#world.decisions(this.#journal, this.#id);
    const limits = { effects: this.#effectsMax };
    return resumeRun({ ...common, run: this.#id, load, assume, limits });
  }

  #accident(moment: 'before' | 'after', append: number, life: Life): 'die' | undefined {
    for (const accident of this.#accidents) {
      if (accident.append !== append) continue;
      if (accident.kind === 'die-before' || accident.kind === 'die-after') {
        if (accident.kind === `die-${moment}`) return 'die';
      } else if (moment === 'after' && this.#current?.life === life) {
        this.#happen(accident);
      }
    }
    return undefined;
  }

  #happen({ kind }: Accident): void {
    const { handle } = this.#current ?? {};
    if (kind === 'steal') this.#stolen = true;
    else if (kind === 'interrupt') handle?.cancel('interrupted');
    else if (kind === 'cancel') handle?.cancel('cancelled');
    else if (kind === 'ask') queueMicrotask(() => this.#ask());
    else if (kind === 'forward') this.#clock.jump(3_600_000);
    else if (kind === 'back') this.#clock.jump(-3_600_000);
  }

  /** Somebody cancels the run from outside, if it is still going on by then. */
  #ask(): void {
    const summary = this.#journal.find(this.#id);
    if (summary?.status === 'running' && summary.owned) cancelRun(this.#journal, this.#id);
  }

  /** What must hold whenever a process has ended. */
  #examine(): void {
    const events = this.#journal.events(this.#id);
    const texts = events.map((event) => JSON.stringify(event));
    for (const { message } of breaksIn(events)) this.#wrongs.push(message);
    if (this.#before.some((text, i) => texts[i] !== text)) {
      this.#wrongs.push('what was in the journal has changed');
    }
    for (const [seq, text] of this.#ledger.acknowledged) {
      if (texts[seq - 1] !== text) this.#wrongs.push(`event ${seq} was acknowledged and is gone`);
    }
    const { epochs } = this.#ledger;
    if (epochs.some((epoch, i) => i > 0 && epoch <= (epochs[i - 1] ?? 0))) {
      this.#wrongs.push(`epochs do not grow: ${epochs.join(' ')}`);
    }
    this.#before = texts;
  }

  /**
   * A fork that changes nothing, from any of the steps on: it comes to what its base has come to,
   * does nothing again that has changed the world, and replays.
   */
  async #fork(base: RunResult): Promise<void> {
    const chance = new Chance(this.#seed, 'fork');
    const effects = performedIn(this.#journal.events(this.#id));
    const at = effects[chance.below(effects.length)];
    if (at === undefined || chance.flag(0.5)) return;
    const before = [...this.#world.written];
    const life: Life = { owner: 'process of the fork', dead: false };
    const { load, timed } = this.#drawn;
    const handle = forkRun({
      ...{ journal: this.#journal, handlers: this.#world.handlers(life), clock: this.#clock },
      ...{ owner: life.owner, random: this.#chance.next, run: this.#id, load, id: 'f1' },
      edit: { at, by: 'person' },
      limits: { effects: 10_000 },
    });
    let ended: RunResult | undefined;
    handle.result.then(
      (result) => {
        ended = result;
      },
      (error: unknown) => this.#wrongs.push(`the fork stopped: ${String(error)}`),
    );
    for (let turns = 0; !ended && this.#wrongs.length === 0; turns++) {
      if (turns > turnsMax) throw new Error('the fork does not end');
      await this.#turn();
    }
    if (!ended) return;
    const { differences } = verifyRun({ journal: this.#journal, run: 'f1', load });
    for (const one of differences) this.#wrongs.push(`fork: ${JSON.stringify(one)}`);
    // What has failed or was given up takes what an equal request has come to, or is done again.
    const again = (event: RunEvent): boolean =>
      event.type === 'effect.cancelled' ||
      (event.type === 'effect.settled' && (!event.outcome.ok || event.tool === raceTool));
    if (timed || this.#journal.events(this.#id).some(again)) return;
    const part = ({ status, answers, variables }: RunResult): string =>
      stringify({ status, answers, variables });
    if (part(ended) !== part(base)) {
      this.#wrongs.push(`a fork at ${at} came to ${part(ended)}, its base to ${part(base)}`);
    }
    if (stringify(this.#world.written) !== stringify(before)) {
      this.#wrongs.push(
        `a fork at ${at} wrote ${stringify(this.#world.written.slice(before.length))}`,
      );
    }
  }

  /** What must hold at the end. */
  #judge(result: RunResult): void {
    const events = this.#journal.events(this.#id);
    const { program, load } = this.#drawn;
    if (!this.#drawn.timed) {
      const expected = expectedOf(program, this.#world, outcomesIn(events), this.#limits);
      for (const [what, want, got] of comparisons(expected, result, events, this.#world)) {
        if (stringify(want) === stringify(got)) continue;
        this.#wrongs.push(`${what}: got ${stringify(got)}, want ${stringify(want)}`);
      }
    }
    const replayed = verifyRun({ journal: this.#journal, run: this.#id, load });
    for (const one of replayed.differences) this.#wrongs.push(`replay: ${JSON.stringify(one)}`);
  }
}

/** The effects that a run has performed, in the order in which they began. */
const performedIn = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'effect.started' ? [event.effect] : []));

function outcomesIn(events: readonly RunEvent[]): Map<string, Settled['outcome']> {
  return new Map(settledIn(events).map(({ effect, outcome }) => [effect, outcome]));
}

const racesIn = (events: readonly RunEvent[]): number =>
  settledIn(events).filter(({ tool }) => tool === raceTool).length;

type Settled = Extract<RunEvent, { type: 'effect.settled' }>;

const settledIn = (events: readonly RunEvent[]): Settled[] =>
  events.filter((event) => event.type === 'effect.settled');

type Comparison = [what: string, want: unknown, got: unknown];

function comparisons(
  expected: Expected,
  result: RunResult,
  events: readonly RunEvent[],
  world: World,
): Comparison[] {
  const { error, status, variables } = result;
  const said = events.flatMap((event) =>
    event.type === 'message.emitted'
      ? [`${event.channel} ${encode(decode(event.value))} ${event.step}`]
      : [],
  );
  const hashes = new Map(
    events.flatMap((event) =>
      event.type === 'effect.started' || event.type === 'effect.settled'
        ? [[event.effect, event.hash]]
        : [],
    ),
  );
  // Who loses a race may not have been asked before it was decided.
  const asked = [...expected.requests].filter(
    ([id, { tool }]) => hashes.has(id) || tool !== 'steady' || racesIn(events) === 0,
  );
  const shown = Object.entries(variables).map(([name, value]) => [name, stringify(value)]);
  return [
    ['status', expected.status, status],
    [
      'error',
      expected.error,
      error ? `${error.code} ${error.message} at ${error.step}:${error.line}` : '',
    ],
    ['writes', expected.written, world.written],
    ['messages', expected.said, said],
    ['variables', expected.variables, status === 'done' ? Object.fromEntries(shown) : {}],
    [
      'requests',
      asked.map(([id, { hash }]) => `${id} ${hash}`),
      asked.map(([id]) => `${id} ${hashes.get(id) ?? 'never asked'}`),
    ],
  ];
}
