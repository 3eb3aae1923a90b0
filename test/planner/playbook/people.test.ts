/** People who talk to a program: messages to one that is idle, and what comes along at its start. */
import { expect, test } from 'vitest';
import { ops, played } from './played.ts';

const text = `# Desk
You are a cheerful clerk.

## Main
### Triggers
- At the beginning
### Steps
- $count = 1
- Say("Hello")

## Refund
### Triggers
- When the user wants money back
### Steps
- Say("Refunded")
`;

test('an idle program matches messages, replies to others, and begins nothing anew', async () => {
  const { result, said, prompts } = await played(text, {
    idle: true,
    answers: ['Who are you?', 'My money back!', 'And now?'],
    matches: ({ message }) => (/money/.test(String(message)) ? ['Desk.Refund:T1'] : []),
    replies: [
      ops({ set: { count: 1 } }, { say: 'Hello' }, { return: null }),
      ops({ say: 'Ann' }, { return: null }),
      ops({ say: 'Refunded' }, { return: null }),
      ops({ say: 'Nothing' }, { return: null }),
    ],
  });
  expect(result).toMatchObject({ status: 'waiting', reason: 'person' });
  expect(said).toEqual(['Hello', 'Ann', 'Refunded', 'Nothing']);
  expect(prompts[1]).toContain('cheerful clerk');
  expect(prompts[1]).toContain('Who are you?');
  expect(prompts[3]).toContain('Ann');
});

test('a message is answered behind the talk so far, each thing of it told once', async () => {
  const talk = `# Librarian

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $name
- $open = House.Open()
- Say("Take Dune.")

## Lost
### Triggers
- When a book is lost
### Steps
- Say("Five euros.")

# House

## Open
public: true
### Steps
- Say("It is open.")
- Return True
`;
  const letter = `I am Ann.${' I read a lot.'.repeat(400)} I like whales.`;
  const { result, said, prompts } = await played(talk, {
    idle: true,
    answers: [letter, 'I hated that one, another?', 'I have lost it', 'How much was that?'],
    matches: ({ message }) => (/lost/.test(String(message)) ? ['Librarian.Lost:T1'] : []),
    replies: [
      ops({ step: '01' }, { say: 'Your name?' }, { step: '02' }, { yield: 'user' }),
      ops({ set: { $name: 'Ann' } }, { step: '03' }, { call: 'House.Open', into: '$open' }),
      ops({ step: '01' }, { say: 'It is open.' }, { step: '02' }, { return: true }),
      ops({ step: '04' }, { say: 'Take Dune.' }, { return: null }),
      ops({ show: ['long_1'] }, { yield: 'call' }),
      ops({ say: 'Moby Dick, then.' }, { return: null }),
      ops({ step: '01' }, { say: 'Five euros.' }, { return: null }),
      ops({ say: 'Five.' }, { return: null }),
    ],
  });
  expect(result).toMatchObject({ status: 'waiting', reason: 'person' });
  expect(said.slice(3)).toEqual(['Moby Dick, then.', 'Five euros.', 'Five.']);
  const [first = '', asked = '', last = ''] = [prompts[4], prompts[5], prompts[7]];
  const heard =
    /You said: "Your name\?"\n\nThe person wrote: "I am Ann[^"]+" … \(\d+ more .*long_1\)/;
  expect(first).toMatch(heard);
  expect(first).toMatch(/like whales."\n\nYou said: "Take Dune."\n\nThe person wrote: "I hated/);
  // What other agents say is not of this talk.
  expect(first).not.toContain('It is open.');
  expect(asked).toContain(letter);
  expect(last.startsWith(first)).toBe(true);
  expect(last).toMatch(
    /"I have lost it"\n\n.*Lost was played.*\n\nYou said: "Five euros."\n\nThe person wrote: "How/,
  );
  for (const once of ['"Your name?"', '"Take Dune."', '"Five euros."', '"Moby Dick, then."']) {
    expect(last.split(once)).toHaveLength(2);
  }
});

test('what is piped in is a variable; what starts may take arguments, which a person may give', async () => {
  const starting = `# Desk

## Main(topic, tone="calm")
### Triggers
- At the beginning
### Steps
- Say("{topic} {tone} {$startup_message}")
`;
  const reply = [ops({ say: '{topic} {tone} {$startup_message}' }, { return: null })];
  const { said } = await played(starting, {
    given: { topic: 'tides' },
    startup: 'notes',
    replies: reply,
  });
  expect(said).toEqual(['tides calm notes']);
  const asked = await played(starting, { answers: ['moons'], startup: 'x', replies: reply });
  expect(asked.said).toEqual(['moons calm x']);
});
