/** Whatever a program is and does, evaluating it gives a result: nothing of it is an exception. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { starlark } from '../../src/starlark/index.ts';

const atoms = [
  ...['x', 'y', 'f', 'len', 'sorted', 'max', 'json', 'struct(a=x)', 'lambda a: a', 'None', 'True'],
  ...[
    '0',
    '-1',
    '2',
    '3.5',
    '10 ** 30',
    '"a"',
    '"%s {}"',
    'b"x"',
    '[]',
    '[1, 2]',
    '()',
    '{"a": 1}',
  ],
  ...['set([1])', 'range(3)', '"abc".elems()', 'float("nan")', 'box', 'host'],
];
const operators = ['+', '-', '*', '/', '//', '%', '|', '&', '<<', '==', '<', 'in', 'and', 'or'];
const methods = ['append', 'pop', 'get', 'items', 'join', 'format', 'index', 'update', 'keys', 'a'];
const functions = [
  ...['len', 'str', 'sorted', 'list', 'dict', 'set', 'int', 'float', 'hash', 'zip', 'max', 'sum'],
  ...['round', 'getattr', 'json.encode', 'json.decode', 'math.floor', 'f', 'host', 'box', 'catch'],
];

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...atoms),
    fc
      .tuple(tie('expression'), fc.constantFrom(...operators), tie('expression'))
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    fc
      .tuple(fc.constantFrom(...functions), fc.array(tie('expression'), { maxLength: 2 }))
      .map(([name, args]) => `${name}(${args.join(', ')})`),
    fc
      .tuple(tie('expression'), fc.constantFrom(...methods), tie('expression'))
      .map(([a, name, b]) => `(${a}).${name}(${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a})[${b}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `[${a} for x in ${b}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `f(*(${a}), **(${b}))`),
    tie('expression').map((a) => `f'{${a.replaceAll("'", '"')}:>3}'`),
  ),
}));

const statement = fc.oneof(
  fc
    .tuple(fc.constantFrom('x', 'y', 'x, y', 'x[0]', 'box.a'), expression)
    .map((it) => it.join(' = ')),
  fc.tuple(fc.constantFrom('x', 'y', 'x[0]'), expression).map((it) => it.join(' += ')),
  fc.tuple(expression, expression).map(([a, b]) => `for x in ${a}:\n  y = ${b}`),
  fc.tuple(expression, expression).map(([a, b]) => `def f(a=0):\n  return ${b}\n${a}`),
);

const predeclared = {
  catch: starlark.catch,
  host: starlark.native('host', (args) => args[0]),
  box: starlark.object({
    type: 'box',
    setField: (name) => (name === 'a' ? undefined : 'no'),
    item: (index) => (index < 2 ? index : undefined),
    binary: (operator) => (operator === '+' ? 1 : undefined),
    call: (args) => [...args],
  }),
};

test('evaluating a program gives a result', () => {
  const ends = new Set<string | undefined>();
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 4 }), (lines) => {
      const source = `x = [1]\ny = {"a": 1}\ndef f(*a, **b): return a\n${lines.join('\n')}`;
      const limits = { instructions: 5000, valueBytes: 100_000 };
      const { ok, error } = starlark.evaluate(source, { predeclared, limits });
      expect(ok).toBe(error === undefined);
      if (error) expect(error.backtrace).toContain(error.message);
      ends.add(error?.code);
    }),
    { numRuns: 400 },
  );
  expect(ends.has(undefined)).toBe(true);
  expect(ends.size).toBeGreaterThan(5);
});
