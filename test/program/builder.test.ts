/** Chunks come out of the builder with slots, addresses and a hash. */
import { describe, expect, test } from 'vitest';
import { ChunkBuilder, ProgramBuilder, seal } from '../../src/program/builder.ts';
import { opcodeAt, operandMax, operandOf } from '../../src/program/opcodes.ts';
import { packPosition, unpackPosition } from '../../src/program/program.ts';
import { float } from '../../src/program/value.ts';

const listing = (code: readonly number[]): string[] =>
  code.map((word) => `${opcodeAt(word)?.name} ${operandOf(word)}`);

describe('a chunk', () => {
  test('jumps forwards and backwards to its labels', () => {
    const chunk = new ChunkBuilder('loop');
    const top = chunk.label();
    const end = chunk.label();
    chunk.place(top).constant(true).jump('JF', end).jump('JMP', top).place(end).constant(null);
    expect(listing(chunk.emit('RETURN').seal().code)).toEqual([
      'CONST 0',
      'JF 3',
      'JMP 0',
      'CONST 1',
      'RETURN 0',
    ]);
  });

  test('keeps one slot for equal constants and two for 1 and 1.0', () => {
    const chunk = new ChunkBuilder('main').constant('a').constant(1).constant(float(1));
    const sealed = chunk.constant('a').tool('a').tool('a').builtin('a').call(2, 1).seal();
    expect(sealed.constants).toHaveLength(5);
    expect(listing(sealed.code)).toEqual([
      'CONST 0',
      'CONST 1',
      'CONST 2',
      'CONST 0',
      'CONST 3',
      'CONST 3',
      'CONST 4',
      'CALL 258',
    ]);
  });

  test('knows the place of each instruction', () => {
    const sealed = new ChunkBuilder('main').emit('NOP').at(3, 5).emit('NOP').emit('NOP').seal();
    expect(sealed.positions.map(unpackPosition)).toEqual([
      { line: 0, column: 0 },
      { line: 3, column: 5 },
      { line: 3, column: 5 },
    ]);
    expect(unpackPosition(packPosition(7, 2 ** 21))).toEqual({ line: 7, column: 2 ** 20 - 1 });
  });

  test('refuses what can only be a mistake of its compiler', () => {
    const chunk = new ChunkBuilder('main');
    expect(() => chunk.emit('PUSH')).toThrow('no such opcode: PUSH');
    expect(() => chunk.emit('LOCAL', -1)).toThrow(RangeError);
    expect(() => chunk.emit('LOCAL', operandMax + 1)).toThrow(RangeError);
    expect(() => chunk.jump('JMP', chunk.label()).seal()).toThrow('never placed');
    const label = chunk.label();
    chunk.place(label);
    expect(() => chunk.place(label)).toThrow('placed twice');
  });

  test('has a hash that changes with each of its parts and with nothing else', () => {
    const made = new ChunkBuilder('main').constant('a').emit('RETURN').seal();
    const { hash, ...rest } = made;
    const reversed = Object.fromEntries(Object.entries(rest).reverse()) as typeof rest;
    expect(seal(reversed).hash).toBe(hash);
    const others = [
      { name: 'other' },
      { role: 'function' as const },
      { code: [0, 0] },
      { constants: ['b'] },
      { positions: [1, 1] },
      { locals: ['x'] },
      { parameters: { positional: 1, named: 0, defaults: 0 } },
      { cells: [0] },
      { captures: [{ from: 'local' as const, index: 0 }] },
      { handlers: [{ start: 0, end: 1, target: 1, depth: 0 }] },
    ];
    const hashes = others.map((change) => seal({ ...rest, ...change }).hash);
    expect(new Set([hash, ...hashes]).size).toBe(others.length + 1);
  });
});

test('a program keeps what it continues: chunks, slots and steps', () => {
  const chunk = new ChunkBuilder('main').constant(null).emit('RETURN').seal();
  const first = new ProgramBuilder('assembly');
  expect([first.global('a'), first.global('b'), first.global('a')]).toEqual([0, 1, 0]);
  first.step({ label: '1', kind: 'assign', line: 1, column: 1 });
  first.add(chunk);
  const base = first.build({ open: true });

  const second = new ProgramBuilder('assembly', base);
  expect([second.global('b'), second.global('c')]).toEqual([1, 2]);
  expect(second.add(chunk)).toBe(1);
  expect(second.step({ label: '2', kind: 'assign', line: 2, column: 1 })).toBe(1);
  const grown = second.build();
  expect(grown.globals).toEqual(['a', 'b', 'c']);
  expect([base.open, grown.open]).toEqual([true, false]);
  expect(base.chunks).toHaveLength(1);
});
