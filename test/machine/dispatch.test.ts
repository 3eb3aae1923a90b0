/**
 * The dispatch loop names opcodes by number, because the host makes a jump table of numbers only.
 * These tests hold each number against the opcode table; all else names them by opcodeNumbers.
 */
import { describe, expect, test } from 'vitest';
import { fused } from '../../src/machine/code.ts';
import { type Opcode, opcodeAt, opcodes } from '../../src/program/opcodes.ts';
import { assemble } from '../support/assembly/assembler.ts';
import { filesUnder, sourcesUnder, textOf } from '../support/repo.ts';

/** `case 12: // ADD` and `case 12: {` with the name in the next line. */
function labels(source: string): { code: number; name: string }[] {
  const pattern = /^ *case (\d+):(?: \{\n)? *(?:\/\/ ([A-Z0-9 ]+)$)?/gm;
  return [...source.matchAll(pattern)].map(([, code, name = 'no name']) => ({
    code: Number(code),
    name,
  }));
}

const table = [
  ...opcodes.map(({ code, name }) => ({ code, name })),
  ...[...fused].map(([name, code]) => ({ code, name })),
];
const byCode = (a: { code: number }, b: { code: number }): number => a.code - b.code;

test('each opcode has one case, under its number and its name', () => {
  expect(labels(textOf('src/machine/run.ts')).sort(byCode)).toEqual(table);
});

/** A number as a label, beside an opcode, or in a constant of its own. */
const numeral = /\bcase \d+:|\bop [!=]== \d+|\bword & 255\)? [!=]== \d+|Code = \d+/;

test('no other file of the machine has an opcode by its number', () => {
  const named = sourcesUnder('src/machine').filter((path) => numeral.test(textOf(path)));
  expect(named).toEqual(['src/machine/run.ts']);
});

/** What stands between the label of an opcode and the next `break`, `throw` or `return`. */
function body(source: string, row: Opcode): string {
  const start = source.search(new RegExp(`^ *case ${row.code}:`, 'm'));
  return source.slice(
    start,
    start + source.slice(start).search(/\n {10}(break|throw|return)\b|\n {8}\}\n/),
  );
}

test('the opcodes that lift are those that may be deferred', () => {
  const source = textOf('src/machine/run.ts');
  // METHOD shares its case with calls that do not lift; golden programs show that it does.
  const deferring = opcodes.filter(
    (row) => row.name === 'METHOD' || /deferred\(|operate\(|InPlace\(/.test(body(source, row)),
  );
  expect(deferring.map((row) => row.name)).toEqual(
    opcodes.filter((row) => row.lifts).map((row) => row.name),
  );
});

test('the golden programs in assembly use every opcode', () => {
  const used = new Set<string>();
  for (const path of filesUnder('test/golden/assembly').filter((name) => name.endsWith('.pvasm'))) {
    const source = /^=== source\n([\s\S]*?)^=== /m.exec(textOf(path))?.[1] ?? '';
    for (const chunk of assemble(source).program?.chunks ?? []) {
      for (const word of chunk.code) used.add(opcodeAt(word)?.name ?? '');
    }
  }
  expect(opcodes.map((row) => row.name).filter((name) => !used.has(name))).toEqual([]);
});

describe('the check itself', () => {
  test('reads labels with and without a block, and misses no name', () => {
    const source = `
        case 0: // NOP
          break;
        case 4: {
          // EXCH
          break;
        }
        case 16: // DIV
        case 17: // FLOORDIV
        case 18:
          break;`;
    expect(labels(source)).toEqual([
      { code: 0, name: 'NOP' },
      { code: 4, name: 'EXCH' },
      { code: 16, name: 'DIV' },
      { code: 17, name: 'FLOORDIV' },
      { code: 18, name: 'no name' },
    ]);
  });
});
