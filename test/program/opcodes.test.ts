/** The opcode table agrees with itself: numbers, names, pictures and effects. */
import { expect, test } from 'vitest';
import { opcodeNotes } from '../../scripts/reference/opcode-notes.ts';
import {
  instruction,
  namedMax,
  type Opcode,
  opcodeAt,
  opcodeNumbers,
  opcodeOf,
  opcodes,
  operandMax,
  operandOf,
  packArguments,
  positionalMax,
} from '../../src/program/opcodes.ts';

test('numbers run from 0 without a gap and fit in a byte', () => {
  expect(opcodes.map((row) => row.code)).toEqual(opcodes.map((_, index) => index));
  expect(opcodes.length).toBeLessThanOrEqual(256);
});

test('each number by name has its row', () => {
  expect(Object.keys(opcodeNumbers)).toEqual(opcodes.map((row) => row.name));
});

test('names are unique and upper-case', () => {
  expect(opcodeOf.size).toBe(opcodes.length);
  expect(opcodes.filter((row) => !/^[A-Z][A-Z0-9]*$/.test(row.name))).toEqual([]);
});

test('each sentence is a sentence, and no two opcodes share one', () => {
  const sentences = Object.values(opcodeNotes);
  expect(sentences.filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
  expect(new Set(sentences).size).toBe(sentences.length);
});

/** The words of one side of a picture with `n` put in: `x1 … xn` is n words, `list … x` n + 1. */
function height(side: string, row: Opcode, operand: number): number {
  const positional = row.operand === 'arguments' ? operand & 255 : operand;
  const named = row.operand === 'arguments' ? operand >> 8 : operand;
  const counted = side
    .replace(/x1 … x[np]|xn … x1/, '_ '.repeat(positional))
    .replace(/k1 v1 … kn vn/, '_ '.repeat(2 * named))
    // What lies between a container and what goes into it: n places, the container's included.
    .replace('…', '_ '.repeat(Math.max(positional - 1, 0)));
  return counted.split(' ').filter((word) => word !== '' && word !== '-').length;
}

const sampleOperands = (row: Opcode): number[] => {
  if (row.operand === 'arguments') return [0, 2, packArguments(0, 1), packArguments(3, 2)];
  if (row.operand === 'below') return [1, 2, 5];
  return [0, 1, 2, 7];
};

test.each(opcodes.map((row) => [row.name, row] as const))(
  'the picture of %s shows its needs and effects',
  (name, row) => {
    const [before = '', afters = ''] = row.picture.split(` ${name} `);
    const [after = '', afterJump = after] = afters.split(' | ');
    expect(afters.includes(' | ') && row.operand !== 'address').toBe(false);
    for (const operand of sampleOperands(row)) {
      const needs = height(before, row, operand);
      expect(row.needs(operand)).toBe(needs);
      expect(row.effect(operand)).toBe(height(after, row, operand) - needs);
      expect(row.jumpEffect(operand)).toBe(height(afterJump, row, operand) - needs);
    }
  },
);

test('an instruction keeps its opcode and the largest operand', () => {
  for (const row of opcodes) {
    const word = instruction(row.code, operandMax);
    expect(opcodeAt(word)).toBe(row);
    expect(operandOf(word)).toBe(operandMax);
  }
  expect(opcodeAt(opcodes.length)).toBeUndefined();
});

test('more arguments than an operand can count are refused', () => {
  expect(operandOf(instruction(0, packArguments(positionalMax, namedMax)))).toBe(operandMax);
  expect(() => packArguments(positionalMax + 1, 0)).toThrow(RangeError);
  expect(() => packArguments(0, namedMax + 1)).toThrow(
    'got 0 positional and 32768 named arguments, want at most 255 and 32767',
  );
});
