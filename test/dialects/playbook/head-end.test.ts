/** Where what is done begins, behind a condition in the same line, and before one. */
import { describe, expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const rest = '\n## Ship($n)\n### Steps\n- Return $n\n';

/** The first two steps: the head, and what is done. */
const ends = (line: string): string =>
  stepsOf(`- ${line}\n- Return 1`, rest)
    .slice(0, 2)
    .map((row) => row.replace(/^[\d.]+:/, ''))
    .join(' / ');

test.each<[string, string]>([
  // The verb of the condition.
  ['If they do not answer, Ship(1)', 'CND If they do not answer / QUE Ship(1)'],
  ['If they do not answer: Ship(1)', 'CND If they do not answer / QUE Ship(1)'],
  ['If they do not answer then Ship(1)', 'CND If they do not answer / QUE Ship(1)'],
  ['If the servers do not answer, Ship(1)', 'CND If the servers do not answer / QUE Ship(1)'],
  ['If you do not know $x, Return 2', 'CND If you do not know $x / RET 2'],
  ['If they do agree, Ship(1)', 'CND If they do agree / QUE Ship(1)'],
  ['If the users do want it, Ship(1)', 'CND If the users do want it / QUE Ship(1)'],
  ['If the parcels do arrive then Ship(1)', 'CND If the parcels do arrive / QUE Ship(1)'],
  ['If Ann and Bob do say yes, Ship(1)', 'CND If Ann and Bob do say yes / QUE Ship(1)'],
  ['If the old guests do pay: Ship(1)', 'CND If the old guests do pay / QUE Ship(1)'],
  ['If it is late and they do pay, Ship(1)', 'CND If it is late and they do pay / QUE Ship(1)'],
  ['If there are guests who do pay, Ship(1)', 'CND If there are guests who do pay / QUE Ship(1)'],
  ['Unless they do pay, Ship(1)', 'CND Unless they do pay / QUE Ship(1)'],
  ['When you do see $x, Ship($x)', 'CND When you do see $x / QUE Ship($x)'],
  ['While they do not agree, Ship(1)', 'LOP While they do not agree / QUE Ship(1)'],
  ['Until they do agree, Ship(1)', 'LOP Until they do agree / QUE Ship(1)'],
  ['If the user does not answer, Ship(1)', 'CND If the user does not answer / QUE Ship(1)'],
  ['If they did not answer, Ship(1)', 'CND If they did not answer / QUE Ship(1)'],
  ['If they want to do it, Ship(1)', 'CND If they want to do it / QUE Ship(1)'],
  ['If nothing is left to do, Ship(1)', 'CND If nothing is left to do / QUE Ship(1)'],
  ['If nothing is left to do then Ship(1)', 'CND If nothing is left to do / QUE Ship(1)'],
  ['If they then agree, Ship(1)', 'CND If they then agree / QUE Ship(1)'],
  ['If the guest then pays, Ship(1)', 'CND If the guest then pays / QUE Ship(1)'],
  ['Si elles ne font rien, alors Ship(1)', 'CND Si elles ne font rien / QUE Ship(1)'],
  // What is done.
  ['If $x do Ship(1)', 'CND If $x / QUE Ship(1)'],
  ['If not $x do Ship(1)', 'CND If not $x / QUE Ship(1)'],
  ['If $x is 3 do Ship(1)', 'CND If $x is 3 / QUE Ship(1)'],
  [
    'If $x > 3 do what is right, and tell them',
    'CND If $x > 3 / EXE? what is right, and tell them',
  ],
  ['If Ship(2) do Ship(1)', 'QUE ship_1 = Ship(2) / YLD for call'],
  ['If the guest is late do Ship(1)', 'CND If the guest is late / QUE Ship(1)'],
  ['If the guest agrees do Ship(1)', 'CND If the guest agrees / QUE Ship(1)'],
  ['If it is raining do take a hat', 'CND If it is raining / EXE? take a hat'],
  ['If they do agree do Ship(1)', 'CND If they do agree / QUE Ship(1)'],
  ['If an error then Ship(1)', 'CND If an error / QUE Ship(1)'],
  ['If $x is 3 then Ship(1)', 'CND If $x is 3 / QUE Ship(1)'],
  ['If they say "do it then go", Ship(1)', 'CND If they say "do it then go" / QUE Ship(1)'],
  ['Si $x est vide alors dis « Non »', 'CND Si $x est vide / QUE Say(user, "Non")'],
  ['While $x < 3 do Ship(1)', 'LOP While $x < 3 / QUE Ship(1)'],
  ['While there are guests do Ship(1)', 'LOP While there are guests / QUE Ship(1)'],
  ['For each $n in $all do Ship($n)', 'LOP For each $n in $all / QUE Ship($n)'],
  ['For each guest do Ship(1)', 'LOP For each guest / QUE Ship(1)'],
  // The condition behind it.
  ['Ship(1) if they do not answer', 'CND If they do not answer / QUE Ship(1)'],
  ['Ship(1) unless they do pay', 'CND Unless they do pay / QUE Ship(1)'],
  ['Return 2 if the servers do not answer', 'CND If the servers do not answer / RET 2'],
  ['Ship(1) if they then agree', 'CND If they then agree / QUE Ship(1)'],
])('%s', (line, want) => {
  expect(ends(line)).toBe(want);
});

test('an Otherwise with a condition of its own', () => {
  const rows = stepsOf('- If $x, Ship(1)\n- Else if they do not care, Ship(2)\n- Return 1', rest);
  expect(rows).toContain('02:ELS Else if they do not care');
});

/** The rows of all that a line is. */
const whole = (line: string): string[] =>
  stepsOf(`- ${line}`, rest).map((row) => row.replace(/^[\d.]+:/, ''));

describe('a head behind the comma of another one is one by itself', () => {
  const each = ['LOP for each $n in $all', 'QUE Ship($n)', 'JMP 01.01'];

  test.each<[string, string[]]>([
    ['If $x is 3, for each $n in $all', ['CND If $x is 3', ...each]],
    ['If they say yes, for each $n in $all', ['CND If they say yes', ...each]],
    ['Otherwise if $x, for each $n in $all', ['ELS Otherwise if $x', ...each]],
    ['While $x < 3, for each $n in $all', ['LOP While $x < 3', ...each, 'JMP 01']],
    ['For each $m in $all, for each $n in $all', ['LOP For each $m in $all', ...each, 'JMP 01']],
    [
      'For each $n in $all, if $n > 3',
      ['LOP For each $n in $all', 'CND if $n > 3', 'QUE Ship($n)', 'JMP 01'],
    ],
    ['If $x is 3, if $n > 3', ['CND If $x is 3', 'CND if $n > 3', 'QUE Ship($n)']],
    ['If $x is 3, three times', ['CND If $x is 3', 'LOP three times', 'QUE Ship($n)', 'JMP 01.01']],
  ])('%s', (heads, want) => {
    expect(whole(`${heads}: Ship($n)`)).toEqual(want);
    expect(whole(`${heads}:\n  - Ship($n)`)).toEqual(want);
  });

  test.each(['until one is free', 'while $x < 3', 'as long as they agree'])(
    'how long a loop goes on is no head: %s',
    (more) => {
      const want = [`LOP For each $n in $all, ${more}`, 'QUE Ship($n)', 'JMP 01'];
      expect(whole(`For each $n in $all, ${more}: Ship($n)`)).toEqual(want);
      expect(whole(`For each $n in $all, ${more}:\n  - Ship($n)`)).toEqual(want);
    },
  );

  test('its calls are made where it is come to', () => {
    const want = ['LOP For each $n in $all', 'QUE ship_1 = Ship($n)', 'YLD for call'];
    const found = whole('For each $n in $all, if Ship($n): Ship(2)');
    const round = ['CND if ship_1', 'QUE Ship(2)', 'YLD for call', 'JMP 01'];
    expect(found).toEqual([...want, ...round]);
  });
});

test.each<[string, string[]]>([
  [
    'If $x > 3, warn the crew: too many are late',
    ['CND If $x > 3', 'EXE? warn the crew: too many are late'],
  ],
  ['If they agree, send the mail: Ship(1)', ['CND If they agree', 'EXE? send the mail: Ship(1)']],
  ['If $x is "a", "b" or "c": Ship(1)', ['CND If $x is "a", "b" or "c"', 'QUE Ship(1)']],
  ['If it is late, cold or wet: Ship(1)', ['CND If it is late, cold or wet', 'QUE Ship(1)']],
  ['If $x is "a", if "b", Ship(1)', ['EXE? If $x is "a", if "b", Ship(1)']],
])('what is done before a colon is no part of a condition: %s', (line, want) => {
  expect(whole(line)).toEqual(want);
});
