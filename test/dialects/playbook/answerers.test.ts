/** Whose answers are waited for, how many of them, and whom a text in quotes is said to. */
import { describe, expect, test } from 'vitest';
import { mainOf, rows, stepsOf } from './written.ts';

const others = '# Clerk\nCounts.\n# Bike desk\nRents.\n# Ann:Human\n';

describe('a wait that does not say for whom is for whoever was spoken to', () => {
  const asked = (line: string) => `01:QUE Say(Clerk, ${line})`;
  const clerk = '02:YLD for agent Clerk';

  test.each<readonly [string, string]>([
    ['Ask Clerk "How much?"', 'and wait'],
    ['Ask Clerk "How much?"', 'and wait for the answer'],
    ['Ask Clerk for the $rate', 'and wait for a reply'],
    ['Ask the clerk for its $rate', 'and wait for them to answer'],
    ['Tell Clerk "Begin!"', 'and wait for her answer'],
    ['Tell Clerk that we are open', 'and wait for Clerk'],
    ['Tell Clerk about it', 'and wait for everyone'],
  ])('%s %s', (line, wait) => {
    expect(stepsOf(`- ${line} ${wait}`, others)).toEqual([asked(line), clerk]);
  });

  test('also in lines of its own, and with a limit', () => {
    const line = 'Tell Clerk to begin';
    expect(stepsOf(`- ${line}\n- Wait`, others)).toEqual([asked(line), clerk]);
    expect(stepsOf(`- ${line}\n- Think hard\n- Wait`, others)).toContain('03:YLD for agent Clerk');
    expect(stepsOf(`- ${line}\n- Wait up to 5 minutes for an answer`, others)).toEqual([
      asked(line),
      `${clerk} within 5 minutes`,
    ]);
    expect(stepsOf('- Say(Clerk, "Ready?")\n  - Wait', others)).toEqual([
      '01:QUE Say(Clerk, "Ready?")',
      '01.01:YLD for agent Clerk',
    ]);
  });

  test('what it is to keep is what that one says', () => {
    expect(stepsOf('- Tell Clerk to count\n- Wait for the answer as $n', others)).toEqual([
      ...['01:QUE Say(Clerk, Tell Clerk to count)', clerk],
      '03:EXE $n = what Clerk has said',
    ]);
  });

  test('a meeting is waited for, too', () => {
    const line = 'Tell the meeting that we begin';
    expect(stepsOf(`- ${line}\n- Wait for the answers`, others)).toEqual([
      ...[`01:QUE Say(meeting, ${line})`, '02:YLD for meeting'],
    ]);
  });

  test.each([
    ['Ask Clerk for the $rate and wait for the user', 'who is named'],
    ['Tell Clerk to begin\n- Say "Hi"\n- Wait', 'who was spoken to since'],
    ['Tell Clerk to begin\n- Wait for Clerk\n- Wait', 'where the other one was waited for'],
    ['Tell Clerk to begin\n- If $x is 3\n  - Say "Hi"\n- Wait', 'where others may have been'],
    ['Ask Ann for the $rate and wait', 'for whom Ann is one'],
    ['Wait', 'where nobody was spoken to'],
  ])('%s waits for the user, %s', (lines) => {
    expect(stepsOf(`- ${lines}`, others).at(-1)).toMatch(/YLD for user$/);
  });
});

describe('what is in quotes is said to an agent, or a person by name', () => {
  test.each([
    ['Say "Closed" to Clerk', 'Say(Clerk, "Closed")'],
    ['Say "Closed" to the clerk.', 'Say(Clerk, "Closed")'],
    ['Say “Closed” to Bike desk', 'Say(BikeDesk, "Closed")'],
    ['Say "a, {$b}" to Ann', 'Say(Ann, "a, {$b}")'],
    ['Reply "Yes." to Ann', 'Say(Ann, "Yes.")'],
  ])('%s', (line, said) => {
    expect(stepsOf(`- ${line}`, others)).toEqual([`01:QUE ${said}`]);
  });

  test('a question waits for the answer', () => {
    expect(stepsOf('- Say "Ready?" to Clerk and wait', others)).toEqual([
      '01:QUE Say(Clerk, "Ready?")',
      '02:YLD for agent Clerk',
    ]);
  });

  test.each(['Say "a" to Dora', 'Say "a" to the guest'])('%s is for the user', (line) => {
    expect(stepsOf(`- ${line}`, others)).toEqual([`01:QUE Say(user, ${line})`]);
  });

  test.each(['Say "a" to Ann and Clerk', 'Say "a" to Clerk or "b"'])('%s is open', (line) => {
    expect(stepsOf(`- ${line}`, others)).toEqual([`01:EXE? ${line}`]);
  });
});

