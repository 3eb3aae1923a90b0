/** Lines that name what they call in words, with what it is about among them. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const rest =
  '## FindAnAnswer($question)\n### Steps\n- Return 1\n' +
  '## Book a bike($bike, day = "Monday")\n### Steps\n- Return 1\n';

test.each([
  ['Find an answer to the $question', 'FindAnAnswer(question=$question)'],
  ['$a = find an answer to {$question}', '$a = FindAnAnswer(question=$question)'],
  ['Get $a from find an answer to $question', '$a = FindAnAnswer(question=$question)'],
  ['Book a bike, the $bike, for $day', 'BookABike(bike=$bike, day=$day)'],
  ['Book a bike with $bike.', 'BookABike(bike=$bike)'],
])('%s', (line, call) => {
  expect(stepsOf(`- ${line}`, rest)[0]).toBe(`01:QUE ${call}`);
});

test.each([
  // What it takes is not said, or more than it takes.
  'Book a bike for $day',
  'Find an answer to the $question of $person',
  // Other words, or those of two.
  'Find a good answer to the $question',
  'Find an answer to $other',
])('what may mean something else stays open: %s', (line) => {
  expect(stepsOf(`- ${line}`, rest)[0]).toBe(`01:EXE? ${line}`);
});

test.each([
  ['$a = "book a bike"', 'EXE $a = "book a bike"'],
  ["$a = 'Book a bike.'", "EXE $a = 'Book a bike.'"],
  ['$a:str = "book a bike"', 'EXE $a:str = "book a bike"'],
  ['bike = "Book a bike!"', 'EXE bike = "Book a bike!"'],
  ['set $a to "book a bike"', 'EXE $a = "book a bike"'],
  ['Put "book a bike" in $a', 'EXE $a = "book a bike"'],
  ['$a = "find an answer to the {$question}"', 'EXE $a = "find an answer to the {$question}"'],
  ['"Book a bike"', 'QUE Say(user, "Book a bike")'],
  ['$a = `book a bike`', 'EXE $a = `book a bike`'],
  // Behind a word for calling, quotes are about a name; alone, there is nothing else it could mean.
  ['Call "Book a bike"', 'QUE BookABike(bike=$bike)'],
  ['Get $a from `Book a bike`', 'QUE $a = BookABike(bike=$bike)'],
  ['Call `Book a bike`', 'QUE BookABike(bike=$bike)'],
  ['`BookABike($bike)`', 'QUE BookABike($bike)'],
  ['`Book a bike`', 'QUE BookABike(bike=$bike)'],
])('what is in quotes is a text, whatever is called so: %s', (line, step) => {
  expect(stepsOf(`- ${line}\n- Say("{$bike}")`, rest)[0]).toBe(`01:${step}`);
});

test('an agent makes another one like itself', () => {
  const others = '# Clerk\nWrites.\n';
  const made = (line: string): string | undefined => stepsOf(`- ${line}`, others)[0];
  expect(made('Create another Desk agent named Ann')).toBe(
    '01:QUE CreateAgent("Desk", name="Ann")',
  );
  expect(made('Create another Desk agent as $d')).toBe('01:QUE $d = CreateAgent("Desk")');
  // One that is alone has no way to make others, and furniture is none.
  expect(stepsOf('- Create another Desk agent named Ann')[0]).toMatch(/^01:EXE\?/);
  expect(made('Create another desk')).toMatch(/^01:EXE\?/);
});
