/** What a line does besides what it is about is never lost in that: it is done, or left open. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const tea = '\n## Offer tea\n### Steps\n- Return 1\n';
const lines = (line: string): string[] => stepsOf(`- ${line}`, tea, ['F', 'G']);

test.each([
  'Say "a" before returning $x',
  'Say "a" after asking the user for $n',
  'Say "a" or return $x',
  'Say "a" as soon as the user answers',
  'Say "a" to whoever asks',
  'Ask the user for $n before calling F(1)',
  'Ask the user for $n after offering tea',
  'Ask the user for $n without waiting',
  'Ask the user for $n and do not wait',
  'Ask the user what they want without waiting',
  'Wait for the user (if they are there)',
  "Ask the user for $n. Don't wait for an answer.",
  'After saying "a", ask the user for $n',
  'Instead of saying "a", ask the user for $n',
  'Rather than asking the user for $n, tell them the price',
  'Tell the user the price, but only after asking for $n',
  'Wait for the user before calling F(1)',
  'Wait for the user before saying "a"',
  'Wait for the user if they are busy',
  'Wait for the user without saying "a"',
  'Return $x after saying "a"',
  'Return $x if $y is 1, saying "a"',
  'Return $x or wait for the user',
  '$y = G(2) before asking the user for $n',
])('is left open where nobody can say in which order: %s', (line) => {
  expect(lines(line)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  'Ask the user for $n before continuing',
  'Ask the user whether to wait or return later',
  'Ask the user what they did before coming here',
  'Ask the user "Can you start without waiting?"',
])('is no part of a question: %s', (line) => {
  expect(lines(line)).toEqual([`01:QUE Say(user, ${line})`, '02:YLD for user']);
});

test.each([
  'Tell the user to call before leaving',
  'Tell the user that they can pay without calling',
  'Tell the user the price in the morning or in the evening',
])('is no part of a message: %s', (line) => {
  expect(lines(line)).toEqual([`01:QUE Say(user, ${line})`]);
});

test.each([
  ['Wait for the user if $x is 1', 'If $x is 1'],
  ['Wait for the user unless $x is 1', 'Unless $x is 1'],
  ['Wait for their answer when $x > 1', 'If $x > 1'],
])('a wait has a condition of its own: %s', (line, condition) => {
  expect(lines(line)).toEqual([`01:CND ${condition}`, '01.01:YLD for user']);
});

test('what somebody is to say of a variable is no value of it', () => {
  const line = 'Wait for the user to say if $x is right';
  expect(lines(line)).toEqual([`01:YLD for user; ${line}`]);
});

test.each<[string, string[]]>([
  ['Say "a" and offer tea', ['01:QUE Say(user, "a")', '02:QUE OfferTea()']],
  ['$y = G(2) and offer tea', ['01:QUE $y = G(2)', '02:QUE OfferTea()']],
  ['F(1), offer tea and G(2)', ['01:QUE F(1)', '02:QUE OfferTea()', '03:QUE G(2)']],
])('a playbook is called behind it by its title: %s', (line, want) => {
  expect(lines(line)).toEqual(want);
});

test.each([
  'Ask the user for $n and offer tea',
  'Tell the user the price and offer tea',
  'Return $x and offer tea',
  '$x = 1 and offer tea',
])('nor is a title lost in words: %s', (line) => {
  expect(lines(line)).toEqual([`01:EXE? ${line}`]);
});
