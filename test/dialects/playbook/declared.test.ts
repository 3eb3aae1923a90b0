/** What a file declares, of itself and of its values, and what is said where nothing comes of it. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { declaredTypes } from '../../../src/dialects/playbook/compiled/declared-types.ts';
import { readPlaybooks } from '../../../src/dialects/playbook/source/read.ts';
import { valueType } from '../../../src/dialects/playbook/text/value-types.ts';
import { linked, mainOf, program, stepsOf } from './written.ts';

const said = (text: string): string[] =>
  checkProgram(text, { tools: new Map(), inputs: [] }, { dialect: 'playbook' }).diagnostics.map(
    ({ code, hint, line, message }) => `${line} ${code}: ${message}; ${hint}`,
  );

test.each([
  ['int', ['int', 'NoneType']],
  ['list[str]', [{ kind: 'list', items: ['string', 'NoneType'] }, 'NoneType']],
  ['typing.List[int]', [{ kind: 'list', items: ['int', 'NoneType'] }, 'NoneType']],
  ['str[]', [{ kind: 'list', items: ['string', 'NoneType'] }, 'NoneType']],
  ['dict[str, float]', [{ kind: 'dict', items: ['int', 'float', 'NoneType'] }, 'NoneType']],
  ['list[any]', ['list', 'NoneType']],
  ['str | None', ['string', 'NoneType']],
  ['Optional[int]', ['int', 'NoneType']],
  ['int?', ['int', 'NoneType']],
  ['Union[int, str]', ['int', 'string', 'NoneType']],
  ['Literal["a", 2]', [{ is: 'a' }, { is: 2 }, 'NoneType']],
  ["'a' | 'b'", [{ is: 'a' }, { is: 'b' }, 'NoneType']],
  ['tuple[int, str]', ['list', 'NoneType']],
])('the type %s takes its values', (type, fits) => {
  expect(valueType(type)).toEqual({ fits });
});

test('a type that takes anything, or that nobody knows, holds nothing', () => {
  expect(valueType('any')).toEqual({});
  expect(valueType('str | Any')).toEqual({});
  expect(valueType('list[Order]')).toEqual({ unknown: 'Order' });
  expect(valueType('constructor')).toEqual({ unknown: 'constructor' });
  expect(valueType('list['.repeat(5000))).toHaveProperty('unknown');
});

test('types that a line declares are read with their brackets', () => {
  const { steps } = mainOf(
    program(
      '- $a: list[dict[str, int]] = F()\n- $b: Literal["x", "y"] = "x"\n- $c: str | None = 1',
    ),
  );
  expect(steps.map(({ writes }) => writes).filter((names) => names.length > 0)).toEqual([
    ...[['$a'], ['$b'], ['$c']],
  ]);
});

test.each([
  ['$v:str', 'str'],
  ['$v: list[int].', 'list[int]'],
  ['Declare $v:int | None', 'int | None'],
])('a line may say the type of a variable alone: %s', (line, type) => {
  expect(stepsOf(`- ${line}\n- Return 1`)).toEqual([`01:EXE $v:${type}`, '02:RET 1']);
  const { lines } = linked(`- ${line}\n- $v = 1\n- Return $v`);
  expect([...declaredTypes({ lines, parameters: [] })]).toEqual([['v', type]]);
  expect(said(program(`- ${line}\n- Return 1`))).toEqual([]);
});

test.each(['$v: the price', '$v: friendly', 'v:str', '$v:', 'Price: list'])(
  'other words behind a colon are words: %s',
  (line) => {
    expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
  },
);

test('what a question asks for has the types that it says', () => {
  const { lines } = linked(
    '- Ask user for $age:int, $days:list[str] and $why: a reason\n- Return $age',
  );
  const all = { lines, parameters: [] };
  expect([...declaredTypes(all)]).toEqual([
    ['age', 'int'],
    ['days', 'list[str]'],
  ]);
  expect(said(program('- Ask user for $age:intger\n- Return $age'))).toEqual([
    '7 PV2436: got the type intger of $age, to which no value is held; did you mean integer?',
  ]);
});

test('that an agent stands by is said to come to nothing', () => {
  const text = program('- Return 1').replace('# Desk', '# Desk\nstartup_mode: standby');
  expect(said(text)).toEqual([
    '2 PV2434: got startup_mode below the heading Desk, of which nothing comes; ' +
      'an agent without a trigger At the beginning does nothing until it is called',
  ]);
});

test('of a type that nobody knows it is said, where it is declared', () => {
  const text = `${program('- $n: strng = "a"\n- $d: date = "b"\n- Count(1)\n- Return $n')}
## Count(n: Money, m: list[int] = []) -> Order
### Steps
- Return n

\`\`\`tools
def Sum(n: int) -> Invoice:
    return n
\`\`\`
`;
  expect(said(text).filter((one) => one.includes('PV2436'))).toEqual([
    '7 PV2436: got the type strng of $n, to which no value is held; did you mean string?',
    expect.stringContaining('8 PV2436: got the type date of $d, to which no value is held; such'),
    expect.stringContaining('12 PV2436: got the type Money of n of Count'),
    expect.stringContaining('12 PV2436: got the type Order of what Count gives'),
    expect.stringContaining('17 PV2436: got the type Invoice of what Sum gives'),
  ]);
});

test('a key near one of which something comes is said, others are free', () => {
  const text = `---
time-zone: UTC
owner: me
---
# Desk
modle: a
mode: quick
persona: kind

## Main
execution-mode: raw
retriger: edge
### Triggers
- At the beginning
### Steps
- Return 1
`;
  const found = said(text).map((one) => one.replace(/PV2434: got (\S+) .*; /, '$1: '));
  expect(found).toEqual([
    '2 time-zone: did you mean timezone?',
    '6 modle: did you mean model?',
    '11 execution-mode: did you mean execution_mode?',
    '12 retriger: did you mean retrigger?',
  ]);
});

test('placeholders in the description of an agent are said, where they can be nothing else', () => {
  const text = `# Desk
You serve {$name}, {name} and {"a": 1}; \`{$code}\` is a code, {Day(1)} is none.

${program('- Return 1').replace(/^# Desk/, '')}
`;
  expect(
    readPlaybooks(text).diagnostics.map(({ code, column, line }) => [code, line, column]),
  ).toEqual([
    ['PV1418', 2, 11],
    ['PV1418', 2, 62],
  ]);
});

test.each([
  ['../a.md', 'it is not in the folder of this file, or below'],
  ['/etc/a.md', 'it is not in the folder of this file, or below'],
  ['sub/.a.md', 'names that begin with a dot are hidden'],
  ['https://example.com/a.md', 'only files are imported'],
  ['a.md', 'there is no such text that may be read'],
])('why %s is not imported', (path, why) => {
  const { diagnostics } = readPlaybooks(`# A\n!import ${path}\n`);
  expect(diagnostics[0]?.message).toBe(`cannot import ${path}: ${why}`);
});

const functions = '```tools\ndef price(x):\n    return 1\n```\n';

test.each([
  ['Say("It is {pryce(1)}.")', 'pryce'],
  ['$a = price(pryce(2))', 'pryce'],
  ['$a = 2 * pryce(2)', 'pryce'],
  ['If isOpen("a"), say "b"', 'isOpen'],
  ['While $n < limitOf("a")\n  - $n = 1', 'limitOf'],
  ['While Cost(2) < 3\n  - $n = 1', 'Cost'],
  ['If Cost(1), say "b"', 'Cost'],
  ['If price(1) > Cost(1), say "b"', 'Cost'],
  ['For $i from 1 to Cost(2)\n  - $n = $i', 'Cost'],
  ['For each $q in Cost(3)\n  - $n = $q', 'Cost'],
  ['Until Cost(2)\n  - $n = 1', 'Cost'],
  ['Return 1 if Cost(2)', 'Cost'],
  ['Ask user for $a if Cost($n)', 'Cost'],
  ['$a = "worth {Cost($n)}"', 'Cost'],
  ['Say(Cost($n))', 'Cost'],
  ['price("{Cost($n)}")', 'Cost'],
  ['For each $x in allOrders()\n  - Say("{$x}")', 'allOrders'],
  ['Get $x from Summarize("a")', 'Summarize'],
])('a call of what there is not is found within a line: %s', (line, callee) => {
  const text = program(`- $n = 0\n- ${line}`, functions);
  const found = said(text).filter((one) => one.includes('PV2404'));
  expect(found).toEqual([
    expect.stringContaining(`8 PV2404: there is no playbook, function or tool ${callee};`),
  ]);
});

test('a call between braces in quotes comes before its line, whatever that is', () => {
  const priced = (line: string): string[] => stepsOf(`- ${line}`, functions);
  const [one, other, , set] = priced('$t = "worth {price(1) * 2}, {price(2)}"');
  const [first, second] = [one, other].map((row) => /price_\d/.exec(row ?? '')?.[0]);
  expect([one, other]).toEqual([`01:QUE ${first} = price(1)`, `02:QUE ${second} = price(2)`]);
  expect(set).toBe(`04:EXE $t = "worth {${first} * 2}, {${second}}"`);
  expect(priced('Say "worth {price(1) * 2}"').at(-1)).toMatch(/"worth \{price_\d \* 2\}"\)$/);
  expect(priced('Return "worth {price(1) * 2}"').at(-1)).toMatch(/RET "worth \{price_\d \* 2\}"$/);
});

test.each([
  'Say("Call us (daily) or visit Berlin(Mitte).")',
  'Tell the user about prices(EUR), also for guest(s)',
  'Note(s) are kept, guest(s) are told',
  '$formula = "g($x)"',
  'Use sin(x) as in mathematics to compute $y',
  '$b = sorted($n) + $n.index(1) + round($n)',
  'For each $i, $x in enumerate($n)\n  - price($x)',
  'If the guest(s) have come, say "a"',
  'Return {"ok": True, "n": price(1)}',
])('what is no call, or of anybody, is let be: %s', (line) => {
  const text = program(`- $n = []\n- ${line}`, functions);
  expect(said(text).filter((one) => one.includes('PV2404'))).toEqual([]);
});
