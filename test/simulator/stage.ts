/** What all runs of a simulation share: time, chance, the world, the journal, what went wrong. */
import type { Journal } from '../../src/engine/journal/journal.ts';
import { openJournal } from '../../src/engine/journal/open-journal.ts';
import type { ApprovalPolicy } from '../../src/engine/perform/approvals.ts';
import type { Limits } from '../../src/program/limits.ts';
import type { Outage } from './accidents.ts';
import { Chance } from './chance.ts';
import { SimulatedClock } from './clock.ts';
import { drawNested } from './programs.ts';
import { type Life, World } from './world.ts';

/** Turns of the loop that even the longest simulation does not take. */
const turnsMax = 200_000;

export interface Settings {
  readonly limits: Partial<Limits>;
  /** Budgets of the first process; each later one has so much more. */
  readonly budgets: Partial<Limits>;
  readonly checkpointEvery: number | undefined;
  readonly policy: ApprovalPolicy;
}

export class Stage {
  readonly seed: number;
  readonly clock = new SimulatedClock();
  readonly chance: Chance;
  readonly world: World;
  readonly settings: Settings;
  /** What is not as it must be. */
  readonly wrongs: string[] = [];
  readonly #lives: Life[] = [];
  readonly #open: () => Journal;
  readonly #journals: Journal[] = [];

  constructor(seed: number, file: string | undefined, outages: readonly Outage[]) {
    this.seed = seed;
    this.chance = new Chance(seed, 'schedule');
    const settings = new Chance(seed, 'settings');
    const policy = new Chance(seed, 'policy').pick(['destructive', 'untrusted'] as const);
    this.settings = { ...drawSettings(settings), policy };
    const { breakerFailures = 10, breakerMs = 2_000 } = this.settings.limits;
    this.world = new World({
      ...{ seed, chance: this.chance, clock: this.clock, fresh: settings.flag(0.5), outages },
      breaking: { breakerFailures, breakerMs },
      nested: (key, depth, reads) => drawNested(new Chance(seed, `within ${key}`), depth, reads),
    });
    const options = {
      now: this.clock.now,
      isGone: (owner: string) => this.#lives.some((life) => life.owner === owner && life.dead),
    };
    this.#open = () => openJournal(file ?? ':memory:', options);
    this.#isShared = file === undefined;
  }

  readonly #isShared: boolean;

  /** The journal as one more process opens it: on disk, by a connection of its own. */
  journal(): Journal {
    const [first] = this.#journals;
    if (first && this.#isShared) return first;
    const opened = this.#open();
    this.#journals.push(opened);
    return opened;
  }

  close(): void {
    for (const journal of this.#journals) journal.close();
  }

  born(): Life {
    const life: Life = { owner: `process ${this.#lives.length + 1}`, dead: false };
    this.#lives.push(life);
    return life;
  }

  /** Lets time pass until something has come about. */
  async until(isOver: () => boolean, each: () => Promise<void> | void = () => {}): Promise<void> {
    for (let turns = 0; !isOver(); turns++) {
      if (turns > turnsMax) throw new Error(`seed ${this.seed}: the run does not end`);
      for (let i = this.chance.between(1, 3); i > 0; i--) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      this.clock.fireNext();
      await each();
    }
  }
}

function drawSettings(chance: Chance): Omit<Settings, 'policy'> {
  const budget = <Name extends keyof Limits>(name: Name, least: number, most: number) =>
    chance.flag(0.1) ? { [name]: chance.between(least, most) } : {};
  return {
    limits: {
      windowEntries: chance.pick([1024, 1024, 8, 3]),
      concurrency: chance.pick([64, 64, 3, 1]),
      stepVisits: 40,
      breakerFailures: chance.pick([10, 3, 2, 1]),
      breakerMs: chance.pick([2_000, 100, 30_000]),
    },
    budgets: {
      ...budget('effects', 1, 6),
      ...budget('tokens', 1, 200),
      ...budget('cost', 0, 0.001),
      ...budget('instructions', 1, 200),
      ...budget('wallMs', 1, 2_000),
    },
    checkpointEvery: chance.pick([undefined, undefined, 1, 4]),
  };
}