test.each([
  ["Wait for Clerk's answer, but no longer than 10 minutes", 'agent Clerk within 10 minutes'],
  ['Wait up to 5 minutes for Clerk', 'agent Clerk within 5 minutes'],
  ['Wait at most an hour for the answer of Clerk', 'agent Clerk within an hour'],
])('an agent is waited for as long as a line says: %s', (line, wait) => {
  expect(stepsOf(`- ${line}`, others)).toEqual([`01:YLD for ${wait}`]);
});

test.each([
  ...['Wait for messages from Clerk or Ann', 'Wait for Clerk and the user', 'Wait for an event'],
  ...['Wait for Clerk or 5 minutes', 'Thank Clerk and say goodbye to the guest'],
  ...['Greet the guest and ask Clerk for the $rate', 'Before you answer, ask Clerk for the $rate'],
  ...['Ask Ann first, then Clerk', 'Ask the guest how they are without waiting for an answer'],
  ...['Ask up to three times for $pin'],
])('a step waits for one, and speaks to one: %s', (line) => {
  expect(stepsOf(`- ${line}`, others)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ['Tell the guest to ask Clerk', 1],
  ['Tell Clerk that the guest asks for the key', 1],
  ['Tell Clerk about it and remind him that the guest is here', 1],
  ['Tell the guest to ask Clerk and ask for $n', 2],
  ['Tell Clerk to ask the guest for $n', 2],
  ['Tell Ann that we are open and ask her when she comes', 2],
])('%s is one message, which may be a question', (line, count) => {
  expect(stepsOf(`- ${line}`, others)).toHaveLength(count);
});

describe('several replies', () => {
  test.each([
    ['Wait for 3 replies', '3 times'],
    ['Wait for two more answers', 'Two times'],
    ['Wait for $n messages', '$n times'],
    ['Wait twice', 'Twice'],
    ['Wait for the user to reply three times', 'Three times'],
  ])('%s is as many waits', (line, times) => {
    expect(stepsOf(`- ${line}`)).toEqual([
      ...[`01:LOP ${times}`, '01.01:YLD for user', '01.02:JMP 01'],
    ]);
    // The first of them is for the question before it.
    expect(stepsOf(`- Say "Who?"\n- ${line}`)).toEqual([
      ...['01:QUE Say(user, "Who?")', `02:LOP ${times}`, '02.01:YLD for user', '02.02:JMP 02'],
    ]);
  });

  test('so are pauses', () => {
    expect(stepsOf('- Wait 2 minutes twice')).toEqual([
      ...['01:LOP Twice', '01.01:YLD for timer 2 minutes', '01.02:JMP 01'],
    ]);
  });

  test.each([
    ...['Wait for several replies', 'Wait for at least 2 answers', 'Wait for 3 people to answer'],
    ...['Wait for a few messages', 'Wait for 2 events', 'Wait until it has rung twice'],
  ])('%s is open', (line) => {
    expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
  });

  test('a question is waited for by the line that waits for several answers to it', () => {
    expect(stepsOf('- Say "Who?"\n- Wait for several replies')).toEqual([
      ...['01:QUE Say(user, "Who?")', '02:EXE? Wait for several replies'],
    ]);
  });

  test('of several who may answer nobody can say how often is waited', () => {
    expect(stepsOf('- Wait for 2 replies', others)).toEqual(['01:EXE? Wait for 2 replies']);
  });
});

test('who attends a meeting waits for the user where a line says so, for as long as it says', () => {
  const attend = (wait: string) =>
    mainOf(`# Cook\n## Attend\nmeeting: true\n### Steps\n- ${wait}\n`).steps;
  const said = 'wait for the user';
  expect(rows(attend('Wait for the user'))).toEqual([`01:YLD for user; ${said}`]);
  const timed = attend('Wait up to 5 minutes for the user');
  expect(rows(timed)).toEqual([`01:YLD for user within 5 minutes; ${said}`]);
  expect(timed[0]?.whom).toBe('within 5 minutes');
  expect(rows(attend('Wait'))).toEqual(['01:YLD for user']);
  expect(rows(attend('Wait for an answer'))).toEqual(['01:YLD for user']);
});
