/** Lines that say again and again: which are loops, and what they go over. */
import { describe, expect, test } from 'vitest';
import { roundsOf } from '../../../src/dialects/playbook/compiled/rounds.ts';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import { draft } from '../../../src/dialects/playbook/steps/draft.ts';
import { namesFor } from '../../../src/dialects/playbook/steps/names/names.ts';
import { withYields } from '../../../src/dialects/playbook/steps/yields/yields.ts';
import { loopHead } from '../../../src/dialects/playbook/text/loop-heads.ts';
import { fileOf, mainOf, program, stepsOf } from './written.ts';

describe('loops in common words', () => {
  const body = (head: string): string[] => stepsOf(`- ${head}\n  - Say "a"`);
  const back = ['01.01:QUE Say(user, "a")', '01.02:JMP 01'];

  test.each<[string, string]>([
    ['Do this for each $x in $all', 'For each $x in $all'],
    ['Do the following for every bike in $all:', 'For every bike in $all'],
    ['Repeat for each $x in $all', 'For each $x in $all'],
    ['Do the following steps until $x is 5', 'Do the following steps until $x is 5'],
    ['Do this while $x < 5:', 'Do this while $x < 5'],
    ['Repeat until $x is 5', 'Repeat until $x is 5'],
    ['Do the following 3 times', 'Do the following 3 times'],
    ['Do this three times:', 'Do this three times'],
    ['Do this $n times', 'Do this $n times'],
    ['Go through each $x in $all:', 'For each $x in $all'],
    ['Iterate over every $x of the list $all', 'For every $x of the list $all'],
    ['Loop over $x in $all', 'For each $x in $all'],
    ['Loop through the list $all as $x', 'For each $x in $all'],
    ['foreach ($all as $x)', 'For each $x in $all'],
    ['Process each $x in $all:', 'For each $x in $all'],
    ['Foreach $x in $all', 'Foreach $x in $all'],
    ['**For each** $x in `$all`:', 'For each $x in $all'],
    ['*While* $x is empty:', 'While $x is empty'],
    ['🔁 FOR EACH $x IN $all', 'FOR EACH $x IN $all'],
    ['Step 2: Until $x is set', 'Until $x is set'],
    ['Iterate over $all', 'Iterate over $all'],
    ['Count $i from 1 to 3', 'For $i from 1 to 3'],
    ['for i = 1 to 3:', 'for i = 1 to 3'],
    ['For $i in 1..$n', 'For $i in 1..$n'],
    ['Three times:', 'Three times'],
    ['Twice', 'Twice'],
    ['Try again up to 3 times', 'Try again up to 3 times'],
    ['Répète ceci 3 fois :', 'Répète ceci 3 fois'],
    ['For each of the 3 rounds', 'For each of the 3 rounds'],
    ['Keep asking until $x is set', 'Keep asking until $x is set'],
    ['Forever:', 'Forever'],
  ])('%s', (head, want) => {
    expect(body(head)).toEqual([`01:LOP ${want}`, ...back]);
  });

  test('what the loop goes over is a variable of it', () => {
    const [loop] = mainOf(program('- Do this for each $x in $all\n  - Say "{$x}"')).steps;
    expect(loop?.writes).toEqual(['$x']);
    expect(loop?.reads).toEqual(['$all']);
  });

  test('words that name no loop, or without lines of their own, are left to a model', () => {
    expect(stepsOf('- Do this until $x is set')).toEqual(['01:EXE? Do this until $x is set']);
    expect(body('Do this with care')[0]).toBe('01:EXE? Do this with care');
    for (const text of [
      'Do the following 3 times a day',
      'Once the user has paid',
      'Check each $x for faults',
      'Greet each $x in $all',
      'Keep the user waiting until $x is set',
    ]) {
      expect(body(text)[0]).toBe(`01:EXE? ${text}`);
    }
    const many = 'For guests in Berlin, say where the station is';
    expect(stepsOf(`- ${many}`)).toEqual([`01:EXE? ${many}`]);
    expect(stepsOf('- For x in [1, 2], F(x)', '', ['F'])[0]).toBe('01:LOP For x in [1, 2]');
  });
});

