/** `planvm chat x.playbook.md`: messages that are piped in, at which ends, and what hears them. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, type ServedRequest, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const text = `# Desk
You are a clerk.

## Main
### Triggers
- At the beginning
### Steps
- Say("Hello")
`;

const chat = ['chat', 'x.playbook.md', '--model', 'openai/test'];
const run = ['run', ...chat.slice(1)];

/** Says the number of messages that it has been told. */
const counting = ({ messages }: ServedRequest): string => {
  const heard = messages.slice(1).filter(({ content }) => content.includes('The person wrote'));
  return ops({ say: `${heard.length} things.` }, { return: null });
};

test('at the end of piped messages it waits, and goes on elsewhere; what comes later is not heard', async () => {
  const bye = ops({ say: 'Bye.' }, { yield: 'exit' });
  await using models = await startModelServer(
    inOrder(ops({ say: 'I am Ann.' }, { return: null }), bye, bye),
  );
  using folder = new Folder({ 'x.playbook.md': text });
  const env = { ...models.env.openai };
  const talk = await folder.planvm(chat, { env, input: 'Who are you?\n' });
  expect(talk).toMatchObject({ code: 4, stdout: 'Hello\nI am Ann.\n' });
  expect(talk.stderr).toContain('planvm answer');
  const answered = await folder.planvm(['answer', 'last', 'Goodbye'], { env });
  expect(answered).toMatchObject({ code: 0, stdout: 'Bye.\n' });
  expect(models.requests).toHaveLength(2);

  const input = 'Goodbye\n\nOne thing more\nAnd another\n';
  const ended = await folder.planvm(chat, { env, input });
  expect(ended).toMatchObject({ code: 0, stdout: 'Hello\nBye.\n' });
  expect(ended.stderr).toContain(
    'nobody has heard what else is piped in, from "One thing more" on',
  );
});

test('lines that are piped into a resume or a fork are messages, and into an answer are none', async () => {
  await using models = await startModelServer(counting);
  using folder = new Folder({ 'x.playbook.md': text });
  const options = { env: models.env.openai, input: 'one\ntwo\n' };
  const silent = await folder.planvm([...chat, '--no-input'], options);
  expect(silent).toMatchObject({ code: 4, stdout: 'Hello\n' });
  expect(silent.stderr).toContain('--no-input: nothing is read from stdin');
  const answered = await folder.planvm(['answer', 'last', 'zero'], options);
  expect(answered).toMatchObject({ code: 4, stdout: '1 things.\n' });
  const resumed = await folder.planvm(['resume', 'last'], options);
  expect(resumed).toMatchObject({ code: 4, stdout: '2 things.\n3 things.\n' });

  const said = ['Hello', '1 things.', '2 things.', '3 things.', '4 things.', '5 things.'];
  const forked = await folder.planvm(['fork', 'last', '--at', 'main:1'], options);
  expect(forked).toMatchObject({ code: 4, stdout: `${said.join('\n')}\n` });
  const { says } = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
  expect(says.map(({ text: words }: { text: string }) => words)).toEqual(said);
});

test('after what a message has set off, nobody is asked by what was said before it', async () => {
  const poems = '\n## Poem\n### Triggers\n- When a poem is wanted\n### Steps\n- Say("Roses")\n';
  await using models = await startModelServer(
    inOrder('{"holds": []}', ops({ say: 'I am Ann.' }, { yield: 'user' }), '{"holds": [1]}'),
  );
  using folder = new Folder({ 'x.playbook.md': `${text}${poems}` });
  const input = 'Who are you?\nA poem\n';
  const talk = await folder.planvm([...chat, '--json'], { env: { ...models.env.openai }, input });
  expect(talk.stderr).toMatch(/Hello\n[\s\S]*I am Ann.\n[\s\S]*Roses\n/);
  expect(JSON.parse(talk.stdout).waits).toMatchObject([{ question: 'Your message' }]);
});

test('Ctrl-C while it replies is not an error of a line, and leaves a talk that goes on', async () => {
  const script = inOrder({ hang: true }, ops({ say: 'I am Ann.' }, { return: null }));
  await using models = await startModelServer(script);
  using folder = new Folder({ 'x.playbook.md': text });
  const call = folder.start(chat, { env: models.env.openai, input: 'Who are you?\n' });
  await call.said('Reply ask');
  call.process.kill('SIGINT');
  const left = await call.ended;
  expect(left).toMatchObject({ code: 130, stdout: 'Hello\n' });
  expect(left.stderr).toMatch(/✖ suspended \(interrupted\)[\s\S]*planvm resume/);
  expect(left.stderr).not.toContain('PV5107');
  const resumed = await folder.planvm(['resume', 'last'], { env: models.env.openai });
  expect(resumed).toMatchObject({ code: 4, stdout: 'I am Ann.\n' });
});

test.each([
  ['When the guest asks for a refund', 'I want my money back.'],
  ['When the event refund arrives', '{"event": "refund"}'],
])('what only listens waits when it is run, too, and hears: %s', async (trigger, message) => {
  await using models = await startModelServer(() => '{"holds": [1]}');
  const listening = text.replace('Main', 'Refund').replace('At the beginning', trigger);
  using folder = new Folder({ 'x.playbook.md': listening });
  const env = { ...models.env.openai };
  const waiting = await folder.planvm(run, { env });
  expect(waiting).toMatchObject({ code: 4, stdout: '' });
  expect(waiting.stderr).toContain('planvm chat x.playbook.md talks with it');
  expect(waiting.stderr).toContain('planvm answer');
  expect(waiting.stderr).not.toContain('PV2414');
  const answered = await folder.planvm(['answer', 'last', message], { env });
  expect(answered).toMatchObject({ code: 4, stdout: 'Hello\n' });
});
