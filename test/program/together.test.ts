/** What a set of tools may say of each other, and what is wrong with it. */
import { expect, test } from 'vitest';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import { togetherProblems } from '../../src/program/together.ts';

const parameters = (...names: string[]): ToolSpec['parameters'] => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
  required: names,
});

const tool = (name: string, changes: Partial<ToolSpec> = {}): ToolSpec =>
  toolSpec({ name, description: `The tool ${name}.`, effect: 'read', ...changes });

const problems = (...specs: ToolSpec[]): string[] =>
  togetherProblems(new Map(specs.map((spec) => [spec.name, spec]))).map(
    ({ tool: name, message, hint }) => `${name}: ${message} (${hint})`,
  );

test('what can be kept is no problem', () => {
  expect(
    problems(
      tool('status'),
      tool('deep', { after: ['warm', 'status'] }),
      tool('warm', { after: ['status'], conflicts: ['warm', 'status'], alternatives: ['cache'] }),
      tool('cache', { requires: [] }),
      tool('mail', { effect: 'write', conflicts: ['warm'] }),
    ),
  ).toEqual([]);
});

test.each<[string, ToolSpec[], string]>([
  [
    'a name that is none, with the one that was meant',
    [tool('status'), tool('warm', { after: ['statos'] })],
    'warm: after: there is no tool statos (did you mean status?)',
  ],
  [
    'a name far from all',
    [tool('warm', { conflicts: ['zzzzzzzz'] })],
    'warm: conflicts: there is no tool zzzzzzzz (name one of the tools there are)',
  ],
  [
    'a tool behind itself',
    [tool('a', { after: ['a'] })],
    'a: after: it would have to come after itself (nothing could ever be called first: leave one of them out)',
  ],
  [
    'a write with alternatives',
    [tool('a', { effect: 'write', alternatives: ['b'] }), tool('b')],
    'a: alternatives: it writes (what has failed may have happened, and must not happen a second time)',
  ],
  [
    'an alternative that writes',
    [tool('a', { alternatives: ['b'] }), tool('b', { effect: 'write' })],
    'a: alternatives: b writes (what has failed may have happened, and must not happen a second time)',
  ],
  [
    'an alternative of itself',
    [tool('a', { alternatives: ['a'] })],
    'a: alternatives: it cannot stand in for itself (raise its attempts)',
  ],
  [
    'an alternative that needs what its tool does not have',
    [
      tool('a', { parameters: parameters('x'), alternatives: ['b'] }),
      tool('b', { parameters: parameters('x', 'y') }),
    ],
    'a: alternatives: b needs y, which a does not have (it gets the arguments of the tool that it stands in for, by their names)',
  ],
])('%s', (_what, specs, said) => {
  expect(problems(...specs)).toEqual([said]);
});

test('a circle is said of each tool in it, and ends', () => {
  const found = problems(tool('a', { after: ['b'] }), tool('b', { after: ['c', 'a'] }), tool('c'));
  expect(found.map((one) => one.slice(0, 8))).toEqual(['a: after', 'b: after']);
});
