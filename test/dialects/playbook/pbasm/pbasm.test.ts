import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Does, flatLines } from '../../../../src/dialects/playbook/compiled.ts';
import { printCompiled } from '../../../../src/dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../../../src/dialects/playbook/reader.ts';
import { points } from '../../../support/depth.ts';
import { random } from '../../../support/draw.ts';

const programs = readdirSync('test/playbooks/programs').filter((name) => name.endsWith('.md'));
const tools = ['list_price', 'neighbours', 'ship', 'keep', 'weather', 'look_up', 'level', 'search'];

it.each(programs)('reads back what it prints: %s', (name) => {
  const text = readFileSync(`test/playbooks/programs/${name}`, 'utf8');
  const compiled = compiledOf(readTree(text).tree, tools);
  const printed = printCompiled(compiled);
  const { tree, diagnostics } = readTree(printed);
  expect(diagnostics).toEqual([]);
  expect(compiledOf(tree, tools)).toEqual(compiled);
});

const desk = (steps: string, above = ''): string =>
  `# Desk\n${above}\n## Main\n### Triggers\n- T1:BGN At the beginning\n### Steps\n${steps}\n`;

it('shows who does a line, what it waits for, and why a line is open', () => {
  const text = `# Desk

\`\`\`tools
def free(day):
    return [day]
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $day
- $bikes = free($day)
- If not $bikes
  - Suggest another day
  - Go to step 1
- $price = Price($bikes)
- Say("That is {$price}. Fine?")
- Ask the kitchen for $dish
- Return $price

## Price($bikes)
### Steps
- Think about the season
- Return 7

# Kim:Human
`;
  const printed = printCompiled(compiledOf(readTree(text).tree));
  expect(printed).toContain(`
- 01:QUE? Ask user for $day; YLD for user
- 02:QUE $bikes = free($day); YLD for call
- 03:CND If not $bikes
  - 03.01:EXE? Suggest another day
  - 03.02:JMP Go to step 1
- 04:QUE $price = Price($bikes); YLD for call
- 05:QUE Say("That is {$price}. Fine?"); YLD for user
- 06:EXE? Ask the kitchen for $dish  <!-- "the kitchen" is nobody in this file -->
- 07:RET Return $price
`);
  expect(printed).toContain('- 01:TNK Think about the season\n- 02:RET Return 7\n');
});

/** A line each: what it does, as far as the table says. */
const spellings: Readonly<Record<string, Partial<Does> & { readonly is: Does['is'] }>> = {
  '01:YLD user': { is: 'wait', wait: { for: 'user' } },
  '01:YLD for user': { is: 'wait', wait: { for: 'user' } },
  '01:YLD ForUserInput("Which one?")': { is: 'wait', wait: { for: 'user' } },
  '01:YLD for call': { is: 'note' },
  '01:YLD call': { is: 'note' },
  '01:YLD for exit': { is: 'end' },
  '01:YLD ForProgramEnd': { is: 'end' },
  '01:YLD for return': { is: 'return' },
  '01:YLD for agent Kim': { is: 'wait', wait: { for: 'person', name: 'Kim' } },
  '01:INT Price(2)': { is: 'call', callee: { kind: 'playbook', name: 'Desk.Price' } },
  '01:EXT $x = Price(2)': { is: 'call', into: { name: 'x', scope: 'state' } },
  '01:QUE Say(user, "Hi"); no yield needed': { is: 'say', to: { kind: 'user' } },
  '01:QUE Say("Sure?"); YLD for user': { is: 'say', waits: true },
  '01:QUE Say("Sure?"); YLD for user; done when $x is set': { is: 'open' },
  '01:JMP 02': { is: 'go', to: '02' },
  '1:JMP to step 2.': { is: 'go', to: '02' },
  '01:RET $x': { is: 'return' },
  '01:RET': { is: 'return' },
  '01:RET Return $x': { is: 'return' },
  '01:RET Retourner $x': { is: 'return' },
  '01:CHK N1': { is: 'note', note: 'N1' },
  '01:TNK about the price': { is: 'note' },
  '01:exe $x = 5': { is: 'set' },
  '01:EXE? Cheer them up': { is: 'open' },
};

it.each(Object.entries(spellings))('reads a historic spelling: %s', (step, does) => {
  const rest =
    '- 02:RET 1\n### Notes\n- N1 Mind it\n\n## Price($n)\n### Steps\n- 01:RET 1\n\n# Kim:Human';
  const { tree } = readTree(desk(`- ${step}\n${rest}`));
  expect(compiledOf(tree).agents[0]?.playbooks[0]?.lines[0]?.does).toMatchObject(does);
});

