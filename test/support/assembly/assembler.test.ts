/** Assembly is read as it was written, and what is wrong in it is told with its place. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disassemble } from '../../../src/analysis/disassembler.ts';
import { ChunkBuilder, ProgramBuilder } from '../../../src/program/builder.ts';
import type { Program } from '../../../src/program/program.ts';
import { float, int, tuple } from '../../../src/program/value.ts';
import { anyProgram } from '../../support/programs.ts';
import { assemble } from './assembler.ts';

function assembled(text: string): Program {
  const { program, diagnostics } = assemble(text);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

/** The text with each instruction's place left out. */
const bare = (text: string): string => text.replaceAll(/ +; \d+:\d+$/gm, '');

describe('a listing', () => {
  test('is read back as the same program, and written again as the same text', () => {
    fc.assert(
      fc.property(anyProgram, (program) => {
        const text = disassemble(program);
        const again = assembled(text);
        expect(again).toStrictEqual(program);
        expect(disassemble(again)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test('shows what its numbers stand for', () => {
    const program = new ProgramBuilder('stackvm-2');
    program.step({
      label: '3',
      kind: 'calling',
      objective: 'Find the\ncapital',
      line: 4,
      column: 3,
    });
    const chunk = new ChunkBuilder('main').at(4, 3).emit('STEP', 0).at(5, 9);
    const end = chunk.label();
    chunk.emit('GLOBAL', program.global('question')).jump('JF', end);
    chunk.tool('search').constant('x'.repeat(80)).call(1).emit('SETGLOBAL', program.global('a b'));
    chunk.place(end).constant(null).emit('RETURN');
    program.add(chunk.seal());
    const text = disassemble(program.build()).replace(/; [0-9a-f]{12}$/m, '; HASH');
    expect(text.replaceAll(/ +;/g, ' ;')).toBe(`.dialect stackvm-2
.global question ; 0
.global "a b" ; 1
.step 3 calling 4:3 objective "Find the\\ncapital" ; 0

.chunk main ; HASH
.constant 1 "${'x'.repeat(80)}"
 ; step 3, calling: Find the capital
  0000  STEP 0 (3) ; 4:3
  0001  GLOBAL 0 (question) ; 5:9
  0002  JF L1 ; 5:9
  0003  CONST tool:search ; 5:9
  0004  CONST #1 ("${'x'.repeat(39)}…") ; 5:9
  0005  CALL 1 ; 5:9
  0006  SETGLOBAL 1 ("a b") ; 5:9
L1:
  0007  CONST null ; 5:9
  0008  RETURN ; 5:9
`);
  });
});

describe('what a person writes', () => {
  test('may use names everywhere', () => {
    const written = `
.step 1 assign
.chunk main
.local n
.cell n
start:
  STEP "1"
  SETCELL n   ; a comment
  FUNC add
  JMP start
.function add
.param a
.named b default
.capture n
  LOCAL a
  CAPTURED n
  SETGLOBAL total
  GLOBAL total
  CALL 1 named 2
`;
    const listed = `.dialect assembly
.global total ; 0
.step 1 assign 2:1 ; 0

.chunk main ; HASH
.local n ; 0
.cell 0 (n)
L1:
 ; step 1, assign
  0000  STEP 0 (1)
  0001  SETCELL 0 (n)
  0002  FUNC 1 (add)
  0003  JMP L1

.function add ; HASH
.param a ; 0
.named b default ; 1
.capture local 0 (n)
  0000  LOCAL 0 (a)
  0001  CAPTURED 0
  0002  SETGLOBAL 0 (total)
  0003  GLOBAL 0 (total)
  0004  CALL 1 named 2
`;
    const text = disassemble(assembled(written)).replaceAll(/; [0-9a-f]{12}$/gm, '; HASH');
    expect(bare(text).replaceAll(/ +;/g, ' ;')).toBe(listed);
  });

  test('has its place in the assembly, unless a comment says another', () => {
    const [chunk] = assembled('.chunk main\n  NOP\n NOP ; 7:9\n NOP ; not 7:9\n').chunks;
    const [again] = assembled('.chunk main\n  NOP ; 2:3\n NOP ; 7:9\n NOP ; 4:2\n').chunks;
    expect(chunk?.positions).toEqual(again?.positions);
  });

  test('captures through a function that captures', () => {
    const { chunks } = assembled(`
.chunk main
.local x
.cell x
  FUNC outer
.function outer
.capture x
  FUNC inner
.function inner
.capture x
  CAPTURED x`);
    expect(chunks[2]?.captures).toEqual([{ from: 'captured', index: 0 }]);
  });

  test.each([
    ['"a"', 'a'],
    ['1', 1],
    ['-0', 0],
    ['18446744073709551616', int(2n ** 64n)],
    ['1.0', float(1)],
    ['1e2', float(100)],
    ['-0.0', float(-0)],
    ['{"$float":"NaN"}', float(NaN)],
    ['{"$tuple":[3.0,18446744073709551616,"a)"]}', tuple([float(3), int(2n ** 64n), 'a)'])],
    ['true', true],
    ['null', null],
    ['tool:retrieve_chunks', { kind: 'tool', name: 'retrieve_chunks' }],
    ['tool:"two words"', { kind: 'tool', name: 'two words' }],
    ['builtin:json.decode', { kind: 'builtin', name: 'json.decode' }],
  ])('writes the constant %s', (written, value) => {
    const { chunks } = assembled(`.chunk main\nCONST ${written} ; a comment "with (brackets\n`);
    expect(chunks[0]?.constants).toStrictEqual([value]);
  });
});

describe('a mistake', () => {
  test.each([
    ['.chunck main', 'PV1902 1:1 there is no directive .chunck (did you mean .chunk?)'],
    ['.chunk main\n CONTS 1', 'PV1902 2:2 there is no opcode CONTS (did you mean CONST?)'],
    ['.chunk main\n const 1', 'PV1902 2:2 there is no opcode const (did you mean CONST?)'],
    ['.chunk main\n "CONST" 1', 'PV1901 2:2 got "CONST", want a directive, a label or an opcode'],
    ['.chunk main\nloop:\n JMP lop', 'PV1904 3:6 there is no label lop (did you mean loop?)'],
    [
      '.chunk main\n.local count\n LOCAL cuont',
      'PV1904 3:8 there is no local variable cuont (did you mean count?)',
    ],
    ['.chunk main\n FUNC f', 'PV1904 2:7 there is no function f'],
    ['.chunk main\n STEP "4"', 'PV1904 2:7 there is no step "4"'],
    ['.chunk main\n CAPTURED x', 'PV1904 2:11 there is no captured variable x'],
    ['.chunk main\n CONST #2', 'PV1904 2:8 there is no constant #2 (declare it: .constant)'],
    ['.chunk main\n.constant 1 2\n', 'PV1904 1:1 main: nothing declares the constant #0'],
    ['.chunk main\n CONST', 'PV1903 2:2 CONST: got nothing, want a constant'],
    ['.chunk main\n POP 1', 'PV1903 2:6 POP: got 1, want the line to end'],
    ['.chunk main\n LOCAL 1 2', 'PV1903 2:10 LOCAL: got 2, want the line to end'],
    ['.chunk main\n LIST x', 'PV1903 2:7 got x, want a count, a number from 0 to 8388607'],
    [
      '.chunk main\n CALL 256',
      'PV1903 2:7 got 256, want a count of arguments, a number from 0 to 255',
    ],
    ['.chunk main\n CALL 1 nmaed 2', 'PV1903 2:9 got nmaed, want `named` and a count, or nothing'],
    ['.chunk main\n GLOBAL []', 'PV1903 2:9 got [], want a global variable'],
    ['.chunk main\n.handler a b c', 'PV1903 2:1 want .handler START END TARGET DEPTH'],
    ['.chunk main\n.constant 0', 'PV1903 2:1 want .constant SLOT VALUE'],
    ['.chunk', 'PV1903 1:1 .chunk: got nothing, want a name'],
    [
      '.step 1 assign because',
      'PV1903 1:16 got because, want one of objective, reasoning, source, file and a text',
    ],
    ['.chunk main\na:\na:', 'PV1905 3:1 the label a is already placed in main'],
    ['.global a\n.global a', 'PV1905 2:9 the global a is already declared'],
    [
      '.chunk main\n.local x\n.local x\n LOCAL x',
      'PV1905 4:8 two local variables are called x (write its number: 0)',
    ],
    ['.chunk main\n.constant 0 1\n.constant 0 2', 'PV1905 3:11 two constants have the slot 0'],
    ['NOP', 'PV1907 1:1 got NOP before any .chunk or .function'],
    ['.local x', 'PV1907 1:1 got .local before any .chunk or .function'],
    [
      '.function f\n.local a\n.param b',
      'PV1907 3:1 parameters come first: .param, then .named, then .local',
    ],
    [
      '.function f\n.param a default\n.param b',
      'PV1907 3:1 a parameter without default follows one that has one',
    ],
  ])('%j is told as %s', (text, expected) => {
    const told = (assemble(text).diagnostics ?? []).map(
      ({ code, line, column, message, hint }) =>
        `${code} ${line}:${column} ${message}${hint === undefined ? '' : ` (${hint})`}`,
    );
    expect(told).toEqual([expected]);
  });

  test.each(['"a', 'word', '{"a', '01', '[1,]', 'tool:', "'a'"])(
    'the constant %s is refused with a hint',
    (written) => {
      const { diagnostics = [] } = assemble(`.chunk main\n CONST ${written}`);
      expect(diagnostics).toMatchObject([{ code: 'PV1906', line: 2, column: 8 }]);
      expect(diagnostics[0]?.hint).toContain('tool:name');
    },
  );

  test('is one of many: all are told, up to a hundred', () => {
    const { diagnostics = [] } = assemble('NO\n'.repeat(5000));
    expect(diagnostics).toHaveLength(100);
    expect(diagnostics[99]?.line).toBe(100);
  });

  test('never throws, whatever the text', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('.chunk a', '.param x', 'CONST {"$int":"x"}', 'CALL 1 named', '.capture'),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { program, diagnostics } = assemble(lines.join('\n'));
        expect(program === undefined).toBe(diagnostics !== undefined);
      }),
    );
  });
});