describe('what a head goes over', () => {
  const list = (written: string) => ({ kind: 'list', written });
  const numbers = (first: unknown, last: unknown) => ({ kind: 'numbers', first, last });
  const times = (count: unknown, isMost = false) => ({ kind: 'times', count, isMost });

  test.each<readonly [string, readonly string[], object | undefined]>([
    ['For each $x in $all', ['$x'], list('$all')],
    ['For each $x in ["a", "b"]', ['$x'], list('["a", "b"]')],
    ['For every bike $bike of the list $bikes', ['$bike'], list('$bikes')],
    ['For each $x in $all, one by one', ['$x'], list('$all')],
    ['For each $x in $all (in order) do the following', ['$x'], list('$all')],
    ['For each book from $a', ['book'], list('$a')],
    ['For $name, $price in $all', ['$name', '$price'], list('$all')],
    ['For each $a and $b in $all', ['$a', '$b'], list('$all')],
    ['Pour chaque $x de $liste', ['$x'], list('$liste')],
    ['For each $x in the first three of $all', ['$x'], undefined],
    ['For each $x in $all that is free', ['$x'], undefined],
    ['For each $x in $all in reverse order', ['$x'], undefined],
    ['For each of the guests', [], undefined],
    ['For all of $list', [], undefined],
    ['For $i from 1 to 3', ['$i'], numbers(1, 3)],
    ['For each $i in 0..$n', ['$i'], numbers(0, '$n')],
    ['For $i in range(3)', ['$i'], { ...numbers(0, 3), isOpen: true }],
    ['For $i in range(2, $n)', ['$i'], { ...numbers(2, '$n'), isOpen: true }],
    ['For $i in range($n, 0, -1)', ['$i'], { ...numbers('$n', 0), step: -1, isOpen: true }],
    ['For $i in range(0, 5, 0)', ['$i'], undefined],
    ['For $i in range(len($all))', ['$i'], { ...list('$all'), isIndex: true }],
    ['For $i, $x in enumerate($all)', ['$i', '$x'], { ...list('$all'), isIndex: true }],
    ['For $i, $x in enumerate($all, 1)', ['$i', '$x'], { ...list('$all'), isIndex: true }],
    ['For $i in range(len($all) - 1)', ['$i'], undefined],
    ['For $i in range(1, len($all))', ['$i'], undefined],
    ['For each number $i between one and five', ['$i'], numbers(1, 5)],
    ['for i := 1 to 3', ['i'], numbers(1, 3)],
    ['Pour $i de 1 à 3', ['$i'], numbers(1, 3)],
    ['For $i from 3 down to 1', ['$i'], { ...numbers(3, 1), step: -1 }],
    ['For $i from 3 to 1', ['$i'], { ...numbers(3, 1), step: -1 }],
    ['For $i from $n down to 0 by 2', ['$i'], { ...numbers('$n', 0), step: -2 }],
    ['For $i from 1 to 9 in steps of 2', ['$i'], { ...numbers(1, 9), step: 2 }],
    ['3 times', [], times(3)],
    ['Do this twice', [], times(2)],
    ['Repeat the following steps exactly $n times', [], times('$n')],
    ['For each of the 3 rounds', [], times(3)],
    ['Up to 3 times', [], times(3, true)],
    ['Repeat 3 times or until $x is set', [], times(3, true)],
    ['While $x is empty (up to three times)', [], times(3, true)],
    ['While $x > 3', [], undefined],
    ['Repeat 3 times a day', [], undefined],
    ['Repeat until it was said 3 times', [], undefined],
  ])('%s', (text, items, over) => {
    expect(loopHead(text)).toEqual({ items, ...(over && { over }) });
  });

  test.each([
    ...['For every second $x in $all', 'For each valid $x in $all', 'For some $x in $all'],
    ...['For each remaining order $x in $all', 'For every other $x in $all'],
    ...[
      'For each even $x in [1, 2]',
      'For each odd number $x from 1 to 9',
      'For any new $x of $all',
    ],
  ])('words before an item may leave some out: %s', (text) => {
    expect(loopHead(text)).toMatchObject({ items: ['$x'], isPart: true });
  });

  test.each([
    ...['For each item $x in $all', 'For every single $x in $all', 'For each bike $x in $bikes'],
    ...['For each customer $cust in $all', 'For each free bike $x in $free_bikes'],
    ...['Pour chaque vélo $velo dans $all', 'For each number $i from 1 to 9'],
  ])('and may say what it is: %s', (text) => {
    const { isPart, over } = loopHead(text);
    expect([isPart, over?.kind]).toEqual([undefined, expect.stringMatching(/^(list|numbers)$/)]);
  });
});

test('rounds of a loop that says its bounds are counted, of two items at once the rounds alone', () => {
  const counted = (head: string) => {
    const file = link(fileOf(program(`- $all = []\n- ${head}\n  - Say "a"`)));
    const [rounds] = roundsOf(file.agents[0]?.playbooks[0]?.lines ?? new Map()).values();
    return rounds && { item: rounds.item, items: rounds.items };
  };
  const numbers = { kind: 'numbers', first: 1, last: 3 };
  expect(counted('For $i from 1 to 3')).toEqual({ item: '$i', items: numbers });
  expect(counted('For each odd number $i from 1 to 3')).toBeUndefined();
  expect(counted('Three times')).toEqual({ item: undefined, items: numbers });
  expect(counted('For each $x in $all')).toEqual({
    item: '$x',
    items: { kind: 'variable', name: '$all' },
  });
  expect(counted('For each $x, $y in $all')).toEqual({
    item: undefined,
    items: { kind: 'variable', name: '$all' },
  });
  expect(counted('For each $x in the rest of $all')).toBeUndefined();
});