it('reads heads by their codes, and steps by their numbers', () => {
  const steps = [
    '- 01:CND $x > 1',
    '- 01.01:EXE $y = 1',
    '- 02:CND Otherwise',
    '- 02.01:LOP While $y < 3',
    '- 02.01.01:EXE $y += 1',
    '- 03:LOP For each $z in [1, 2]',
    '- 03.01:QUE Say("{$z}")',
  ];
  const { tree, diagnostics } = readTree(desk(steps.join('\n')));
  const lines = flatLines(compiledOf(tree).agents[0]?.playbooks[0]?.lines ?? []);
  expect(lines.map(({ number, does }) => `${number} ${does.is}`)).toEqual([
    ...['01 test', '01.01 set', '02 test', '02.01 test', '02.01.01 set', '03 each', '03.01 say'],
  ]);
  expect(diagnostics).toEqual([]);
});

it('says which numbers and codes are wrong', () => {
  const { diagnostics } = readTree(
    desk('- 01:EXE $x = 1\n- 01:EXE $y = 1\n- 04:EXE a\n- 05:FOO b'),
  );
  expect(diagnostics.map(({ code, line, message }) => `${code} ${line} ${message}`)).toEqual([
    'PV1410 8 got the step 01, want 02 here',
    'PV1410 9 got the step 04, want 03 here',
    'PV1409 10 got 05:FOO b, want a number and a code, as in 01:QUE Say("Hi")',
  ]);
});

it('keeps the places of the source, and those of its own text where they are asked for', () => {
  const source = '# Desk\n\n## Main\n### Steps\n- $x = 1\n- Return $x\n';
  const printed = printCompiled(compiledOf(readTree(source).tree));
  const linesOf = (places: 'own' | 'source') =>
    compiledOf(readTree(printed, places).tree).agents[0]?.playbooks[0]?.lines.map(
      ({ place }) => place.line,
    );
  expect(linesOf('source')).toEqual([5, 6]);
  expect(linesOf('own')).toEqual([7, 8]);
});

const heads = [
  'If $x > 1',
  'If they are angry',
  'While $x',
  'For each $y in [1]',
  'Greet them',
  '`If $x`',
  'Tant que $x',
  'Until $x',
  'Repeat 2 times',
  'Si $x',
];
const leaves = [
  ...['$x = F(1)', 'Say("{$x}?")', 'Ask user for $x', 'Ask Kim for $x, $y', 'Return', 'Return $x'],
  ...[
    'Return the best one',
    'Break',
    'Go to step 1',
    'Wait for user',
    'Wait 5 minutes',
    'F($x, n=2)',
  ],
  ...[
    'End program',
    'Think about it',
    'CHK N1',
    'x = 2',
    '$x: int = 3',
    'Set $x to 5',
    'F(1); then go',
  ],
  ...[
    'Return; and say so',
    '<!-- not a comment',
    'Retourner $x',
    '- a dash',
    '# a head',
    '01:EXE Numbered',
    'If $x > 1: Say("a")',
    'If $x: Greet',
    'Say("a; YLD for user")',
    'Mail them: **now**; `F(1)`',
    'JMP 03',
    '`Return $x`',
    '`Think of it`',
    'T1:CND When',
    'Go <!-- x --> on',
    'Think',
    'Wait until 9:00 (up to 5 minutes)',
  ],
];

/** Items of a list, nested at random. */
function drawn(next: (count: number) => number, depth = 0): string[] {
  return Array.from({ length: 1 + next(4) }, () => {
    const indent = '  '.repeat(depth);
    if (depth > 2 || next(3) > 0) return [`${indent}- ${leaves[next(leaves.length)]}`];
    const head = heads[next(heads.length)];
    const other = next(3) === 0 ? [`${indent}- Otherwise`, ...drawn(next, depth + 1)] : [];
    return [`${indent}- ${head}`, ...drawn(next, depth + 1), ...other];
  }).flat();
}

it.each([...points(1, 5, 200)])('reads back what it prints of random lines: %i', (seed) => {
  const text = `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n${drawn(random(seed)).join('\n')}\n### Notes\n- Mind\n\n## F($n)\n### Steps\n- Return $n\n\n# Kim:Human\n`;
  const compiled = compiledOf(readTree(text).tree);
  const { tree, diagnostics } = readTree(printCompiled(compiled));
  expect(diagnostics).toEqual([]);
  expect(compiledOf(tree)).toEqual(compiled);
});
