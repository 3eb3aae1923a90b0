/** `planvm run x.playbook.md`: playbooks are played through the whole command line. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, type ServedReply, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const hello = `# Hello

## Main
### Triggers
- At the beginning
### Steps
- Say("Hello from the harbour.")
- Say("Goodbye.")
- End program
`;

const desk = `# Bike desk
You rent bikes in a small harbour.

\`\`\`tools
def price(kind, days = 1):
    return {"city": 10, "race": 25}[kind] * days
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $day
- $bikes = FreeBikes($day)
- For each $bike in $bikes
  - $price = price($bike)
  - Say("{$bike}: {$price}")
- Return $day

## Free bikes(day)
Lists the bikes that are free on {day}.
### Steps
- Return ["city", "race"]
`;

const run = ['run', 'x.playbook.md', '--model', 'openai/test'];

test('formal lines need no model', async () => {
  using folder = new Folder({ 'x.playbook.md': hello });
  expect(await folder.planvm(['run', 'x.playbook.md'])).toMatchObject({
    ...{ code: 0, stdout: 'Hello from the harbour.\nGoodbye.\n' },
  });
});

test('a question waits for another process; a call, a loop and functions do the rest', async () => {
  await using models = await startModelServer(
    inOrder(ops({ say: 'Which day?' }), ops({ set: { day: 'Sunday' } })),
  );
  using folder = new Folder({ 'x.playbook.md': desk });
  const env = { ...models.env.openai };
  const asked = await folder.planvm([...run, '--inline', '0'], { env });
  expect(asked).toMatchObject({ code: 4, stdout: 'Which day?\n' });
  const answered = await folder.planvm(['answer', 'last', 'On Sunday'], { env });
  expect(answered).toMatchObject({ code: 0, stdout: 'city: 10\nrace: 25\nSunday\n' });
  expect(models.requests).toHaveLength(2);
});

test('code that is wrong, inputs that nothing takes, and options of plans are refused', async () => {
  using folder = new Folder({
    'x.playbook.md': hello,
    'wrong.playbook.md': desk.replace('days = 1', 'days = dayz'),
  });
  const wrong = await folder.planvm(['run', 'wrong.playbook.md']);
  expect(wrong).toMatchObject({ code: 3, stderr: expect.stringMatching(/:5:.*dayz/) });
  const input = await folder.planvm(['run', 'x.playbook.md', '--input', 'city=Rome']);
  expect(input).toMatchObject({ code: 2, stderr: expect.stringContaining('PV6007') });
  const repaired = await folder.planvm(['run', 'x.playbook.md', '--repair', '2']);
  expect(repaired).toMatchObject({ code: 2, stdout: '' });
  expect(repaired.stderr).toContain('PV6002: --repair: no model writes playbooks anew');
  expect(await folder.planvm(['run', 'x.playbook.md', '--no-join'])).toMatchObject({ code: 0 });
});

test('what an answer in plain words has said is not printed again as the result', async () => {
  const skill = '# Tides\nYou tell people when the water is high, in one sentence.\n';
  const answer = 'The water is high at six.';
  const reply: ServedReply = ops({ say: answer }, { return: answer });
  await using models = await startModelServer(() => reply);
  using folder = new Folder({ 'x.playbook.md': skill });
  const env = { ...models.env.openai };
  expect(await folder.planvm(run, { env })).toMatchObject({ code: 0, stdout: `${answer}\n` });
  const { stdout } = await folder.planvm([...run, '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({ answer });
});
