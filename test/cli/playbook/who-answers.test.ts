/** Who answers what nobody in particular is asked: whoever the program knows, by their name. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const desk = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $day
- Return $day

# Clara:Human
Keeps the books.
`;

test('a name that is misspelled answers no question, also where nobody in particular is asked', async () => {
  await using models = await startModelServer(
    inOrder(ops({ say: 'Which day?' }), ops({ set: { $day: 'Sunday' } })),
  );
  const env = { ...models.env.openai };
  using folder = new Folder({ 'x.playbook.md': desk });
  await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/test'], { env });
  const answerAs = (name: string) =>
    folder.planvm(['answer', 'last', '--as', name, 'Sunday'], { env });
  const misspelled = await answerAs('Clra');
  expect(misspelled).toMatchObject({ code: 2, stdout: '' });
  expect(misspelled.stderr).toMatch(
    /PV5142: run \w+ asks nothing of Clra\n {2}hint: did you mean Clara\? see planvm show r\w+\n/,
  );
  const strange = (await answerAs('Bob')).stderr;
  expect(strange).toMatch(/hint: it asks user, and knows Clara; see planvm show r\w+\n/);
  expect(await answerAs('clara')).toMatchObject({ code: 0, stdout: 'Sunday\n' });
});

test("an event is nobody's answer: it is told once, and whoever is asked then is asked on", async () => {
  const program = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $day
- Ask Clara for $price
- Return "{$day}, {$price}"

## Paid
### Triggers
- When the event paid arrives
### Steps
- Say("It is paid.")

# Clara:Human
`;
  await using models = await startModelServer(
    inOrder(
      ...[ops({ say: 'Which day?' }), ops({ set: { $day: 'Sunday' } })],
      ...[ops({ say: 'How much?', to: 'Clara' }), ops({ set: { $price: 7 } })],
    ),
  );
  const env = { ...models.env.openai };
  using folder = new Folder({ 'x.playbook.md': program });
  const run = await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/test'], { env });
  expect(run.code, run.stderr).toBe(4);
  const event = '{"event": "paid"}';
  const told = await folder.planvm(['answer', 'last', event], { env });
  expect(told, told.stderr).toMatchObject({ code: 4, stdout: 'It is paid.\n' });
  expect((await folder.planvm(['answer', 'last', '--as', 'user', 'Sunday'], { env })).code).toBe(4);
  const last = await folder.planvm(['answer', 'last', '--as', 'Clara', '7'], { env });
  expect(last, last.stderr).toMatchObject({ code: 0, stdout: 'Sunday, 7\n' });
});
