/**
 * One seed: a random program, run through accidents by as many processes as it takes, forked with
 * random edits, and held against what the program is to come to. Nothing here depends on anything
 * but the seed.
 */

import type { RunResult } from '../../src/engine/result.ts';
import { startRun } from '../../src/engine/run.ts';
import { type Accident, drawAccidents, drawOutages } from './accidents.ts';
import { Chance } from './chance.ts';
import { type Ended, forkOf } from './forks.ts';
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
  let forks = 0;
  try {
    result = await trial.run();
    if (result) {
      const expected = judge(stage, trial, result, drawn);
      forks = await forkOn(stage, { trial, result, expected, drawn });
    }
    const events = trial.events();
    return {
      ...{ seed, drawn, accidents, forks },
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

/** Forks of the run, of its forks, or none; gives how many. */
async function forkOn(stage: Stage, base: Ended): Promise<number> {
  const chance = new Chance(stage.seed, 'forks');
  const ended = [base];
  let made = 0;
  while (made < forksMax && stage.wrongs.length === 0 && chance.flag(0.4)) {
    const fork = await forkOf(stage, ended[chance.below(ended.length)] ?? base, ++made);
    if (fork) ended.push(fork);
  }
  return made;
}
