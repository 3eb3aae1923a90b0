/** Lines that speak and go elsewhere, or by an answer: nothing of them is a word of a message. */
import { expect, test } from 'vitest';
import { triggerOf } from '../../../src/dialects/playbook/steps/triggers/trigger.ts';
import { loopHead } from '../../../src/dialects/playbook/text/loop-heads.ts';
import { stepsOf } from './written.ts';

const clerk = '\n# Clerk\n## X\n### Steps\n- Say("a")\n';

test.each([
  ...['Ask if they need anything else, if yes go back to step 1', 'Say goodbye & stop'],
  ...['Ask if they agree, if not end program', 'Thank the user and finish'],
  ...['Tell them goodbye and leave', 'tell them it is wrong and go back'],
  ...['tell them it is wrong and try again', 'ask again for the $pin and repeat'],
  ...['ask for the $pin again and have another look', 'say bye and exit'],
  ...['Say "a" except when $list is empty', '$n = decide if $x is good', '"Name?" -> $name'],
  ...['Say "a", exit', 'Set $n to 3 and exit', 'Return $x and end'],
  ...['$mood = "good" or "bad"', 'Return "buy" or "sell"'],
  "Ask if they want to continue; stop if they don't",
  'Ask for $pin; after 3 failures end the program',
  'Ask for $pin, max 3 attempts, then give up',
  'if no domain in $email say "bad mail" and ask again for $email',
])('stays open: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ['If none, "Not found." → 1', ['01:CND If none', '01.01:EXE? "Not found." → 1']],
  [
    'If $x is late, repeat from the first step, up to 2 attempts',
    ['01:CND If $x is late', '01.01:EXE? repeat from the first step, up to 2 attempts'],
  ],
  [
    'Enquire of the Clerk which $rate applies',
    ['01:QUE Say(Clerk, Enquire of the Clerk which $rate applies)', '02:YLD for agent Clerk'],
  ],
  [
    'Tell the user the start and end time',
    ['01:QUE Say(user, Tell the user the start and end time)'],
  ],
  [
    'tell them it is wrong and start over',
    ['01:QUE Say(user, tell them it is wrong)', '02:JMP 01'],
  ],
  ['Wait for an answer from the Clerk', ['01:YLD for agent Clerk']],
  ['Return control to the caller', ['01:RET']],
  [
    '$ok = ask user if they agree',
    ['01:QUE Say(user, ask user if they agree as $ok)', '02:YLD for user'],
  ],
  ['Say goodbye and end the program', ['01:QUE Say(user, Say goodbye)', '02:YLD for exit']],
])('%s', (line, steps) => {
  expect(stepsOf(`- ${line}`, clerk)).toEqual(steps);
});

test.each([
  ...[
    'program start',
    'At start of the program',
    'At beginning',
    'When it starts',
    'When we start',
  ],
  ...['As soon as we start', 'When the run begins', 'First thing', 'Upon startup of the program'],
  ...['At the commencement of the program', 'To begin with', 'When it all begins', 'Immediately'],
  ...[
    'Right at the very beginning, with a smile',
    'On program start',
    'Start',
    'Each time it starts',
  ],
  ...['Once the agent has been launched', 'Always'],
  ...['When the program first starts up', 'At the start of every new conversation'],
])('a trigger is the beginning: %s', (text) => {
  expect(triggerOf({ text, place: { line: 1, column: 1 }, children: [] }, 0).code).toBe('BGN');
});

test.each([
  ...['When it starts to rain', 'When the guest begins', 'At the start of each month'],
  ...['When we start talking about money', 'When the run is too long'],
  ...['The guest is at the start', 'When the beginning is over', 'When the price is launched'],
])('and is not: %s', (text) => {
  expect(triggerOf({ text, place: { line: 1, column: 1 }, children: [] }, 0).code).not.toBe('BGN');
});

test.each(['3 attempts', 'Try 3 times', '3 tries'])('%s are no more than so many', (text) => {
  expect(loopHead(text).over).toEqual({ kind: 'times', count: 3, isMost: true });
});
