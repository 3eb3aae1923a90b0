/**
 * One seed: a random program, run through accidents by as many processes as it takes, forked with
 * random edits, and held against what the program is to come to. Nothing here depends on anything
 * but the seed.
 */

import type { RunResult } from '../../src/engine/result.ts';
import { startRun } from '../../src/engine/run.ts';
import { type Accident, drawAccidents, drawOutages } from './accidents.ts';
import { Chance } from './chance.ts';
import { type Base, forkOf } from './forks.ts';
import { judge } from './judge.ts';
import { type Drawn, draw, kinds } from './programs.ts';
import { readHistory } from './recorded.ts';
import { Stage } from './stage.ts';
import { Trial } from './trial.ts';

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
  readonly forks: number;
  /** Circuits that were opened, tried, closed again. */
  readonly circuits: { readonly opened: number; readonly tried: number; readonly closed: number };
  /** What is not as it must be; empty where all is well. */
  readonly wrongs: readonly string[];
}

const forksMax = 3;

export async function simulate(seed: number, options: Options = {}): Promise<Report> {
  const { file, kind, accidents = drawAccidents(new Chance(seed, 'accidents')) } = options;
  const make = (kind === undefined ? undefined : kinds[kind]) ?? draw;
  const drawn = make(new Chance(seed, 'program'));
  const stage = new Stage(seed, file, drawOutages(new Chance(seed, 'outages')));
  const trial = baseOf(stage, drawn, accidents);
  const { wrongs, world } = stage;
  let result: RunResult | undefined;
  const family = new Family(stage);
  try {
    const early = async (): Promise<void> => {
      await family.forkEarly({ trial, expected: undefined, drawn });
    };
    result = await trial.run(early);
    if (result) {
      const expected = judge(stage, trial, result, drawn);
      await family.fork({ trial, expected, drawn });
    }
    const events = trial.events();
    return {
      ...{ seed, drawn, accidents, forks: family.size },
      ...{ lives: trial.lives, events: events.length, races: readHistory(events).races },
      status: result?.status ?? 'none',
      circuits: world.circuits.counts,
      wrongs: [...wrongs, ...world.wrongs, ...world.circuits.wrongs],
    };
  } catch (cause) {
    throw new Error(`seed ${seed}: ${wrongs.join('; ')} ${String(cause)}`, { cause });
  } finally {
    stage.close();
  }
}

function baseOf(stage: Stage, drawn: Drawn, accidents: readonly Accident[]): Trial {
  const { program, text, dialect, load } = drawn;
  return new Trial(stage, {
    ...{ id: 'r1', load, accidents },
    begin: (common) => startRun({ ...common, program, text, dialect }),
  });
}

/** The forks of a run. */
class Family {
  readonly #stage: Stage;
  readonly #chance: Chance;
  size = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#chance = new Chance(stage.seed, 'forks');
  }

  /** While it has not ended, at times. */
  async forkEarly(base: Base): Promise<void> {
    const hasBegun = base.trial.events().length > 0;
    if (hasBegun && this.size < 2 && this.#chance.flag(0.1)) {
      await forkOf(this.#stage, base, ++this.size);
    }
  }

  /** Of the run, of its forks, or none. */
  async fork(base: Base): Promise<void> {
    const bases = [base];
    const most = this.size + forksMax;
    while (this.size < most && this.#stage.wrongs.length === 0 && this.#chance.flag(0.4)) {
      const one = bases[this.#chance.below(bases.length)] ?? base;
      const fork = await forkOf(this.#stage, one, ++this.size);
      if (fork) bases.push(fork);
    }
  }
}
