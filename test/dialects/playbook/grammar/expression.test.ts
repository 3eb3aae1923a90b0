/** Expressions of lines as Starlark, and which texts are words. */
import { expect, test } from 'vitest';
import {
  type ExpressionNames,
  isBareArithmetic,
  isExpression,
  readExpression,
} from '../../../../src/dialects/playbook/grammar/expression.ts';

const names: ExpressionNames = {
  callees: new Map(
    ['Price', 'Desk.Book', 'tide.find'].map((name) => {
      const callee = { kind: 'tool', name, shown: name, about: '' } as const;
      return [name, { ...callee, parameters: [], takesMore: true }];
    }),
  ),
  scopeOfDollar: (name) => (name === 'own' ? 'local' : 'state'),
  isLocal: (name) => name === 'guest' || name === 'day',
};

test.each([
  ['$x', 'x_', '$x'],
  ['$x > 15 and guest', 'x_ > 15 and guest', '$x guest'],
  ['$own + guest', 'own_ + guest', 'own guest'],
  ['$x.items[0].name', 'x_["items"][0]["name"]', '$x'],
  ['$name.upper() == "ANN"', 'name_.upper() == "ANN"', '$name'],
  ['"costs $x {y" + $z', '"costs $x {y" + z_', '$z'],
  ['f"{$x} left"', 'f"{(x_)} left"', '$x'],
  ['\'{$x["a"]} {{}}\'', 'f"{(x_["a"])} {{{{}}}}"', '$x'],
  ['$x is set', 'x_ != None', '$x'],
  ['$x is not set or $y is not None', 'x_ == None or y_ != None', '$x $y'],
  ['not (guest is None)', 'not (guest == None)', 'guest'],
  ['[n * 2 for n in $xs if n != guest]', '[n * 2 for n in xs_ if n != guest]', '$xs guest'],
  ['sorted($xs, key = lambda a: a.b)', 'sorted(xs_, key = lambda a: a["b"])', '$xs'],
  ['{"ok": true, "why": null}', '{"ok": True, "why": None}', ''],
  ['json.encode($x)', 'json.encode(x_)', '$x'],
  ['math.pi * $r', 'math.pi * r_', '$r'],
  ['$élan', 'élan_', '$élan'],
])('%s is %s', (source, code, reads) => {
  const read = readExpression(source, names);
  if (!isExpression(read)) throw new Error(read.why);
  const { expression } = read;
  const written = expression.reads.map(({ name, scope }) =>
    scope === 'state' ? `$${name}` : name,
  );
  expect([expression.code, written.join(' ')]).toEqual([code, reads]);
});

test('calls are those of the file, by their names', () => {
  const read = readExpression('Price(1) + Desk.Book(len($x)) + tide.find("a")', names);
  expect(isExpression(read) && read.expression.calls).toEqual(['Price', 'Desk.Book', 'tide.find']);
});

test.each([
  ['the price', 'words'],
  ['', 'words'],
  ['$x is empty', 'words'],
  ['Price(1) # only for VIPs', 'words'],
  ['$x; $y', 'words'],
  ["don't", 'words'],
  ['"a" "b"', 'words'],
  ['price', 'price is neither a variable nor a function here'],
  ['Price', 'Price is neither a variable nor a function here'],
  ['Fare(1)', 'there is nothing of the name Fare to call'],
  ['Desk.Sell(1)', 'there is nothing of the name Desk.Sell to call'],
  ['$x.refund()', 'there is nothing of the name x_.refund to call'],
  ['"Dear {the customer}"', '{the customer} cannot be computed'],
  ['"{size}"', '{size} cannot be computed'],
])('%s is not an expression: %s', (source, why) => {
  expect(readExpression(source, names)).toMatchObject({ why });
});

test.each([
  ...['50/50', '24/7', '5-10', '555-1234', '2 ** 10', '(1 + 2) * 3'].map((one) => [one, true]),
  ...['5', '-5', '$x - 5', '"a" + "b"', '[1, 2]'].map((one) => [one, false]),
] as const)('%s is arithmetic without a variable: %s', (source, isArithmetic) => {
  const read = readExpression(`${source}`, names);
  expect(isExpression(read) && isBareArithmetic(read.expression)).toBe(isArithmetic);
});
