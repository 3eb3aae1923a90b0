/** Functions that travel from one program to the next. */
import { expect, test } from 'vitest';
import { definitionsIn, joined, withDefinitions } from '../../src/dialects/starlark/definitions.ts';
import { toolSpec } from '../../src/program/effect.ts';

const look = toolSpec({ name: 'look', description: 'Looks.', effect: 'read' });
const environment = { tools: new Map([['look', look]]), inputs: [] };

const program = `rate = 0.5

# Looks twice.
def twice(n, more = [1]):
    """Looks twice.

    And says more.
    """
    return half(look(n)) + look(n + 1)

def half(n):
    return n / 2
def priced(n):
    return n * rate
def nested(n):
    return priced(n)
answer(nested(twice(1)))
`;

test('a program hands on what needs nothing of its own', () => {
  const { definitions, bound } = definitionsIn(program, [], environment);
  expect(definitions).toEqual([
    {
      name: 'twice',
      signature: 'twice(n, more = [1])',
      about: 'Looks twice.',
      text: program.slice(program.indexOf('# Looks'), program.indexOf('\n\ndef half')),
    },
    { name: 'half', signature: 'half(n)', about: '', text: 'def half(n):\n    return n / 2' },
  ]);
  expect(bound).toEqual([
    { name: 'priced', needs: ['rate'] },
    { name: 'nested', needs: ['priced'] },
  ]);
});

test('what later programs have is nothing of its own', () => {
  const later = { ...environment, inputs: ['rate'] };
  const names = definitionsIn(program, [], later).definitions.map(({ name }) => name);
  expect(names).toEqual(['twice', 'half', 'priced', 'nested']);
});

test('a later program has at its head what it calls, and what that calls', () => {
  const { definitions } = definitionsIn(program, [], environment);
  const whole = withDefinitions('answer(twice(3))', definitions, environment);
  expect(whole).toMatch(/^# Defined earlier.*\n\n# Looks twice\.\ndef twice/);
  expect(whole).toContain('def half(n):\n    return n / 2\n\nanswer(twice(3))');
  expect(withDefinitions(whole, definitions, environment)).toBe(whole);
});

test.each([
  ['calls none of them', 'answer(1)'],
  ['has the name itself', 'def half(n):\n    return n\nanswer(half(3))'],
  ['has it as a variable', 'half = 3\nanswer(half)'],
  ['has it as a parameter', 'answer((lambda half: half)(3))'],
  ['says it in a text', 'answer("half(3)")'],
  ['cannot be read', 'answer(half(3)'],
])('a program that %s stays as it is', (_what, text) => {
  const { definitions } = definitionsIn(program, [], environment);
  expect(withDefinitions(text, definitions, environment)).toBe(text);
});

test('the later of two definitions counts', () => {
  const before = definitionsIn('def f():\n    return 1\ndef g():\n    return f()', [], environment);
  const after = definitionsIn('def f():\n    return 2', before.definitions, environment);
  const all = joined(before.definitions, after.definitions);
  expect(all.map(({ text }) => text)).toEqual([
    'def g():\n    return f()',
    'def f():\n    return 2',
  ]);
});
