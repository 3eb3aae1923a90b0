/** `planvm chat x.playbook.md`, and what is said while a reply is still written. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const text = `# Desk
You are a clerk.

## Main
### Triggers
- At the beginning
### Steps
- Say("Hello")
`;

test('lines that are piped in are messages; at their end it waits, and goes on elsewhere', async () => {
  await using models = await startModelServer(
    inOrder(
      ops({ say: 'Hello' }, { return: null }),
      ops({ say: 'I am Ann.' }, { return: null }),
      ops({ say: 'Bye.' }, { yield: 'exit' }),
    ),
  );
  using folder = new Folder({ 'x.playbook.md': text });
  const env = { ...models.env.openai };
  const chat = await folder.planvm(['chat', 'x.playbook.md', '--model', 'openai/test'], {
    env,
    input: 'Who are you?\n',
  });
  expect(chat).toMatchObject({ code: 4, stdout: 'Hello\nI am Ann.\n' });
  expect(chat.stderr).toContain('planvm answer');
  const answered = await folder.planvm(['answer', 'last', 'Goodbye'], { env });
  expect(answered).toMatchObject({ code: 0, stdout: 'Bye.\n' });
  expect(models.requests).toHaveLength(3);
});

test('lines that are piped into a resume are messages, and into an answer are none', async () => {
  await using models = await startModelServer(({ messages }) => {
    const heard = messages.filter(({ content }) => content.includes('The person wrote'));
    return ops({ say: heard.length === 0 ? 'Hello' : `${heard.length} things.` }, { return: null });
  });
  using folder = new Folder({ 'x.playbook.md': text });
  const options = { env: models.env.openai, input: 'one\ntwo\n' };
  const chat = ['chat', 'x.playbook.md', '--model', 'openai/test', '--no-input'];
  expect(await folder.planvm(chat, options)).toMatchObject({ code: 4, stdout: 'Hello\n' });
  const answered = await folder.planvm(['answer', 'last', 'zero'], options);
  expect(answered).toMatchObject({ code: 4, stdout: '1 things.\n' });
  const resumed = await folder.planvm(['resume', 'last'], options);
  expect(resumed).toMatchObject({ code: 4, stdout: '2 things.\n3 things.\n' });
  const silent = await folder.planvm(['resume', 'last', '--no-input'], options);
  expect(silent).toMatchObject({ code: 4, stdout: '' });
});

test('a fork of a conversation hears what is piped into it, and is shown what it has said itself', async () => {
  await using models = await startModelServer(({ messages }) => {
    const heard = messages.filter(({ content }) => content.includes('The person wrote'));
    const said = heard.length === 0 ? 'Hello' : `${heard.length} things.`;
    return ops({ say: said }, { return: null });
  });
  using folder = new Folder({ 'x.playbook.md': text });
  const options = { env: models.env.openai, input: 'one\ntwo\n' };
  const chat = ['chat', 'x.playbook.md', '--model', 'openai/test'];
  const said = 'Hello\n1 things.\n2 things.\n';
  expect(await folder.planvm(chat, options)).toMatchObject({ code: 4, stdout: said });
  const fork = ['fork', 'last', '--at', 'main:1'];
  const silent = await folder.planvm([...fork, '--no-input', '--fresh', 'models'], options);
  expect(silent).toMatchObject({ code: 4, stdout: 'Hello\n1 things.\n2 things.\n' });
  expect(silent.stderr).toContain('--no-input: nothing is read from stdin');
  const forked = await folder.planvm(fork, options);
  expect(forked).toMatchObject({ code: 4, stdout: `${said}3 things.\n4 things.\n` });
  const { says } = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
  expect(says.map(({ text: one }: { text: string }) => one)).toEqual([
    ...['Hello', '1 things.', '2 things.', '3 things.', '4 things.'],
  ]);
});

test('lines behind the end of the program are said to be heard by nobody', async () => {
  await using models = await startModelServer(
    inOrder(ops({ say: 'Hello' }, { return: null }), ops({ say: 'Bye.' }, { yield: 'exit' })),
  );
  using folder = new Folder({ 'x.playbook.md': text });
  const chat = await folder.planvm(['chat', 'x.playbook.md', '--model', 'openai/test'], {
    env: models.env.openai,
    input: 'Goodbye\n\nOne thing more\nAnd another\n',
  });
  expect(chat).toMatchObject({ code: 0, stdout: 'Hello\nBye.\n' });
  expect(chat.stderr).toContain('nobody has heard what else is piped in, from "One thing more" on');
});

test('behind what a message has set off, nobody is asked by what was said before it', async () => {
  const poems = '\n## Poem\n### Triggers\n- When a poem is wanted\n### Steps\n- Say("Roses")\n';
  await using models = await startModelServer(
    inOrder(
      ops({ say: 'Hello' }, { return: null }),
      '{"holds": []}',
      ops({ say: 'I am Ann.' }, { yield: 'user' }),
      '{"holds": [1]}',
      ops({ step: '01' }, { say: 'Roses' }, { return: null }),
    ),
  );
  using folder = new Folder({ 'x.playbook.md': `${text}${poems}` });
  const chat = await folder.planvm(['chat', 'x.playbook.md', '--model', 'openai/test', '--json'], {
    env: { ...models.env.openai },
    input: 'Who are you?\nA poem\n',
  });
  expect(chat.stderr).toMatch(/Hello\n[\s\S]*I am Ann.\n[\s\S]*Roses\n/);
  expect(JSON.parse(chat.stdout).waits).toMatchObject([{ question: 'Your message' }]);
});

test('Ctrl-C while it replies is no error of a line, and leaves a talk that goes on', async () => {
  const script = inOrder(
    ops({ say: 'Hello' }, { return: null }),
    { hang: true },
    ops({ say: 'I am Ann.' }, { return: null }),
  );
  await using models = await startModelServer(script);
  using folder = new Folder({ 'x.playbook.md': text });
  const options = { env: models.env.openai, input: 'Who are you?\n' };
  const call = folder.start(['chat', 'x.playbook.md', '--model', 'openai/test'], options);
  await call.said('Reply ask');
  call.process.kill('SIGINT');
  const left = await call.ended;
  expect(left).toMatchObject({ code: 130, stdout: 'Hello\n' });
  expect(left.stderr).toMatch(/✖ suspended \(interrupted\)[\s\S]*planvm resume/);
  expect(left.stderr).not.toContain('PV5107');
  const resumed = await folder.planvm(['resume', 'last'], { env: models.env.openai });
  expect(resumed).toMatchObject({ code: 4, stdout: 'I am Ann.\n' });
});

test('bytes that are no text are said to be none', async () => {
  await using models = await startModelServer(
    inOrder(ops({ say: 'Hello' }, { return: null }), ops({ say: 'What?' }, { return: null })),
  );
  using folder = new Folder({ 'x.playbook.md': text });
  const options = { env: models.env.openai, input: 'caf\ufffd\n' };
  const chat = await folder.planvm(['chat', 'x.playbook.md', '--model', 'openai/test'], options);
  expect(chat).toMatchObject({ code: 4, stdout: 'Hello\nWhat?\n' });
  expect(chat.stderr).toContain('stdin: got bytes that are no text in UTF-8');
});

test('with --no-input nothing is read of a pipe, and that is said', async () => {
  await using models = await startModelServer(inOrder(ops({ say: 'Hello' }, { return: null })));
  using folder = new Folder({ 'x.playbook.md': text });
  const options = { env: models.env.openai, input: 'one\n' };
  const chat = ['chat', 'x.playbook.md', '--model', 'openai/test', '--no-input'];
  const left = await folder.start(chat, options).ended;
  expect(left).toMatchObject({ code: 4, stdout: 'Hello\n' });
  expect(left.stderr).toContain('--no-input: nothing is read from stdin');
  expect(models.requests).toHaveLength(1);
});

test('what is no program of playbooks hears no messages', async () => {
  using folder = new Folder({ 'x.star': 'answer(1)' });
  const { code, stderr } = await folder.planvm(['chat', 'x.star']);
  expect(code).toBe(2);
  expect(stderr).toContain('PV6002');
});

test('--json has the result on stdout, and what is said on stderr', async () => {
  await using models = await startModelServer(inOrder(ops({ say: 'Hello' }, { return: 7 })));
  using folder = new Folder({ 'x.playbook.md': text });
  const done = await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/test', '--json'], {
    env: { ...models.env.openai },
  });
  expect(JSON.parse(done.stdout)).toMatchObject({ status: 'done', answer: 7 });
  expect(done.stderr).toContain('Hello');
});

test.each([
  ['When the guest asks for a refund', 'I want my money back.'],
  ['When the event refund arrives', '{"event": "refund"}'],
])('what only listens waits when it is run, too, and hears: %s', async (trigger, message) => {
  await using models = await startModelServer(({ messages }) =>
    messages.some(({ content }) => content.includes('01:QUE'))
      ? ops({ say: 'Here it is.' }, { return: null })
      : '["Desk.Refund:T1"]',
  );
  const listening = text
    .replace('Main', 'Refund')
    .replace('At the beginning', trigger)
    .replace('Hello', 'Here it is.');
  using folder = new Folder({ 'x.playbook.md': listening });
  const env = { ...models.env.openai };
  const run = await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/test'], { env });
  expect(run).toMatchObject({ code: 4, stdout: '' });
  expect(run.stderr).toContain('planvm chat x.playbook.md talks with it');
  expect(run.stderr).toContain('planvm answer');
  expect(run.stderr).not.toContain('PV2414');
  const answered = await folder.planvm(['answer', 'last', message], { env });
  expect(answered).toMatchObject({ code: 4, stdout: 'Here it is.\n' });
});
