/** Variables that are set on some ways to where they are read, and not on others. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { program } from './written.ts';

function said(steps: string, rest = ''): string[] {
  const environment = { tools: new Map(), inputs: ['a', 'b', 'all'] };
  const checked = checkProgram(program(steps, rest), environment, { dialect: 'playbook' });
  return checked.diagnostics.map(({ code, line, message }) => `${line}: ${code} ${message}`);
}

const perhaps = (line: number, name: string, where: string): string =>
  `${line}: PV2420 got ${name}, which may be unset: nothing sets it where ${where}`;

describe('a variable that may be unset', () => {
  test.each([
    ['under If alone', '- If $a\n  - $x = 1\n- Say "{$x}"', 9, '$x', '01 does not hold'],
    [
      'under Otherwise alone',
      '- If $a\n  - Say "a"\n- Otherwise\n  - $x = 1\n- Return $x + 1',
      11,
      '$x',
      '01 holds',
    ],
    ['of the call', '- If $a\n  - x = 1\n- Say "{x}"', 9, 'x', '01 does not hold'],
    ['in a call', '- If $a\n  - $x = 1\n- F($x)', 9, '$x', '01 does not hold'],
    ['compared', '- If $a\n  - $x = 1\n- If $x > 3, return 1', 9, '$x', '01 does not hold'],
    [
      'within a branch',
      '- If $a\n  - If $b\n    - $x = 1\n  - Say "{$x}"',
      10,
      '$x',
      '01.01 does not hold',
    ],
    [
      'of one round',
      '- For each $n in $all\n  - If $n > 3\n    - $x = $n\n- Say "{$x}"',
      10,
      '$x',
      '01.01 does not hold',
    ],
    [
      'in one case of three',
      '- If $a == 1\n  - $x = 1\n- Otherwise if $a == 2\n  - Say "b"\n- Otherwise\n  - $x = 3\n- Say "{$x}"',
      13,
      '$x',
      '02 holds',
    ],
  ])('%s', (_, steps, line, name, where) => {
    const own = '## F(n)\n### Steps\n- Say "{n}"\n';
    expect(said(steps, own)).toEqual([perhaps(line, name, where)]);
  });

  test('is said once, with the condition', () => {
    const steps = '- If $a\n  - $x = 1\n- Say "{$x}"\n- Say "{$x}"';
    const environment = { tools: new Map(), inputs: ['a'] };
    const { diagnostics } = checkProgram(program(steps), environment, { dialect: 'playbook' });
    expect(diagnostics).toMatchObject([
      {
        line: 9,
        notes: [{ line: 7, message: 'this decides' }],
        hint: 'set $x before, or on both ways',
      },
    ]);
  });
});

test('what a While asks for before its first round, and only its rounds set', () => {
  const found = '- While F($x)\n  - $x = $a\n- While $n < 3\n  - $n = $n + 1';
  const only = (name: string, head: string): string =>
    `PV2420 got ${name}, which only the rounds of ${head} set: the first has none`;
  const f = '## F(n)\n### Steps\n- Return n\n';
  expect(said(found, f)).toEqual([`7: ${only('$x', '01')}`, `9: ${only('$n', '02')}`]);
  const before = '- $x = 1\n- While F($x)\n  - $x = $a';
  expect(said(before, f)).toEqual([]);
  expect(said('- Do this until $n > 3\n  - $n = $a\n- While $m is empty\n  - $m = 1')).toEqual([]);
  expect(said('- For each $i in $all\n  - While F($x)\n    - $x = 2\n  - $x = 1', f)).toEqual([]);
});

describe('what is no such variable', () => {
  const set = '- If $a\n  - $x = 1\n';
  test.each([
    ['set on both ways', `${set}- Otherwise\n  - $x = 2\n- Say "{$x}"`],
    ['set before', `- $x = 0\n${set}- Say "{$x}"`],
    ['set in the rounds of a loop', '- For each $n in $all\n  - $x = $n\n- Say "{$x}"'],
    ['where the other way returns', `${set}- Otherwise\n  - Return 0\n- Say "{$x}"`],
    ['where it ends the program', `${set}- Otherwise\n  - End program\n- Say "{$x}"`],
    ['where it goes back', `${set}- Otherwise\n  - Start over\n- Say "{$x}"`],
    ['where a playbook ends the program', `${set}- Otherwise\n  - Leave()\n- Say "{$x}"`],
    ['where a line may set it', `${set}- Otherwise\n  - Sort things out\n- Say "{$x}"`],
    [
      'asked for where it is not set',
      `${set}- If $x is not set\n  - Ask user for $x\n- Say "{$x}"`,
    ],
    ['read under a condition of its own', `${set}- If $b\n  - Say "{$x}"`],
    ['read where another way has gone', `${set}- If not $a\n  - Return 0\n- Say "{$x}"`],
    ['read in rounds that there may not be', `${set}- For each $n in $all\n  - Say "{$x} {$n}"`],
    ['an input', '- If $b\n  - $a = 1\n- Say "{$a}"'],
    ['set in its own branch', `${set}  - Say "{$x}"`],
  ])('%s', (_, steps) => {
    const own = '## Leave\n### Steps\n- Say "Bye"\n- End program\n';
    expect(said(steps, own)).toEqual([]);
  });

  test('what another playbook may have set', () => {
    const own = '## F\n### Steps\n- $x = 2\n';
    expect(said(`${set}- Say "{$x}"`, own)).toEqual([]);
    expect(said('- If $a\n  - x = 1\n- Say "{x}"', own.replace('$', ''))).toEqual([
      perhaps(9, 'x', '01 does not hold'),
    ]);
  });
});

describe('what nobody has, in braces of a quotation', () => {
  test('is said with its braces', () => {
    expect(said('- Say("Hello {late}, {late}")')).toEqual([
      '7: PV2406 got {late}, which nothing sets: it is said as it stands',
    ]);
  });

  test.each([
    '- Say("Hello {a}")',
    '- Work out what is late\n- Say("Hello {late}")',
    '- $late = 1\n- Say("Hello {late}")',
    '- Say("One of {1} and { x, y }")',
    '- Say(greet with {late})',
  ])('not where it may be there, or be words: %s', (steps) => {
    expect(said(steps)).toEqual([]);
  });
});

describe('what only another playbook has', () => {
  const caller = '- region = "north"\n- list = [1]\n- n = 3\n- Note(region)\n- Callee()';
  const callee = (steps: string): string =>
    `## Note(what)\n### Steps\n- Say("{what}")\n\n## Callee\n### Steps\n${steps}\n`;

  test.each([
    ['region', '- Note(region)'],
    ['region', '- Note(what=region)'],
    ['region', '- Return region'],
    ['region', '- $y = region'],
    ['region', '- If region == "north"\n  - Return 1'],
    ['n', '- While n > 3\n  - Note(1)'],
    ['list', '- For each $y in list\n  - Note($y)'],
  ])('%s in %s', (name, steps) => {
    expect(said(caller, callee(steps))).toEqual([
      `18: PV2406 got ${name}, which only another playbook has`,
    ]);
  });

  test.each([
    '- Return the region',
    '- If "region" == $a\n  - Return 1',
    '- If the region is north\n  - Return 1',
    '- If region is set\n  - Return 1',
    '- Note("region")',
    '- region = "south"\n- Note(region)',
    '- Look up the region in the list',
  ])('not what may be a word: %s', (steps) => {
    expect(said(caller, callee(steps))).toEqual([]);
  });
});
