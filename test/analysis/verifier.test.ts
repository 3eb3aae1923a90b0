/**
 * What the verifier refuses and what it lets pass. The programs stand in test/golden/verifier/; a
 * comment `; PV2904 text` behind an instruction is the diagnostic that belongs to it.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verify } from '../../src/analysis/verifier.ts';
import { ChunkBuilder, ProgramBuilder, seal } from '../../src/program/builder.ts';
import { codes } from '../../src/program/codes.ts';
import { instruction, opcodes } from '../../src/program/opcodes.ts';
import { type Chunk, emptyProgram, type Program } from '../../src/program/program.ts';
import { dict, list, type Struct, tuple } from '../../src/program/value.ts';
import { assemble } from '../support/assembly/assembler.ts';
import { compile, statements } from '../support/random-program.ts';
import { textOf } from '../support/repo.ts';

function assembled(text: string): Program {
  const { program, diagnostics } = assemble(text);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

/** The programs of a file by what they show. */
function corpus(name: string): [string, string][] {
  const [, ...parts] = textOf(`test/golden/verifier/${name}.pvasm`).split(/^=== /m);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return [part.slice(0, end), part.slice(end)];
  });
}

const refused = corpus('refused');
const accepted = corpus('accepted');

/** The diagnostics that the comments announce: line, code and text. */
function announced(text: string): string[] {
  return text.split('\n').flatMap((line, i) => {
    const [, code, message] = /; (PV\d{4}) (.*)$/.exec(line) ?? [];
    return code === undefined ? [] : [`${i + 1} ${code} ${message}`];
  });
}

const told = (program: Program): string[] =>
  verify(program).map(({ line, code, message }) => {
    const [, text = message] = /^.*? \d{4} [A-Z0-9]+: (.*)$/.exec(message) ?? [];
    return `${line} ${code} ${text}`;
  });

test('the corpora are there', () => {
  expect(refused.length).toBeGreaterThan(25);
  expect(accepted.length).toBeGreaterThan(7);
});

describe('the verifier refuses', () => {
  test.each(refused)('%s', (_, text) => {
    expect(told(assembled(text))).toEqual(announced(text));
  });
});

describe('the verifier lets pass', () => {
  test.each(accepted)('%s', (_, text) => {
    expect(verify(assembled(text))).toEqual([]);
  });
});

test('the verifier lets pass the random programs of the other properties', () => {
  fc.assert(
    fc.property(statements, (body) => {
      expect(verify(compile(body))).toEqual([]);
    }),
  );
});

/** A program of one chunk, changed. */
function changed(change: Partial<Chunk>): Program {
  const { hash: _, ...chunk } = new ChunkBuilder('main').constant(null).emit('RETURN').seal();
  const program = new ProgramBuilder('assembly');
  program.add(seal({ ...chunk, ...change }));
  return program.build();
}

const point: Struct = { kind: 'struct', name: 'point', fields: new Map([['x', list([])]]) };

describe('what no assembly can write', () => {
  test.each<[string, Partial<Chunk>, string]>([
    ['no code', { code: [], positions: [] }, 'PV2902 main: got no instruction, want at least one'],
    ['no positions', { positions: [] }, 'PV2902 main: got 0 positions for 2 instructions'],
    [
      'parameters of a main chunk',
      { locals: ['x'], parameters: { positional: 1, named: 0, defaults: 0 } },
      'PV2902 main: a main chunk has no parameters and captures nothing',
    ],
    [
      'parameters without locals',
      { role: 'function', parameters: { positional: 1, named: 1, defaults: 0 } },
      'PV2902 main: got 2 parameters, but 0 locals',
    ],
    [
      'more defaults than parameters',
      { parameters: { positional: 0, named: 0, defaults: 1 } },
      'PV2902 main: got 1 default values for 0 parameters',
    ],
    [
      'a cell twice',
      { locals: ['x'], cells: [0, 0] },
      'PV2902 main: a cell names no local slot, or one that is a cell already',
    ],
    [
      'a list as a constant',
      { constants: [list([])] },
      'PV2905 main: got a list as a constant, want an immutable value',
    ],
    [
      'a dict inside a constant',
      { constants: [tuple([dict()])] },
      'PV2905 main: got a tuple as a constant, want an immutable value',
    ],
    [
      'a list in a struct',
      { constants: [point] },
      'PV2905 main: got a struct as a constant, want an immutable value',
    ],
    [
      'an unknown opcode',
      { code: [instruction(opcodes.length), 40] },
      `PV2903 main 0000 : got ${opcodes.length}, which is no instruction`,
    ],
    [
      'a word that is no integer',
      { code: [2 ** 40, 40] },
      `PV2903 main 0000 NOP: got ${2 ** 40}, which is no instruction`,
    ],
    [
      'a negative operand',
      { code: [instruction(5, -1), 40] },
      'PV2904 main 0000 CONST: got constant -1, want 0',
    ],
    [
      'an operand where there is none',
      { code: [instruction(0, 3), 40] },
      'PV2904 main 0000 NOP: got operand 3, want none',
    ],
  ])('%s', (_, change, expected) => {
    const program = changed(change);
    const first = program.chunks[0];
    // The main chunk stays main where the change is about a function.
    const chunks = first?.role === 'function' ? [...changed({}).chunks, first] : program.chunks;
    const found = verify({ ...program, chunks }).map(({ code, message }) => `${code} ${message}`);
    expect(found).toContain(expected);
  });

  test('two parameters of one name', () => {
    const text = '.chunk main\n MORE\n.function f\n.param x\n.param x\n CONST 1\n RETURN';
    expect(verify(assembled(text))).toMatchObject([
      { code: 'PV2902', message: 'f: two parameters have one name' },
    ]);
  });

  test('a program without a main chunk, unless its text is still to come', () => {
    const missing = [
      { code: 'PV2902', message: 'the first chunk of a program must be a main chunk' },
    ];
    expect(verify(emptyProgram('assembly'))).toMatchObject(missing);
    expect(verify({ ...emptyProgram('assembly'), open: true })).toEqual([]);
    expect(verify(assembled('.function f\n CONST 1\n RETURN'))).toMatchObject(missing);
  });

  test('a program that is too long', () => {
    const program = assembled(`.chunk main\n${'NOP\n'.repeat(9)}MORE`);
    expect(verify(program, 10)).toEqual([]);
    expect(verify(program, 9)).toMatchObject([
      {
        code: 'PV2901',
        message: 'got 10 instructions, want at most 9',
        hint: 'make the plan shorter, or raise the limit programInstructions',
      },
    ]);
  });
});

test('a long chain of jumps is verified without exhausting the host', () => {
  const text = `.chunk main\n${'CONST 1\n JT end\n'.repeat(50_000)}end: MORE`;
  expect(verify(assembled(text))).toEqual([]);
});

test('each code has a meaning', () => {
  const used = refused.flatMap(([, text]) => [...text.matchAll(/PV\d{4}/g)].map(String));
  expect(used.filter((code) => !codes[code])).toEqual([]);
  expect(Object.values(codes).filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
});
