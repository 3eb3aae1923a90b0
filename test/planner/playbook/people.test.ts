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
