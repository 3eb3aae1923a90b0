/** Calls in heads and in what is returned are steps of their own, which come when they are due. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const F = ['F', 'G'];

test('calls in what is returned come before it', () => {
  expect(stepsOf('- Return [F("a"), F("b")]', '', F)).toEqual([
    '01:QUE f_1 = F("a")',
    '02:QUE f_2 = F("b")',
    '03:RET [f_1, f_2]',
  ]);
  expect(stepsOf('- Return F(G($a)) + 1', '', F)).toEqual([
    ...['01:QUE g_1 = G($a)', '02:YLD for call', '03:QUE f_1 = F(g_1)', '04:YLD for call'],
    '05:RET f_1 + 1',
  ]);
  expect(stepsOf('- Return F($a)', '', F)).toEqual(['01:RET F($a)']);
  expect(stepsOf('- Return "F(1) + 1"', '', F)).toEqual(['01:RET "F(1) + 1"']);
});

test('calls in the head of a loop come before each round, also before one begun early', () => {
  const loop =
    '- $a = 1\n- While not F($a)\n  - $a = $a + 1\n  - If $a is odd, continue\n  - Say("on")';
  expect(stepsOf(loop, '', F)).toEqual([
    ...['01:EXE $a = 1', '02:QUE f_1 = F($a)', '03:YLD for call', '04:LOP While not f_1'],
    ...['04.01:EXE $a = $a + 1', '04.02:CND If $a is odd'],
    ...['04.02.01:QUE f_1 = F($a)', '04.02.02:YLD for call', '04.02.03:JMP 04'],
    ...['04.03:QUE Say(user, "on")', '04.04:QUE f_1 = F($a)', '04.05:YLD for call', '04.06:JMP 04'],
  ]);
});

test('what a round is over with is called behind it, also where it needs nothing of it', () => {
  expect(stepsOf('- Repeat until F("a")\n  - Say("b")', '', F)).toEqual([
    ...['01:LOP Repeat until f_1', '01.01:QUE Say(user, "b")', '01.02:QUE f_1 = F("a")'],
    ...['01.03:YLD for call', '01.04:JMP 01'],
  ]);
  expect(stepsOf('- Repeat F("a") times\n  - Say("b")', '', F).slice(0, 3)).toEqual([
    ...['01:QUE f_1 = F("a")', '02:YLD for call', '03:LOP Repeat f_1 times'],
  ]);
});

test('what a plain part in front decides is not called for', () => {
  expect(stepsOf('- $n = 0\n- While $n < 3 and F($n)\n  - $n = $n + 1', '', F)).toEqual([
    ...['01:EXE $n = 0', '02:CND If $n < 3', '02.01:QUE f_1 = F($n)', '03:YLD for call'],
    ...['04:LOP While $n < 3 and f_1', '04.01:EXE $n = $n + 1', '04.02:CND If $n < 3'],
    ...['04.02.01:QUE f_1 = F($n)', '04.03:YLD for call', '04.04:JMP 04'],
  ]);
  const heads = (line: string): string[] => stepsOf(`- ${line}\n  - Say("a")`, '', F);
  expect(heads('If $k == "a or b" or $k is empty or F(1)').slice(0, 2)).toEqual([
    '01:CND If not ($k == "a or b" or $k is empty)',
    '01.01:QUE f_1 = F(1)',
  ]);
  expect(stepsOf('- Return 1 if len($k) > 2 and $k[0] and not F(1)', '', F).slice(0, 2)).toEqual([
    '01:CND If len($k) > 2 and $k[0]',
    '01.01:QUE f_1 = F(1)',
  ]);
  for (const line of [
    ...['If F(1) and $k > 2', 'If $k is between 1 and F(1)', 'If F(1) and G(1)', 'If not F(1)'],
  ]) {
    expect([line, heads(line)[0]]).toEqual([line, '01:QUE f_1 = F(1)']);
  }
  expect(heads('If F(1) and G(1)').slice(1, 4)).toEqual([
    ...['02:YLD for call', '03:CND If f_1', '03.01:QUE g_1 = G(1)'],
  ]);
  expect(heads('If $k is 7 and F(1) is late')[0]).toBe('01:CND If $k is 7');
});

test('where nobody can say what decides whether a call is made, the line is for a model', () => {
  expect(stepsOf('- If the user agrees and F(1):\n  - Say("a")', '', F)[0]).toMatch(/^01:EXE\?/);
  for (const head of ['If the user agrees and F(1)', 'If $k or $n and F(1)', 'If [$k and F(1)]']) {
    expect(stepsOf(`- ${head}\n  - Say("a")`, '', F)[0]).toBe(`01:EXE? ${head}`);
  }
  for (const line of [
    '$x = F(1) if $k > 2 else 0',
    'Return [F(x) for x in $k]',
    '$x = 5 and F(1)',
  ]) {
    expect(stepsOf(`- ${line}`, '', F)).toEqual([`01:EXE? ${line}`]);
  }
  expect(stepsOf('- $x = $k > 2 and F(1)', '', F).slice(0, 2)).toEqual([
    ...['01:CND If $k > 2', '01.01:QUE f_1 = F(1)'],
  ]);
});

test('the way back of a loop within does not ask the one around', () => {
  const loops = '- While F(1)\n  - For each $x in [1, 2]\n    - Say("{$x}")';
  expect(stepsOf(loops, '', F).slice(3)).toEqual([
    ...['03.01:LOP For each $x in [1, 2]', '03.01.01:QUE Say(user, "{$x}")', '03.01.02:JMP 03.01'],
    ...['03.02:QUE f_1 = F(1)', '03.03:YLD for call', '03.04:JMP 03'],
  ]);
});

test('a head that is about what only its rounds make calls behind them', () => {
  const loop = '- Until F($pin)\n  - Ask the user for the $pin';
  const rounds = (head: string): string[] => [
    ...[`01:LOP ${head} f_1`, '01.01:QUE Say(user, Ask the user for the $pin)'],
    ...['01.02:YLD for user', '01.03:QUE f_1 = F($pin)', '01.04:YLD for call', '01.05:JMP 01'],
  ];
  expect(stepsOf(loop, '', F)).toEqual(rounds('Until'));
  expect(stepsOf(loop.replace('Until', 'While not'), '', F)).toEqual(rounds('While not'));
  expect(stepsOf(loop.replace('Until', 'Do the following until'), '', F)).toEqual(
    rounds('Do the following until'),
  );
  // Where it has to hold to go in, it is asked of what nobody has yet.
  expect(stepsOf(loop.replace('Until', 'While'), '', F)[0]).toBe('01:LOP While F($pin)');
  expect(stepsOf(`- Ask the user for the $pin\n${loop}`, '', F)[2]).toBe('03:QUE f_1 = F($pin)');
});

test('an Otherwise calls where nothing before it has held', () => {
  const lines =
    '- If $k == 1\n  - Return "one"\n- Otherwise if F(7)\n  - Say("seven")\n' +
    '- Else if G($k) > 2\n  - Say("many")\n- Otherwise\n  - Say("none")\n- Return "no"';
  expect(stepsOf(lines, '', F)).toEqual([
    ...['01:CND If $k == 1', '01.01:RET "one"', '02:ELS Otherwise'],
    ...['02.01:QUE f_1 = F(7)', '02.02:YLD for call', '02.03:CND If f_1'],
    ...['02.03.01:QUE Say(user, "seven")', '02.04:ELS Otherwise'],
    ...['02.04.01:QUE g_1 = G($k)', '02.04.02:YLD for call', '02.04.03:CND If g_1 > 2'],
    ...['02.04.03.01:QUE Say(user, "many")', '02.04.04:ELS Otherwise'],
    ...['02.04.04.01:QUE Say(user, "none")', '03:RET "no"'],
  ]);
});

test.each([
  ...['If F(1) fails', 'Unless F(1) succeeds', 'If calling F(1) has failed', 'While F(1) fails'],
  ...[
    'If F(1) and G(2) fail',
    'If $x > 3 and F(1) fails',
    "If F(1) doesn't work",
    'If F(1) throws',
  ],
  ...['If F(1) raises an error', 'If F(1) returns an error', 'If F(1) times out', 'If F(1) errors'],
  ...['If F(1) is not successful', 'If an error occurs in F(1)', 'Until F(1) works'],
])('whether a call fails, its result may say, or the call itself: %s', (head) => {
  expect(stepsOf(`- ${head}, say "a"`, '', F)).toEqual([`01:EXE? ${head}, say "a"`]);
  expect(stepsOf(`- ${head}\n  - Say("a")`, '', F)[0]).toBe(`01:EXE? ${head}`);
});

test('a condition sets no variable', () => {
  for (const head of ['If $x := F(1)', 'If ($x = F(1)) > 3', 'While $x := F(1)']) {
    expect(stepsOf(`- ${head}, say "a"`, '', F)).toEqual([`01:EXE? ${head}, say "a"`]);
  }
  expect(stepsOf('- If F(n=1) > 3, say "a"', '', F)[0]).toBe('01:QUE f_1 = F(n=1)');
});

test.each([
  ['If F(1) finds an error', 'If f_1 finds an error'],
  ['If F(1) has errors', 'If f_1 has errors'],
  ['If F(1) is "failed"', 'If f_1 is "failed"'],
  ['If F(1) is 3 and nothing failed', 'If f_1 is 3 and nothing failed'],
])('what a call gives may be about errors: %s', (head, want) => {
  expect(stepsOf(`- ${head}, say "a"`, '', F)[2]).toBe(`03:CND ${want}`);
});
