/** A random program in a random dialect, checked and lowered as any other. */
import fc from 'fast-check';
import { checkProgram } from '../../src/dialects/index.ts';
import type { Load } from '../../src/engine/load.ts';
import type { Program } from '../../src/program/program.ts';
import { compile, statements } from '../support/random-program.ts';
import { bodies, sourceOf } from '../support/random-starlark.ts';
import type { Chance } from './chance.ts';
import { changeLines, changePlan, type MakeChange } from './changes.ts';
import { instructionOf1, instructionOf2, planOf1, planOf2 } from './plans.ts';
import { starlarkOf } from './starlark.ts';
import { changeTasks, changeTranscript, tasksOf, transcriptOf } from './tasks.ts';
import { specs } from './world.ts';

export interface Drawn {
  readonly dialect: string;
  readonly text: string;
  readonly program: Program;
  /** How a resumed run reads the text again. */
  readonly load: Load;
  /** What comes of it depends on time: only its replay has to be the same. */
  readonly timed?: boolean;
  /** Another text, with another step in place of one. */
  readonly change?: MakeChange;
  /** The same for another text. */
  again(text: string): Drawn;
}

type Draw = (chance: Chance) => Drawn;

export const kinds: Readonly<Record<string, Draw>> = {
  'stackvm-1': (chance) => plan('stackvm-1', planOf1(chance), instructionOf1),
  'stackvm-2': (chance) => plan('stackvm-2', planOf2(chance), instructionOf2),
  llmcompiler: (chance) => tasks(tasksOf(chance)),
  react: (chance) => transcript(transcriptOf(chance)),
  starlark: (chance) => lines(starlarkOf(chance)),
  torn: (chance) => lines(starlarkOf(chance, { torn: true }), true),
  nested: (chance) => lines(starlarkOf(chance, { nests: true })),
  fibers: (chance) => lines(sourceOf(sample(bodies, chance))),
  assembly(chance) {
    const body = sample(statements, chance);
    const program = compile(body);
    const text = JSON.stringify(body);
    const drawn: Drawn = {
      ...{ dialect: 'assembly', text, program, load: () => ({ program }), again: () => drawn },
    };
    return drawn;
  },
};

/** A program within an effect; `depth` is how many are around it. */
export function drawNested(chance: Chance, depth: number, reads: boolean): Drawn {
  return lines(starlarkOf(chance, { nests: depth < 1, reads, room: 4 }));
}

export function draw(chance: Chance): Drawn {
  const [first, ...others] = Object.values(kinds);
  if (!first) throw new Error('no dialect');
  return chance.pick([first, ...others])(chance);
}

type Make = Parameters<typeof changePlan>[1];

const plan = (dialect: string, text: string, make: Make): Drawn => ({
  ...checked(dialect, text),
  change: valid(dialect, changePlan(text, make)),
  again: (other) => plan(dialect, other, make),
});

const tasks = (text: string): Drawn => ({
  ...checked('llmcompiler', text),
  change: valid('llmcompiler', changeTasks(text)),
  again: tasks,
});

const transcript = (text: string): Drawn => ({
  ...checked('react', text),
  change: valid('react', changeTranscript(text)),
  again: transcript,
});

const lines = (text: string, timed = false): Drawn => ({
  ...checked('starlark', text),
  timed,
  change: valid('starlark', changeLines(text)),
  again: (other) => lines(other, timed),
});

/** Passes over changes after which the text is no program. */
const valid =
  (dialect: string, make: MakeChange): MakeChange =>
  (chance, step) => {
    const changed = make(chance, step);
    return changed && check(dialect, changed.text).program && changed;
  };

const checked = (dialect: string, text: string): Omit<Drawn, 'again'> => ({
  dialect,
  text,
  program: read(dialect, text),
  load: (other) => ({ program: read(dialect, other) }),
});

const check = (dialect: string, text: string): ReturnType<typeof checkProgram> =>
  checkProgram(text, { tools: specs, inputs: [] }, { dialect });

function read(dialect: string, text: string): Program {
  const { program, diagnostics } = check(dialect, text);
  if (program) return program;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  throw new Error(`${text}\n${errors.map(({ code, message }) => `${code} ${message}`).join('\n')}`);
}

function sample<T>(arbitrary: fc.Arbitrary<T>, chance: Chance): T {
  const [drawn] = fc.sample(arbitrary, { seed: chance.below(2 ** 31), numRuns: 1 });
  if (drawn === undefined) throw new Error('nothing was drawn');
  return drawn;
}
