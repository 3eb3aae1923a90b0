/** Lines that ask and do more, speak to several, or say when: none of them is one question. */
import { expect, test } from 'vitest';
import { mainOf, program, stepsOf } from './written.ts';

const rest = '# Clerk\n## Rate\npublic: true\n### Steps\n- Return 1\n# Ann:Human\n';

test.each([
  ...['Ask the user for $name and greet them by name', 'Ask for $email and send them a letter'],
  ...['Ask the user for $name and check whether it is on the list', 'Ask for $a, look it up'],
  ...['Ask the user for $name and tell them that we are open', 'Ask for $name and return it'],
  ...['Ask the user for $name, or use "guest"', 'Ask the user for $name. Save it to the file.'],
  ...['Ask the user for $name and wait for Ann', 'Ask the user for $name and call F'],
  ...['Ask the user for $n, then wait 5 seconds', 'Ask the user for $n. Wait 5 minutes.'],
  ...['$x = ask the user for their age and thank them', 'Greet the user, ask for $a, thank them'],
  ...['Greet the user and look up the price', 'Thank the user and return it'],
  ...['Say "a" and look it up', 'Say "a" or end the program'],
  ...['Ask the user whether they agree and do so', 'Ask what to play and do it'],
  ...['Ask the user whether to go on and do so if yes', 'Ask for consent and act accordingly'],
  ...['Ask whether they want a receipt and if so send it', 'Ask for the city and look for it'],
  ...['Ask for $order and go through it', 'Ask for $order and deal with it'],
  ...['Ask for the date, then check for free rooms', 'Ask for the problem and take care of it'],
  ...['Ask for the list and work on it', 'Tell the user the price and look for a room'],
  ...['Check the stock and ask for $a', 'Go back and ask again', 'Open the file, ask for $a'],
  ...['Book a room and ask the guest for $a', 'Compute the total, then ask the user to confirm'],
  ...['Ask what to change and change it', 'Ask the user which dish to cook, then cook it'],
  ...['Ask for $n or use 3', 'Ask for $n, else 3', 'Ask for $n, if not given 3'],
])('more is done than to ask or to say: %s', (line) => {
  expect(stepsOf(`- ${line}`, rest, ['F'])).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ...['Ask Ann and the user for $rate', 'Ask Ann or Clerk for $rate'],
  ...['Ask the user for $a and Ann for $b', 'Tell the user and Ann that it is late'],
  ...['$x = ask Ann or the user for the age', 'Tell Ann and the user the price'],
])('a step speaks to one: %s', (line) => {
  expect(stepsOf(`- ${line}`, rest)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ...['Say "a" twice', 'Ask the user for $n three times', 'Tell the user the price in 5 minutes'],
  ...['Say "a" every 10 minutes', 'Say "a", or "b" otherwise'],
])('a step says it once, and now: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ...['Ask the user for their name and date of birth', 'Ask the user for $a, $b and $c'],
  ...['Ask "Who is it?" and remember it as $name', 'Ask for the $day and keep the answer in $b'],
  ...['Ask the user to sit down and relax their arms', 'Ask for $name and ask again'],
  ...['Ask the user for $n. If it is no number, ask again.', 'Ask for the name and the reason why'],
  ...['Ask for the start and end of the trip', 'Ask for the size and look of the room'],
  ...['Ask about the trip and what to look for', 'Ask for the problem and the reason for it'],
  ...['Ask whether they smoke and if so how much', 'Ask for the city they live in and work in'],
  ...['Ask the user to sit down and look at the screen', 'Ask for $n (default 3)'],
])('that is one question: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:QUE Say(user, ${line})`, '02:YLD for user']);
});

test('what is asked as a value is asked of whom the line says', () => {
  expect(stepsOf('- $x = ask Ann for the age', rest)[0]).toBe(
    '01:QUE Say(Ann, ask Ann for the age as $x)',
  );
});

test.each([
  ...['Ask for $n, $m by default', 'Ask for $n (default $m)', 'Ask for $n (default: $m)'],
  ...['Ask for $n with $m as the default', 'Ask for $n, defaulting to $m'],
])('what it is where nobody says is not asked for: %s', (line) => {
  const [step] = mainOf(program(`- ${line}`)).steps;
  expect([step?.asks, step?.reads]).toEqual([['$n'], ['$m']]);
});
