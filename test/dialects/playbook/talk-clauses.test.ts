/** Messages and questions with words behind them that say when, or belong to what is said. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

test.each([
  ['Tell the user the price if $a is 7', 'If $a is 7', 'Tell the user the price'],
  ['Tell the user the price, if $a is 7.', 'If $a is 7', 'Tell the user the price'],
  ['Tell the user the price unless $a is 7', 'Unless $a is 7', 'Tell the user the price'],
  ['Tell the user the price when $a is 7', 'If $a is 7', 'Tell the user the price'],
  ['Tell the user the price in case $a is 7', 'If $a is 7', 'Tell the user the price'],
  ['Greet the user if they are new', 'If they are new', 'Greet the user'],
  ['Say hello, if $a is 7', 'If $a is 7', 'Say hello'],
  ['Say goodbye if $y', 'If $y', 'Say goodbye'],
  ['Say "x" when $a is 7', 'If $a is 7', '"x"'],
  [
    'Tell the user the price and the date if $a is 7',
    'If $a is 7',
    'Tell the user the price and the date',
  ],
  [
    'Tell the user that it is late, unless $a is 7',
    'Unless $a is 7',
    'Tell the user that it is late',
  ],
  [
    'Tell the user "we close if it rains" if $a is 7',
    'If $a is 7',
    'Tell the user "we close if it rains"',
  ],
  ['Dites bonjour au client si $a est vide', 'Si $a est vide', 'Dites bonjour au client'],
])('what is said is under its condition: %s', (line, condition, message) => {
  const steps = [`01:CND ${condition}`, `01.01:QUE Say(user, ${message})`];
  expect(stepsOf(`- ${line}`)).toEqual(steps);
});

test.each([
  ['Ask the user for $b if $a is 7', 'If $a is 7', 'Ask the user for $b'],
  ['Ask the user for $b, $c and $d if $a is 7', 'If $a is 7', 'Ask the user for $b, $c and $d'],
  ['Ask the user what they want, unless $a is 7', 'Unless $a is 7', 'Ask the user what they want'],
  ['$b = ask the user for the day if $a is 7', 'If $a is 7', 'ask the user for the day as $b'],
])('so is what is asked: %s', (line, condition, message) => {
  const question = [`01.01:QUE Say(user, ${message})`, '01.02:YLD for user'];
  expect(stepsOf(`- ${line}`)).toEqual([`01:CND ${condition}`, ...question]);
});

test('what else is said stands in the same line', () => {
  expect(stepsOf('- Tell the user the price if $a is 7, otherwise say "no"')).toEqual([
    '01:CND If $a is 7',
    '01.01:QUE Say(user, Tell the user the price)',
    '02:ELS Otherwise',
    '02.01:QUE Say(user, "no")',
  ]);
});

test.each([
  'Tell the user what to do if it rains',
  'Tell the user we close if $a is 7',
  'Tell the user that we are closed when $a is 7',
  'Ask the user to call us if they have questions',
  'Ask the user whether they want more if $a is empty',
  'Ask the user for a phone number in case we need to call',
  'Ask the user for a date as long as none is given',
  'Ask for the day once $a is known',
  'Remind the customer of the bill until $a is paid',
  'Tell the user the day when it arrives',
  'Tell the user, if $a is 7, the price',
  'Tell the user the price (if $a is 7)',
  'Greet the user and ask for $b if $a is 7',
  '$b = ask the user which day they mean if $a is 7',
])('nobody can say what the words behind are for: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  'Tell the user if $x is late',
  'Tell the user that we call when it is ready',
  'Tell the user to wait while we check',
  'Tell the user the price even if $a is 7',
])('what is said may have such words: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:QUE Say(user, ${line})`]);
});

test.each([
  'Ask the user if they are hungry',
  'Ask the user when they come and if they bring somebody',
  'Ask the user for their phone (if any)',
])('and so may what is asked: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:QUE Say(user, ${line})`, '02:YLD for user']);
});

test.each([
  ['Return 1 when $a is 7', '01:CND If $a is 7', '01.01:RET 1'],
  ['Retourne 1 si $a est vide', '01:CND Si $a est vide', '01.01:RET 1'],
])('a condition behind other statements: %s', (line, ...steps) => {
  expect(stepsOf(`- ${line}`)).toEqual(steps);
});

test('a time of what is returned is no condition', () => {
  expect(stepsOf('- Return the day when it is due')).toEqual(['01:RET the day when it is due']);
});

test.each([
  ...[
    'Ask user to confirm; if they do not, end program',
    'Ask user to confirm. If not, return "no".',
  ],
  ...['Ask user to confirm, otherwise end program', 'Ask user to confirm, otherwise say "no"'],
  ...['Ask user to confirm (if not, end program)', 'Ask user to confirm. If so, book the room.'],
  ...['Ask the user for the day. If they do not know, say "Sunday it is".'],
  ...['Ask the user for a day, if they have none, return "no"', 'Ask the user for $b, $c = 3'],
  ...['Tell the user that we are closed, end program', 'Greet the user, wait for their answer'],
])('what is done by an answer, or behind a message, is no part of it: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
});

const [a, b] = ['QUE Say(user, "a")', 'QUE Say(user, "b")'];

test.each([
  ['Say "a", $n = 1', a, 'EXE $n = 1'],
  ['Say "a", wait 5 seconds, say "b"', a, 'YLD for timer 5 seconds', b],
  ['Say "a", wait for the user, then say "b".', a, 'YLD for user', b],
  ['Say "a", end program', a, 'YLD for exit'],
  ['Wait for the user, say "b"', 'YLD for user', b],
])('each clause behind a text in quotes is a step: %s', (line, ...steps) => {
  const numbered = steps.map((step, at) => `0${at + 1}:${step}`);
  expect(stepsOf(`- ${line}`)).toEqual(numbered);
});

test('so is one under the head of a loop', () => {
  expect(stepsOf('- $n = 5\n- While $n > 3, say "a", $n = $n - 1').slice(1)).toEqual([
    ...['02:LOP While $n > 3', `02.01:${a}`, '02.02:EXE $n = $n - 1', '02.03:JMP 02'],
  ]);
});

test.each([
  ...['Tell the user to unplug it, wait 5 seconds, and plug it in', 'Say "a", "b" and "c"'],
  ...['Tell the user to sit down, wait, and relax', 'Say "Hello", smile and wave'],
])('words of a message stay its words: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:QUE Say(user, ${line})`]);
});

test.each([
  ...[
    'Ask the user for a number; if it is not one, ask again',
    'Ask for the day, return date and time',
  ],
  ...['Ask the user to agree. If they refuse, be polite.'],
])('and so do those of a question that say how to ask: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:QUE Say(user, ${line})`, '02:YLD for user']);
});

test.each([
  ['Wait 5 seconds, F(1)', 'YLD for timer 5 seconds', 'QUE F(1)'],
  ['Wait for the user and F(1)', 'YLD for user', 'QUE F(1)'],
  ['Wait for the user, ask for $b', 'YLD for user', 'QUE Say(user, ask for $b)', 'YLD for user'],
  ['Check N1, end program', 'CHK N1', 'YLD for exit'],
  ['Apply note N1 and F(1)', 'CHK N1', 'QUE F(1)'],
  ['Think about it, F(1)', 'TNK Think about it', 'QUE F(1)'],
  ['Check N1 for the order and the user', 'CHK N1'],
  [
    'Think about the price, the day and the place',
    'TNK Think about the price, the day and the place',
  ],
])('nothing behind a wait, a thought or a note is lost: %s', (line, ...steps) => {
  const numbered = steps.map((step, at) => `0${at + 1}:${step}`);
  expect(stepsOf(`- ${line}`, '### Notes\n- N1: Be brief.', ['F'])).toEqual(numbered);
});

test.each([
  ['Ask again if $a is empty', 'If $a is empty', 'Ask again'],
  ['Ask again unless $a', 'Unless $a', 'Ask again'],
  ['Ask again if it is not valid', 'If it is not valid', 'Ask again'],
  ['Should $a be empty, ask again', 'If $a is empty', 'ask again'],
  ['Should the guest be late, ask for $b', 'Should the guest be late', 'ask for $b'],
])('a question has a condition in other words: %s', (line, condition, message) => {
  const steps = [`01:CND ${condition}`, `01.01:QUE Say(user, ${message})`, '01.02:YLD for user'];
  expect(stepsOf(`- ${line}`)).toEqual(steps);
});

test('and so has what is said, called and ended', () => {
  const lines = 'Should the user ask for it, F(1)\n- Should nobody answer, end program';
  expect(stepsOf(`- ${lines}`, '', ['F'])).toEqual([
    ...['01:CND Should the user ask for it', '01.01:QUE F(1)'],
    ...['02:CND Should nobody answer', '02.01:YLD for exit'],
  ]);
});

test.each([
  ...[
    'Ask for it again until it is valid',
    'Ask again while $a is empty',
    'Say "a" should $a be 3',
  ],
  'Tell them again if $a is empty',
  ...['Once $a is set, ask the user for $b', 'Provided that $a is set, ask the user for $b'],
  ...['Only if $a is 3, ask the user for $b', 'Were $a empty, ask the user for $b'],
  ...['Every week, ask how it went', 'On Mondays, ask the user for $b', 'Tomorrow, ask for $b'],
  ...['Daily, ask the user for $b', 'By Friday, ask for $b', 'In winter, ask the user for $b'],
  ...['For "theft", ask for the number', 'For business customers, ask for the number'],
  ...['Ask if they liked it. Whatever they say, thank them.', 'In that case, ask for $b'],
  ...['Tell the user the weather each morning', 'Remind the user tomorrow'],
  ...['Tell the user the weather on Mondays', 'Ask them to log it, do not wait for it'],
  ...['After the guest arrives, ask them for $b', 'Assuming $a is 3, say "a" and ask for $b'],
])('when it is said or asked is no part of that: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ...['Before anything else, ask the user for $b', 'Once again, ask the user for $b'],
  ...['For the booking, ask the user for $b', 'By the way, ask the user for $b'],
  ...['In French, ask the user for $b', 'Ask the user what opens every day'],
])('in which order it is asked, for what and how may be: %s', (line) => {
  expect(stepsOf(`- ${line}`)[0]).toBe(`01:QUE Say(user, ${line})`);
});
