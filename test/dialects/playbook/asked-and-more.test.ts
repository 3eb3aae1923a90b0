/** Lines that ask and do more, speak to several, or say when: none of them is one question. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

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
])('more is done than to ask or to say: %s', (line) => {
  expect(stepsOf(`- ${line}`, rest, ['F'])).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ...['Ask Ann and the user for $rate', 'Ask Ann or Clerk for $rate', 'Say "a" to Ann'],
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
])('that is one question: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:QUE Say(user, ${line})`, '02:YLD for user']);
});

test('what is asked as a value is asked of whom the line says', () => {
  expect(stepsOf('- $x = ask Ann for the age', rest)[0]).toBe(
    '01:QUE Say(Ann, ask Ann for the age as $x)',
  );
});