describe('what is on its way where a line goes on with the next round', () => {
  const body = (...lines: readonly string[]) =>
    stepsOf(lines.join('\n'), '', ['price']).map((step) => step.replace(/QUE Say.*/, 'QUE Say'));

  test('is not waited for there, but where it is used', () => {
    const lines = ['- $p = price($x)', '- If $x == "a"', '  - Go on with the next one'];
    const all = ['- For each $x in $all', ...lines.map((line) => `  ${line}`), '  - Say("{$p}")'];
    expect(body(...all)).toEqual([
      ...['01:LOP For each $x in $all', '01.01:QUE $p = price($x)', '01.02:CND If $x == "a"'],
      ...['01.02.01:JMP 01', '01.03:YLD for call', '01.04:QUE Say', '01.05:JMP 01'],
    ]);
    const next = ['- For each $x in $all', '  - Say("{$p}")', ...lines.map((line) => `  ${line}`)];
    expect(body(...next)).toEqual([
      ...['01:LOP For each $x in $all', '01.01:YLD for call', '01.02:QUE Say'],
      ...['01.03:QUE $p = price($x)', '01.04:CND If $x == "a"', '01.04.01:JMP 01', '01.05:JMP 01'],
    ]);
  });

  test('is waited for behind a loop that may have no round', () => {
    const lines = ['- $p = price(1)', '- For each $x in $all', '  - Ask user for $y'];
    expect(body(...lines, '- Say("{$p}")').slice(-2)).toEqual(['03:YLD for call', '04:QUE Say']);
  });

  test('is waited for where the head asks for it, and where another loop goes on', () => {
    const whiled = ['- While $go', '  - $go = price(1)', '  - If $x', '    - Continue'];
    expect(body(...whiled, '  - Say("a")')).toContain('01.02.01:YLD for call');
    const outer = ['- For each $a in $all', '  - For each $b in $all', '    - $p = price($b)'];
    const jump = ['    - If $b', '      - Continue with the next $a', '    - Say("{$p}")'];
    expect(body(...outer, ...jump)).toContain('01.01.02.01:YLD for call');
  });
});

test('loops within loops are gone through once for what is on its way, not for each around', () => {
  const file = fileOf(program('- Say "a"'));
  const [agent] = file.agents;
  if (!agent) throw new Error('no agent');
  const place = { line: 1, column: 1 };
  let lines = [draft('QUE', 'Feed()', place)];
  for (let level = 0; level < 20; level++) {
    lines = [draft('QUE', 'Feed()', place), draft('LOP', 'For each $x in $all', place, lines)];
  }
  let looks = 0;
  const effects = (): ReadonlySet<string> => {
    looks++;
    return new Set();
  };
  withYields(lines, { names: namesFor(agent, file), locals: new Set(), effects });
  // Twice over would be a million.
  expect(looks).toBeGreaterThan(20);
  expect(looks).toBeLessThan(5_000);
});

test.each([
  ['Read the ingredients to the user, one by one:', 'LOP'],
  ['With each customer, do this:', 'LOP'],
  ['Do this for all $items:', 'LOP'],
  ['Over and over:', 'LOP'],
  ['Let the user guess up to 5 times:', 'LOP'],
  ['Chat with the user until they say goodbye:', 'LOP'],
  ['Interview the user about each of their skills:', 'LOP'],
  ['Interview the user about each of their skills', 'EXE?'],
  ['Collect all details:', 'EXE?'],
  ['Before every call:', 'EXE?'],
  ['Prepare the order:', 'EXE'],
  ['Do all of the following:', 'EXE'],
])('a head in words over lines may be one of a loop: %s', (head, code) => {
  const steps = stepsOf(`- $items = [1]\n- ${head}\n  - Ask user for $x\n  - Say("ok")`);
  expect(steps[1]).toBe(`02:${code} ${code === 'LOP' ? head.replace(/:$/, '') : head}`);
  expect(steps.at(-1)).toBe(code === 'LOP' ? '02.04:JMP 02' : '02.03:QUE Say(user, "ok")');
});

test.each(['Ask these questions one by one:', 'Ask the user the following, one at a time:'])(
  'what is asked one by one is no single question: %s',
  (head) => {
    expect(stepsOf(`- ${head}\n  - How old are you?\n  - Say "a"`)).toEqual([
      ...[`01:EXE? ${head}`, '01.01:EXE? How old are you?', '01.02:QUE Say(user, "a")'],
    ]);
  },
);

test('what is done for each of the lines under a head is no loop of them', () => {
  for (const head of ['For each of these, ask how much it was:', 'For each of the following:']) {
    expect(stepsOf(`- ${head}\n  - Food\n  - Rent`)).toEqual([
      ...[`01:EXE? ${head}`, '01.01:EXE? Food', '01.02:EXE? Rent'],
    ]);
  }
  const [guests] = stepsOf('- For all of these guests:\n  - Say "a"');
  expect(guests).toBe('01:LOP For all of these guests');
});
