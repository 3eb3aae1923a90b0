/** Lines as people and models write them: what only shows them off, and words that mean the same. */
import { describe, expect, test } from 'vitest';
import { fileOf, rows, stepsOf } from './written.ts';

test.each<readonly [string, string]>([
  ['**Return** $x', 'RET $x'],
  ['Return the $x.', 'RET $x'],
  ['Give back $x', 'RET $x'],
  ['Return with "done".', 'RET "done"'],
  ['a=a .', 'EXE a = a'],
  ['Return the best of them.', 'RET the best of them'],
  ['[ ] Step 3: Return 1', 'RET 1'],
  ['03: Return 1', 'RET 1'],
  ['1.2 Return 1', 'RET 1'],
  ['Finally, return 1', 'RET 1'],
  ['✅ Return 1', 'RET 1'],
  ['`$x = F(1)`', 'QUE $x = F(1)'],
  ['`$x` = F(1)', 'QUE $x = F(1)'],
  ['First, F(1)', 'QUE F(1)'],
  ['Please say "ok"', 'QUE Say(user, "ok")'],
  ['And now F(1)', 'QUE F(1)'],
  ['Lastly, please return 1', 'RET 1'],
  ['Do F(1)', 'QUE F(1)'],
  // A name, or words that nobody knows.
  ['Do F(1) twice', 'EXE? Do F(1) twice'],
  ['Please wait', 'EXE? Please wait'],
  ['Next month is closed', 'EXE? Next month is closed'],
  ['Reply "Sure"', 'QUE Say(user, "Sure")'],
  ['Respond with “ok”.', 'QUE Say(user, "ok")'],
  ['Print: "a **b**"', 'QUE Say(user, "a **b**")'],
  ['Let the user know that it is over', 'QUE Say(user, Let the user know that it is over)'],
  ['Show the user the $list', 'QUE Say(user, Show the user the $list)'],
  ['Get $a and $b from the user', 'QUE Say(user, Ask the user for $a and $b)'],
  ['Prompt the user for $a', 'QUE Say(user, Prompt the user for $a)'],
])('%s', (line, step) => {
  expect(stepsOf(`- ${line}`, '', ['F'])[0]).toBe(`01:${step}`);
});

test.each([
  ['F(2, units: "m")', 'F(2, units="m")'],
  ['$y = G(F(n: 2), units : $u)', 'QUE $y = G(f_1, units=$u)'],
  // Nobody has a parameter that is called so.
  ['F(2, unit: "m")', 'F(2, unit: "m")'],
  ['F("units: m")', 'F("units: m")'],
])('arguments with a colon are named, where there are such: %s', (line, call) => {
  const rest =
    '## F(n, units="km")\n### Steps\n- Return n\n\n## G(n, units)\n### Steps\n- Return n\n';
  expect(stepsOf(`- ${line}`, rest).join('\n')).toContain(call);
});

test.each([
  ['$n += 1', '$n = $n + 1'],
  ['$n -= $n + 1', '$n = $n - ($n + 1)'],
  ['$s += "a b"', '$s = $s + "a b"'],
  ['n++', 'n = n + 1'],
  ['$n--', '$n = $n - 1'],
  ['Increment $n', '$n = $n + 1'],
  ['Increase $n by 2.', '$n = $n + 2'],
  ['Reduce $n by $m', '$n = $n - $m'],
  ['Add 1 to $n', '$n = $n + 1'],
  ['Subtract 2 from $n', '$n = $n - 2'],
  // It may be a list that something is put into.
  ['Add $x to $list', undefined],
  ['Lower $n', undefined],
])('a sum, however it is written: %s', (line, sum) => {
  const step = sum === undefined ? `EXE? ${line}` : `EXE ${sum}`;
  expect(stepsOf(`- ${line}`)[0]).toBe(`01:${step}`);
});

test('headings may be emphasised, and have numbers that lines leave out', () => {
  const { agents } = fileOf(`# **Loud** *desk*

## __Main__ *entry*
### **Triggers**
- *At the beginning*
### *Steps*
- ***If*** $x > 1:
  - _Say_ "big"
- **Otherwise:**
  - Second -- send it!
- Call "3) The end"
- **Ask** the user for **$size**
- **Return** **$size**

## 2. Second -- send it!
### Steps
- Return snake_case_name

## 3) The end
### Steps
- Return 1
`);
  expect(agents.map(({ name, playbooks }) => [name, playbooks.map((one) => one.name)])).toEqual([
    ['LoudDesk', ['MainEntry', 'SecondSendIt', 'TheEnd']],
  ]);
  expect(rows(agents[0]?.playbooks[0]?.steps ?? [])).toEqual([
    ...['01:CND If $x > 1', '01.01:QUE Say(user, "big")', '02:ELS Otherwise'],
    ...['02.01:QUE SecondSendIt()', '03:QUE TheEnd()', '04:QUE Say(user, Ask the user for $size)'],
    ...['05:YLD for user', '06:RET $size'],
  ]);
});

