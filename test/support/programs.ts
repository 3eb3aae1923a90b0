/** Arbitrary programs: well-formed words with operands in range, in no order that makes sense. */
import fc from 'fast-check';
import { seal } from '../../src/program/builder.ts';
import { instruction, type Opcode, opcodes, packArguments } from '../../src/program/opcodes.ts';
import { type Chunk, type Program, packPosition, type Step } from '../../src/program/program.ts';
import { constant, text } from './values.ts';

const index = fc.nat({ max: 2 ** 20 });

interface Counts {
  readonly code: number;
  readonly constants: number;
  readonly locals: number;
  readonly captures: number;
  readonly globals: number;
  readonly steps: number;
  readonly chunks: number;
}

/** How many things an operand can name; undefined where it counts. */
function choices(row: Opcode, counts: Counts): number | undefined {
  switch (row.operand) {
    case 'none':
      return 1;
    case 'constant':
    case 'name':
      return counts.constants;
    case 'local':
    case 'cell':
      return counts.locals;
    case 'captured':
      return counts.captures;
    case 'global':
      return counts.globals;
    case 'address':
      return counts.code;
    case 'step':
      return counts.steps;
    case 'chunk':
      return counts.chunks;
    case 'count':
    case 'below':
    case 'arguments':
      return undefined;
  }
}

function word(row: Opcode, pick: number, counts: Counts): number {
  if (row.operand === 'arguments') {
    return instruction(row.code, packArguments(pick % 256, (pick >> 8) % 64));
  }
  const among = choices(row, counts);
  if (among === 0) return instruction(0);
  return instruction(row.code, among === undefined ? pick % 1000 : pick % among);
}

const step: fc.Arbitrary<Step> = fc.record(
  { label: text, kind: text, line: fc.nat(), column: fc.nat(), objective: text, source: text },
  { requiredKeys: ['label', 'kind', 'line', 'column'], noNullPrototype: true },
);

interface Parts {
  readonly globals: readonly string[];
  readonly steps: readonly Step[];
  readonly chunks: number;
}

const chunk = ({ globals, steps, chunks }: Parts): fc.Arbitrary<Chunk> =>
  fc
    .record({
      name: text,
      role: fc.constantFrom<Chunk['role']>('main', 'function'),
      words: fc.array(fc.tuple(fc.constantFrom(...opcodes), index), { maxLength: 25 }),
      constants: fc.array(constant, { maxLength: 6 }),
      places: fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 ** 20 - 1 })), { minLength: 25 }),
      locals: fc.array(text, { maxLength: 5 }),
      shape: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)),
      cells: fc.array(index, { maxLength: 3 }),
      captures: fc.array(
        fc.record(
          { from: fc.constantFrom('local' as const, 'captured' as const), index },
          { noNullPrototype: true },
        ),
        { maxLength: 3 },
      ),
      handlers: fc.array(fc.tuple(index, index, index, fc.nat(9)), { maxLength: 2 }),
    })
    .map(({ words, places, shape, handlers, cells, ...made }) => {
      const counts = {
        code: words.length,
        constants: made.constants.length,
        locals: made.locals.length,
        captures: made.captures.length,
        globals: globals.length,
        steps: steps.length,
        chunks,
      };
      const positional = Math.min(shape[0], made.locals.length);
      const named = Math.min(shape[1], made.locals.length - positional);
      const ends = words.length + 1;
      return seal({
        ...made,
        code: words.map(([row, pick]) => word(row, pick, counts)),
        positions: words.map((_, i) => packPosition(...(places[i] ?? [0, 0]))),
        parameters: { positional, named, defaults: Math.min(shape[2], positional + named) },
        cells: made.locals.length === 0 ? [] : cells.map((cell) => cell % made.locals.length),
        handlers: handlers.map(([start, end, target, depth]) => ({
          start: start % ends,
          end: end % ends,
          target: target % ends,
          depth,
        })),
      });
    });

/** Programs for what reads and writes programs; a machine could run few of them. */
export const anyProgram: fc.Arbitrary<Program> = fc
  .record({
    globals: fc.uniqueArray(text, { maxLength: 4 }),
    steps: fc.array(step, { maxLength: 3 }),
    chunks: fc.integer({ min: 1, max: 3 }),
  })
  .chain((parts) =>
    fc.record(
      {
        dialect: text,
        chunks: fc.array(chunk(parts), { minLength: parts.chunks, maxLength: parts.chunks }),
        globals: fc.constant(parts.globals),
        steps: fc.constant(parts.steps),
        open: fc.boolean(),
      },
      { noNullPrototype: true },
    ),
  );
