/** Playbooks as people write them who know no Markdown by heart, and other notations by habit. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { fileOf, program, rows, stepsOf } from './written.ts';

const mainRows = (text: string): string[] =>
  rows(fileOf(text).agents[0]?.playbooks[0]?.steps ?? []);

const odd = ['01:CND If $x > 3', '01.01:QUE Say(user, "big")', '02:ELS Otherwise'];
const even = ['02.01:QUE Say(user, "small")', '03:RET $x'];

describe('what lists look like elsewhere', () => {
  test.each([
    ['dashes', '– If $x > 3\n  – Say "big"\n— Otherwise\n  — Say "small"\n– Return $x'],
    ['bullets', '• If $x > 3\n  ◦ Say "big"\n• Otherwise\n  ◦ Say "small"\n• Return $x'],
    ['no blanks', '-If $x > 3\n  -Say "big"\n-Otherwise\n  -Say "small"\n1.Return $x'],
    ['letters', '1. If $x > 3\n   a. Say "big"\n2. Otherwise\n   a) Say "small"\n3. Return $x'],
    [
      'letters first',
      'a) If $x > 3\n   i. Say "big"\nb) Otherwise\n   i. Say "small"\nc) Return $x',
    ],
    [
      'a lazy Otherwise',
      '1. If $x > 3\n    - Say "big"\n   Otherwise:\n    - Say "small"\n2. Return $x',
    ],
    [
      'the ends of blocks',
      '- If $x > 3\n  - Say "big"\n- Otherwise\n  - Say "small"\n- ENDIF\n- Return $x',
    ],
    [
      'braces of other languages',
      '- if ($x > 3) {\n  - Say "big"\n- } else {\n  - Say "small"\n- }\n- Return $x',
    ],
    [
      'quotes of Markdown',
      '- If $x > 3\n  - > Say "big"\n- Otherwise\n  > Say "small"\n- Return $x',
    ],
    [
      'remarks',
      '- If $x > 3  # or 4\n  - Say "big"  # "so"\n- Otherwise\n  - Say "small"\n- Return $x  # it',
    ],
  ])('%s', (_, steps) => {
    const asWritten = [...odd, ...even].map((row) => row.replace('If ($x > 3)', 'If $x > 3'));
    const rows = stepsOf(steps).map((row) => row.replace('if ($x > 3)', 'If $x > 3'));
    expect(rows.map((row) => row.replace('ELS else', 'ELS Otherwise'))).toEqual(asWritten);
  });

  test('rows of a table belong to the line before', () => {
    expect(stepsOf('- Look it up in this table:\n\n| a | b |\n|---|---|\n\n- Return 1')).toEqual([
      '01:EXE? Look it up in this table:\n| a | b |\n|---|---|',
      '02:RET 1',
    ]);
  });

  test('headings with pictures and numbers, and without blanks', () => {
    const steps = '- 👋 Say "Hi"\n- End program ✅';
    const text = `# 🐶 Shop\n## 1. Main 🐾\n### ⏰ Triggers:\n- At the beginning\n### 2) 👣 Steps\n${steps}`;
    const said = ['01:QUE Say(user, "Hi")', '02:YLD for exit'];
    expect(mainRows(text)).toEqual(said);
    expect(mainRows(text.replace(/^(#+) (?:\P{L}*)/gmu, '$1'))).toEqual(said);
    // What something is found by is no heading.
    expect(fileOf(`# Shop\n#pets\n${text.slice(8)}`).agents).toHaveLength(1);
  });
});

test('a remark is one behind a value, a call or two blanks, and outside of quotes', () => {
  expect(stepsOf('- $n = 1 # how many')).toEqual(['01:EXE $n = 1']);
  expect(stepsOf('- F(1) # call it', '', ['F'])).toEqual(['01:QUE F(1)']);
  expect(stepsOf('- Say("a  # b")')).toEqual(['01:QUE Say(user, "a  # b")']);
  expect(stepsOf('- Tell the user they are # 1')).toEqual([
    '01:QUE Say(user, Tell the user they are # 1)',
  ]);
});

test.each([
  ['Call Sub with 3', 'Sub(3)'],
  ['Run Sub with x = 3 and $y: "a, b"', 'Sub(x=3, y="a, b")'],
  ['Execute the Sub playbook using $a, $b', 'Sub($a, $b)'],
  ['Use Sub(3) and save the result to $r', '$r = Sub(3)'],
])('a call with what it is given, in words: %s', (line, call) => {
  expect(stepsOf(`- ${line}`, '## Sub(x, $y=1)\n### Steps\n- Return x')[0]).toBe(`01:QUE ${call}`);
});

test.each(['Call Sub with care', 'Call Sub with z = 1', 'Call Sub with 1, 2, 3'])(
  'what it is given is for a model to say: %s',
  (line) => {
    const rest = '## Sub(x, $y=1)\n### Steps\n- Return x';
    expect(stepsOf(`- ${line}`, rest)[0]).toBe(`01:EXE? ${line}`);
  },
);

test.each([
  ['Return $x;', 'RET $x'],
  ['$x = 1;', 'EXE $x = 1'],
  ['If `$x > 0`, return 1', 'CND If $x > 0'],
  ['If `$x == "a"`, return 1', 'CND If $x == "a"'],
  ['Say "`$x > 3`"', 'QUE Say(user, "`$x > 3`")'],
  ['$x\u200b = 1\ufeff', 'EXE $x = 1'],
  ['Say "a\u200bb;"', 'QUE Say(user, "a\u200bb;")'],
  ['SAY("a")', 'QUE Say(user, "a")'],
])('what comes along from elsewhere: %j', (line, row) => {
  expect(stepsOf(`- ${line}`)[0]).toBe(`01:${row}`);
});

test('who adds to a list does not add up', () => {
  const set = ['$a = []', '$b:list = F()', 'Set $c to an empty list', '$n = 0'];
  const rows = stepsOf(
    [...set, 'Add 1 to $a', 'Add 2 to $b', 'Add 3 to $c', 'Add 4 to $n', '$n += 5']
      .map((line) => `- ${line}`)
      .join('\n'),
  ).filter((row) => !row.includes('YLD'));
  expect(rows.slice(4).map((row) => row.replace(/^\d+:/, ''))).toEqual([
    ...['EXE? Add 1 to $a', 'EXE? Add 2 to $b', 'EXE? Add 3 to $c', 'EXE $n = $n + 4'],
    'EXE $n = $n + 5',
  ]);
});

test.each(['Goto 3', 'Go to 3.', 'go back to 3', 'Jump to 3', 'Skip to 3'])(
  'a jump: %s',
  (line) => {
    expect(stepsOf(`1. If $x\n   - ${line}\n2. $x = 1\n3. Return 1`)[1]).toBe('01.01:JMP 03');
  },
);

describe('marks between a condition and what is done', () => {
  test.each([
    'If $x > 3 → say "big"',
    'If $x > 3 => say "big"',
    'If $x > 3 -> say "big"',
    'If $x > 3 say "big"',
  ])('%s', (line) => {
    expect(stepsOf(`- ${line}`)).toEqual(odd.slice(0, 2));
  });

  test('none where nothing is compared, and none in front of a variable alone', () => {
    expect(stepsOf('- If they are unable to return it, say "a"')[0]).toBe(
      '01:CND If they are unable to return it',
    );
    expect(stepsOf('- If $x is known, F(1) -> $y', '', ['F'])[1]).toBe('01.01:QUE $y = F(1)');
  });

  test('a head ends before what is done if something else holds', () => {
    const line = 'While there are bills, take the next one, and if so, remind the customer';
    expect(stepsOf(`- ${line}`).slice(0, 2)).toEqual([
      '01:LOP While there are bills',
      '01.01:EXE? take the next one, and if so, remind the customer',
    ]);
  });

  test('cases under a line in words are in words, too, with what else there is', () => {
    const cases = '- Depending on $x:\n  - few: Say "a"\n  - otherwise: say "b"';
    const { diagnostics } = checkProgram(
      program(cases),
      { tools: new Map(), inputs: ['x'] },
      { dialect: 'playbook' },
    );
    expect(diagnostics).toEqual([]);
    expect(stepsOf(cases).slice(1)).toEqual([
      ...['01.01:CND When $x is few', '01.01.01:QUE Say(user, "a")'],
      ...['01.02:ELS otherwise', '01.02.01:QUE Say(user, "b")'],
    ]);
  });
});

describe('what is said, and what is done besides', () => {
  test.each([
    ['say "Closed" and go back to step 1', ['Say(user, "Closed")', 'JMP 01']],
    ['dire « Fini » et terminer le programme', ['Say(user, "Fini")', 'YLD for exit']],
    ['Say "Closed" and stop', ['EXE? Say "Closed" and stop']],
    ['Tell the user: "Call us; ask for Ann"', ['Say(user, "Call us; ask for Ann")']],
    ['say("lower")', ['Say(user, "lower")']],
    ['**Say:** *"Bye!"*', ['Say(user, "Bye!")']],
    ['Tell the user what F($x) gives', ['EXE? Tell the user what F($x) gives']],
  ])('%s', (line, steps) => {
    const found = stepsOf(`- ${line}`, '', ['F']);
    expect(found.map((one) => one.replace(/^\d\d:(?:QUE )?/, ''))).toEqual(steps);
  });

  test.each([
    ['Ask the candidate $question and keep the answer in $answer', '$answer'],
    ['Ask "What is it?" and store it as $answer', '$answer'],
    ['Ask the person $name', '$name'],
    ['Demander son $âge', '$âge'],
  ])('%s asks for %s', (line, name) => {
    const { steps } = fileOf(program(`- ${line}`)).agents[0]?.playbooks[0] ?? {};
    expect(steps?.[0]?.asks).toContain(name);
  });

  test('links show names off', () => {
    const refund = '## Refund\n### Steps\n- Return 1';
    expect(stepsOf('- [Refund](#refund)\n- [F](https://a.b/c)(1)', refund, ['F'])).toEqual([
      '01:QUE Refund()',
      '02:QUE F(1)',
    ]);
  });
});

test.each(['both', 'all of them', 'the results', 'the two searches to finish', 'all calls'])(
  'Wait for %s waits for what was called for',
  (what) => {
    const steps = `- $a = F(1)\n- $b = F(2)\n- Wait for ${what}\n- Return $a`;
    expect(stepsOf(steps, '', ['F'])[2]).toBe('03:YLD for call');
  },
);