test.each<readonly [string, readonly string[]]>([
  ['Return 1 if $x > 3', ['01:CND If $x > 3', '01.01:RET 1']],
  ['Return "late", unless $x', ['01:CND Unless $x', '01.01:RET "late"']],
  ['Return early if nothing is left.', ['01:CND If nothing is left', '01.01:RET']],
  ['End program only if $x', ['01:CND If $x', '01.01:YLD for exit']],
  ['F(1) if $x is set', ['01:CND If $x is set', '01.01:QUE F(1)']],
  ['$y = F(1) unless $x', ['01:CND Unless $x', '01.01:QUE $y = F(1)']],
  ['Say "Hi" if $x', ['01:CND If $x', '01.01:QUE Say(user, "Hi")']],
  ['Say "Hi". Return 1 if $x', ['01:QUE Say(user, "Hi")', '02:CND If $x', '02.01:RET 1']],
  ['Wait 5 minutes if $x', ['01:CND If $x', '01.01:YLD for timer 5 minutes']],
  ['F(1) if F($x)', ['01:QUE f_1 = F($x)', '02:YLD for call', '03:CND If f_1', '03.01:QUE F(1)']],
  [
    'F(1) if $x\n  - Say "below"',
    ['01:CND If $x', '01.01:QUE F(1)', '01.02:QUE Say(user, "below")'],
  ],
  [
    'Return 1 if $x\n- Otherwise\n  - F(1)',
    ['01:CND If $x', '01.01:RET 1', '02:ELS Otherwise', '02.01:QUE F(1)'],
  ],
  // A value that has a condition in it, a question, words that ask for an if.
  ['Return $x if $y else $z', ['01:RET $x if $y else $z']],
  ['Return a note that says if $x is late', ['01:RET a note that says if $x is late']],
  ['Tell the user if $x is late', ['01:QUE Say(user, Tell the user if $x is late)']],
  ['Say "go if you can"', ['01:QUE Say(user, "go if you can")']],
  ['F(1) even if $x is late', ['01:EXE? F(1) even if $x is late']],
])('a condition may stand behind what is to be done: %s', (line, steps) => {
  expect(stepsOf(`- ${line}`, '', ['F'])).toEqual(steps);
});

test.each([
  ['Return to the caller', '01:RET'],
  ['Return to the caller with $x', '01:RET $x'],
  ['Return $x to the user.', '01:RET $x'],
  ['Return to the harbour', '01:EXE? Return to the harbour'],
  ['Return the money to the customer', '01:EXE? Return the money to the customer'],
  ['Return the book to the shelf', '01:EXE? Return the book to the shelf'],
  ['Return $deposit to the guest', '01:EXE? Return $deposit to the guest'],
  ['Return them the deposit', '01:EXE? Return them the deposit'],
  ['Return the list to the caller', '01:RET the list to the caller'],
  ['Return a short summary of $x', '01:RET a short summary of $x'],
  ['Return the answer to the question', '01:RET the answer to the question'],
  ['Return the hotel closest to the station', '01:RET the hotel closest to the station'],
  ['Return the orders assigned to the guest', '01:RET the orders assigned to the guest'],
  ['Return home', '01:EXE? Return home'],
  ['Return policy: 30 days', '01:EXE? Return policy: 30 days'],
  ['Return policy: we take it all back', '01:EXE? Return policy: we take it all back'],
  ['Returns are free within 30 days', '01:EXE? Returns are free within 30 days'],
  ['Return status: "done"', '01:RET status: "done"'],
  ['Return one of the following: a, b', '01:RET one of the following: a, b'],
])('who returns to a place goes there: %s', (line, step) => {
  expect(stepsOf(`- ${line}`)[0]).toBe(step);
});

