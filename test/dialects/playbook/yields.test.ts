/** Where a playbook gives control back for what has been called, or asked. */
import { describe, expect, test } from 'vitest';
import { stepsOf } from './written.ts';

describe('a condition on how a call has ended', () => {
  const wait = (call: string, condition: string): boolean =>
    stepsOf(`- $x = 1\n- ${call}\n- ${condition}\n  - Say("a")`, '', ['Pay'])[2] ===
    '03:YLD for call';

  test.each([
    ['Pay(3)', 'If the payment has failed'],
    ['Pay(3)', 'If the last call failed'],
    ['Pay(3)', 'Unless the payment went through'],
    ['Pay(3)', 'While there are errors'],
    ['$r = Pay($x)', 'If the payment of $x has failed'],
    ['$r = Pay($x)', 'When paying $x was a success'],
    ['Pay(3)', 'Si le paiement a échoué'],
  ])('waits for it: %s, %s', (call, condition) => {
    expect(wait(call, condition)).toBe(true);
  });

  test.each([
    ['Pay(3)', 'If the user is in a hurry'],
    ['$r = Pay(3)', 'If $x has failed'],
    ['$r = Pay(3)', 'If $x is "failed"'],
    ['$r = Pay($x)', 'If $x.errors > 3'],
  ])('of anything else does not: %s, %s', (call, condition) => {
    expect(wait(call, condition)).toBe(false);
  });
});

describe('a wait that is written behind a question is the one for its answer', () => {
  const waits = (steps: string): number =>
    stepsOf(steps).filter((row) => row.endsWith('YLD for user')).length;
  const ask = '- Say("Which animal do you like?")';
  const turn = '  - Wait for the user to say something\n  - Say("I see.")';

  test.each([
    `${ask}\n- $n = 0\n- $text = ""\n- Wait for the user`,
    `${ask}\n- Say("Take your time.")\n- Wait for the user`,
    `${ask}\n- $n = 0\n- While the child has not said goodbye\n${turn}`,
    `${ask}\n- While $n < 3\n${turn}`,
    `${ask}\n- Until they say goodbye\n${turn}`,
    `${ask}\n- Repeat 3 times\n${turn}\n  - Say("And else?")`,
    `- While the child has not said goodbye\n${turn}\n  - If $x\n    - Say("What else?")`,
    `${ask}\n- While not $done\n  - $n = 1\n${turn}\n  - Say("What else?")`,
    `${ask}\n- While they want to go on\n${turn}`,
    `- Welcome them and ask what they would like to talk about\n- While the talk goes on\n${turn}`,
    `- Ask how you can help\n- As long as the user has questions\n${turn}`,
    `- Ask the user for a topic\n- While the conversation is ongoing\n${turn}`,
    `- Say("Hi, {$x}. So what shall we talk about?")\n- While the child wants to talk\n${turn}`,
  ])('%s', (steps) => {
    expect(waits(steps)).toBe(1);
  });

  test.each([
    `${ask}\n- $animal = what they like\n- Wait for the user`,
    `${ask}\n- If they like cats\n  - Say("a")\n- Wait for the user`,
    `- Ask whether they want to go on\n- While they want to go on\n${turn}`,
    `- Say("Shall we talk about what you did?")\n- While they want to talk\n${turn}`,
    `- Ask for their consent\n- While they want to talk\n${turn}`,
    `- Ask the user to confirm\n- While the conversation goes on\n${turn}`,
    `- Ask the user for their age\n- While the user is under 18\n${turn}`,
    `- Ask how many cups they want\n- While they want more coffee\n${turn}`,
    `${ask}\n- While they want to talk about cats\n${turn}`,
    `- Ask the user for $x\n- While $x < 3\n${turn}`,
    `- Ask the user for $x\n- $y = $x + 1\n- Wait for the user`,
    `${ask}\n- While not $done\n  - $animal = what they like\n${turn}`,
  ])('not behind what looks at the answer: %s', (steps) => {
    expect(waits(steps)).toBe(2);
  });
});

test('what was called is waited for behind rounds that wait, as there may be none', () => {
  const steps = (last: string): string[] =>
    stepsOf(`- $y = F(1)\n- While $x\n  - $x = G($x)\n- ${last}`, '', ['F', 'G', 'Pay']);
  const rounds = ['02:LOP While $x', '02.01:QUE $x = G($x)', '02.02:YLD for call', '02.03:JMP 02'];
  const begin = ['01:QUE $y = F(1)', ...rounds];
  expect(steps('Pay($y)')).toEqual([...begin, '03:YLD for call', '04:QUE Pay($y)']);
  expect(steps('Say("done")')).toEqual([...begin, '03:QUE Say(user, "done")']);
});

test('what was called is waited for behind lines that may be left out, though they wait', () => {
  const open = '- If $x then F(1) else F(2)\n  - Say what $y is\n';
  const made = stepsOf(`- $y = F(1)\n${open}- Say("{$y}")`, '', ['F']);
  expect(made).toEqual([
    ...['01:QUE $y = F(1)', '02:EXE? If $x then F(1) else F(2)', '02.01:YLD for call'],
    ...['02.02:QUE Say(user, Say what $y is)', '03:YLD for call', '04:QUE Say(user, "{$y}")'],
  ]);
});

test('what is called under a head that may be one of a loop is waited for before its next round', () => {
  expect(stepsOf('- Go through the guests until $x is set\n  - $x = F(1)', '', ['F'])).toEqual([
    ...['01:EXE? Go through the guests until $x is set', '01.01:QUE $x = F(1)'],
    '01.02:YLD for call',
  ]);
  expect(stepsOf('- Go through all guests\n  - Say("{$x}")\n  - $x = F(1)', '', ['F'])).toEqual([
    ...['01:EXE? Go through all guests', '01.01:QUE Say(user, "{$x}")', '01.02:QUE $x = F(1)'],
    '01.03:YLD for call',
  ]);
});

test.each([
  ...['Repeat until the PIN is right', 'Do this until the PIN is right, at most 3 times'],
  ...['Keep asking until the PIN is right', 'Repeat up to 3 times, until the PIN is right'],
])('a loop in words asks whether to go on when what was called has come: %s', (head) => {
  expect(stepsOf(`- ${head}:\n  - Ask for $pin\n  - $ok = F($pin)`, '', ['F']).slice(3)).toEqual([
    ...['01.03:QUE $ok = F($pin)', '01.04:YLD for call', '01.05:JMP 01'],
  ]);
});
