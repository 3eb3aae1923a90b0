/** A random program in a random dialect, checked and lowered as any other. */
import fc from 'fast-check';
import { checkProgram } from '../../src/dialects/index.ts';
import type { Load } from '../../src/engine/load.ts';
import type { Program } from '../../src/program/program.ts';
import { compile, statements } from '../support/random-program.ts';
import { bodies, sourceOf } from '../support/random-starlark.ts';
import type { Chance } from './chance.ts';
import { planOf1, planOf2 } from './plans.ts';
import { starlarkOf } from './starlark.ts';
import { specs } from './world.ts';

export interface Drawn {
  readonly dialect: string;
  readonly text: string;
  readonly program: Program;
  /** How a resumed run reads the text again. */
  readonly load: Load;
  /** What comes of it depends on time: only its replay has to be the same. */
  readonly timed?: boolean;
}

type Draw = (chance: Chance) => Drawn;

export const kinds: Readonly<Record<string, Draw>> = {
  'stackvm-1': (chance) => checked('stackvm-1', planOf1(chance)),
  'stackvm-2': (chance) => checked('stackvm-2', planOf2(chance)),
  starlark: (chance) => checked('starlark', starlarkOf(chance)),
  torn: (chance) => ({ ...checked('starlark', starlarkOf(chance, true)), timed: true }),
  fibers: (chance) => checked('starlark', sourceOf(sample(bodies, chance))),
  assembly(chance) {
    const body = sample(statements, chance);
    const program = compile(body);
    const text = JSON.stringify(body);
    return { dialect: 'assembly', text, program, load: () => ({ program }) };
  },
};

export function draw(chance: Chance): Drawn {
  const [first, ...others] = Object.values(kinds);
  if (!first) throw new Error('no dialect');
  return chance.pick([first, ...others])(chance);
}

function checked(dialect: string, text: string): Drawn {
  return {
    dialect,
    text,
    program: read(dialect, text),
    load: (again) => ({ program: read(dialect, again) }),
  };
}

function read(dialect: string, text: string): Program {
  const { program, diagnostics } = checkProgram(text, { tools: specs, inputs: [] }, { dialect });
  if (program) return program;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  throw new Error(`${text}\n${errors.map(({ code, message }) => `${code} ${message}`).join('\n')}`);
}

function sample<T>(arbitrary: fc.Arbitrary<T>, chance: Chance): T {
  const [drawn] = fc.sample(arbitrary, { seed: chance.below(2 ** 31), numRuns: 1 });
  if (drawn === undefined) throw new Error('nothing was drawn');
  return drawn;
}