test.each([
  // A case, a number that counts, a picture alone, a mark within words.
  ...['1: F(1)', '2 F(1) and so on', '1.5 hours later it is over', 'Display $x', 'Stop'],
  ...['Let the user choose', 'Get $a from the shelf', '**Note** that $x matters'],
])('what may mean something else stays open, as it is written: %s', (line) => {
  expect(stepsOf(`- ${line}`, '', ['F'])[0]).toBe(`01:EXE? ${line}`);
});

test('what else is to be done may stand in the line of its condition', () => {
  const both = ['01:CND If $x is 1', '01.01:QUE F(1)', '02:ELS Otherwise', '02.01:QUE F(2)'];
  expect(stepsOf('- If $x is 1 then F(1) else F(2)', '', ['F'])).toEqual(both);
  expect(stepsOf('- If $x is 1: F(1); otherwise, F(2)', '', ['F'])).toEqual(both);
  expect(stepsOf('- If $x, say "this or else that"')[1]).toBe(
    '01.01:QUE Say(user, "this or else that")',
  );
});

test('all other cases are what else there is, over a block', () => {
  expect(stepsOf('- If $x\n  - Return 1\n- In all other cases:\n  - Return 2')).toEqual([
    ...['01:CND If $x', '01.01:RET 1', '02:ELS In all other cases', '02.01:RET 2'],
  ]);
});

test('lines under a question that look at its answer come behind it, others say what is asked', () => {
  expect(stepsOf('- Ask user for $x\n  - If $x is 1\n    - Return 1\n- Return 2')).toEqual([
    ...['01:QUE Say(user, Ask user for $x)', '01.01:YLD for user', '01.02:CND If $x is 1'],
    ...['01.02.01:RET 1', '02:RET 2'],
  ]);
  expect(stepsOf('- Ask user for $x\n  - in whole weeks\n- Return 2')).toEqual([
    ...['01:QUE Say(user, Ask user for $x)', '01.01:EXE? in whole weeks', '02:YLD for user'],
    '03:RET 2',
  ]);
});

test.each([
  ['in their place', '1. F(1)\n   1.1 F(2)\n   1.2. F(3)\n2. If $x\n   2.1) Return 1\n3. F(4)'],
  ['not further in', '1. F(1)\n1.1 F(2)\n1.2. F(3)\n2. If $x\n2.1) Return 1\n3. F(4)'],
])('items with numbers of two parts stand under those of one: %s', (_, lines) => {
  expect(stepsOf(lines, '', ['F'])).toEqual([
    ...['01:QUE F(1)', '01.01:QUE F(2)', '01.02:QUE F(3)', '02:CND If $x', '02.01:RET 1'],
    '03:QUE F(4)',
  ]);
});

test('a number within a text is none of an item', () => {
  expect(stepsOf('- Say what it costs:\n  1.50 Euros')).toHaveLength(1);
  expect(stepsOf('1. Say what it costs:\n   2.50 Euros')).toHaveLength(1);
});

describe('lines that give a value to a variable, the value first or in other words', () => {
  test.each([
    ['F(5) -> $m', 'QUE $m = F(5)'],
    ['F(5) → $m:int', 'QUE $m:int = F(5)'],
    ['$m ← F(5)', 'QUE $m = F(5)'],
    ['Store F(1) in $e', 'QUE $e = F(1)'],
    ['Call F(1) and store the result in $l', 'QUE $l = F(1)'],
    ['Run F("a and b"), and save it as $l.', 'QUE $l = F("a and b")'],
    ['Then F(1)', 'QUE F(1)'],
    ['Initialize $g to []', 'EXE $g = []'],
    ['Reset $g to 0', 'EXE $g = 0'],
    ['Assign 5 to $j', 'EXE $j = 5'],
    ['Assign "a to b" to $j', 'EXE $j = "a to b"'],
    ['Then set $j to 5', 'EXE $j = 5'],
  ])('%s', (line, want) => {
    expect(stepsOf(`- ${line}`, '', ['F'])).toEqual([`01:${want}`]);
  });

  test.each([
    ['Put the $plate in $box'],
    ['Assign $task to $worker'],
    ['Store what F(1) gives in $e'],
    ['Call F(1) and store the result in the cellar'],
    ['Collect the shells and $coins'],
  ])('what may mean something else stays open: %s', (line) => {
    expect(stepsOf(`- ${line}`, '', ['F'])).toEqual([`01:EXE? ${line}`]);
  });

  test('what belongs to the user is asked for', () => {
    expect(stepsOf("- Collect the user's $email and $phone")).toEqual([
      '01:QUE Say(user, Ask the user for $email and $phone)',
      '02:YLD for user',
    ]);
  });
});
