/** Which tools are told of in the prompts of playbooks. */
import { expect, test } from 'vitest';
import { offeredTools } from '../../../src/planner/playbook/prompt/offered.ts';
import { toolSpec } from '../../../src/program/effect.ts';

const builtIn = ['calculate', 'bind_arguments', 'table'];
const tools = new Map(
  [...builtIn, 'search', 'shop.find'].map((name) => [
    name,
    toolSpec({ name, description: '', parameters: {} }),
  ]),
);

const offered = (text: string): string[] => [
  ...offeredTools(tools, (name) => builtIn.includes(name), text).keys(),
];

test('all that somebody has given, and no others', () => {
  expect(offered('Say hello.')).toEqual(['search', 'shop.find']);
});

test.each([
  ['$x = calculate("1 + 2").', 'calculate'],
  ['Use calculate.', 'calculate'],
  ['with `bind_arguments`', 'bind_arguments'],
])('one that every run has, where it is named: %s', (text, name) => {
  expect(offered(text)).toEqual([name, 'search', 'shop.find']);
});

test.each(['Recalculate it.', 'the tables', 'table_of'])(
  'no part of a word names one: %s',
  (text) => {
    expect(offered(text)).toEqual(['search', 'shop.find']);
  },
);
