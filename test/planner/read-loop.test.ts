import { expect, test } from 'vitest';
import { readLoop } from '../../src/planner/read-loop.ts';
import type { ToolSpec } from '../../src/program/effect.ts';

const spec = (parameter: string): ToolSpec => ({
  name: 'look',
  ...{ kind: 'tool', description: 'Looks.', idempotent: true, destructive: false },
  effect: 'read',
  parameters: { type: 'object', properties: { [parameter]: {} }, required: [parameter] },
});
const loop = { text: 'answer(look(place = where))\n', file: 'loops/mine.star' };

test('a loop is read once for the same effects and inputs', () => {
  const tools = new Map([['look', spec('place')]]);
  const { program } = readLoop(loop, tools, ['where']);
  expect(program).toBeDefined();
  expect(readLoop(loop, new Map(tools), ['where']).program).toBe(program);
});

test('other effects, inputs or texts are looked at', () => {
  const tools = new Map([['look', spec('place')]]);
  readLoop(loop, tools, ['where']);
  expect(readLoop(loop, new Map([['look', spec('room')]]), ['where']).found).toContain('room');
  expect(readLoop(loop, tools, []).found).toContain('undefined: where');
  expect(readLoop({ ...loop, text: 'answer(1' }, tools, ['where']).found).toContain('mine.star:1');
});

test('what was read long ago is forgotten', () => {
  const tools = new Map([['look', spec('place')]]);
  const { program } = readLoop(loop, tools, ['where']);
  for (let n = 0; n < 24; n++) readLoop({ ...loop, text: `answer(${n})\n` }, tools, []);
  expect(readLoop(loop, tools, ['where']).program).not.toBe(program);
});
