/** What is said of the answer of a loop over tasks: by a person, by a model that judges it. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { inOrder, type ServedReply, startModelServer } from '../support/model-server.ts';
import { startToolServer, toolModule } from '../support/tool-server.ts';

const plan = (...calls: string[]): string =>
  [...calls.map((call) => `Thought: why\n${call}`), '<END_OF_PLAN>'].join('\n');
const finish = (answer: string): string =>
  JSON.stringify({ thought: 'seen', action: 'finish', answer, reason: '' });
const verdict = (accept: boolean): string =>
  JSON.stringify({ reason: 'Etna is missing', accept, suggestion: 'look at Etna' });
const act = (action: string): string => `Thought: why\nAction: ${action}`;

interface Said {
  readonly dialect: 'llmcompiler' | 'react';
  readonly replies: readonly ServedReply[];
  /** After `ask`, each in turn. */
  readonly commands?: readonly (readonly string[])[];
  readonly flags?: readonly string[];
}

async function asked({ dialect, replies, commands = [], flags = [] }: Said) {
  await using models = await startModelServer(inOrder(...replies));
  await using tools = await startToolServer();
  using folder = new Folder({ 'tools.mjs': toolModule });
  const env = { ...models.env.openai, ...tools.env };
  const options = ['--dialect', dialect, '--model', 'openai/test', '--tools', './tools.mjs'];
  const ended = [await folder.planvm(['ask', 'Which is higher?', ...options, ...flags], { env })];
  for (const command of commands) ended.push(await folder.planvm(command, { env }));
  const last = ended.at(-1);
  if (!last) throw new Error('something was asked');
  return { ...last, ended, requests: models.requests, calls: tools.calls };
}

const lastMessage = (request: { messages: readonly { content: string }[] } | undefined): string =>
  request?.messages.at(-1)?.content ?? '';

describe('revise', () => {
  const first = plan('1. search["Elbrus"]', '2. join()');

  test('leads to another plan with the note, and every result is there', async () => {
    const second = plan('2. look[$1]', '3. join()');
    const done = await asked({
      dialect: 'llmcompiler',
      replies: [first, finish('Elbrus'), second, finish('Etna')],
      commands: [['revise', 'last', 'Look at Etna, too']],
    });
    expect(done).toMatchObject({ code: 0, stdout: 'Etna\n' });
    expect(done.calls).toEqual(['search Elbrus', 'look found search Elbrus']);
    expect(lastMessage(done.requests[2])).toContain('The answer was: Elbrus\nLook at Etna, too');
    expect(lastMessage(done.requests[2])).toContain('1. search["Elbrus"]\nObservation: found');
    expect(lastMessage(done.requests[3])).toContain('2. look[$1]');
  });

  test('can be said of what was revised, and be looked at before', async () => {
    const done = await asked({
      dialect: 'llmcompiler',
      replies: [first, finish('a'), plan('2. join($1)'), plan('2. join("b: $1")')],
      commands: [
        ['revise', 'last', 'Say it as it was found'],
        ['revise', 'last', 'Put b before it', '--preview'],
        ['revise', 'last', 'Put b before it'],
      ],
    });
    expect(done.ended.map(({ stdout }) => stdout)).toEqual([
      ...['a\n', 'found search Elbrus\n', '', 'b: found search Elbrus\n'],
    ]);
    expect(done.calls).toEqual(['search Elbrus']);
    expect(done.requests).toHaveLength(4);
  });

  test('of one step at a time is seen behind the answer', async () => {
    const done = await asked({
      dialect: 'react',
      replies: [
        act('search[Elbrus]'),
        act('Finish[Elbrus]'),
        act('look[Etna]'),
        act('Finish[Etna]'),
      ],
      commands: [['revise', 'last', 'Look at Etna, too']],
    });
    expect(done).toMatchObject({ code: 0, stdout: 'Etna\n' });
    expect(done.calls).toEqual(['search Elbrus', 'look Etna']);
    expect(done.requests[2]?.messages.slice(-2)).toMatchObject([
      { content: 'Thought: why\nAction: Finish[Elbrus]' },
      { content: 'Observation: Error: PV7209 Look at Etna, too' },
    ]);
  });

  test('can be said of a run that came to no answer: what it has found stays', async () => {
    const replan = JSON.stringify({ thought: '', action: 'replan', answer: '', reason: 'unclear' });
    const done = await asked({
      dialect: 'llmcompiler',
      flags: ['--rounds', '1'],
      replies: [first, replan, plan('2. look[$1]', '3. join($2)')],
      commands: [['revise', 'last', 'Look at what was found']],
    });
    expect(done.ended.map(({ code }) => code)).toEqual([1, 0]);
    expect(done.stdout).toBe('found look found search Elbrus\n');
    expect(done.calls).toEqual(['search Elbrus', 'look found search Elbrus']);
    const told = lastMessage(done.requests[2]);
    expect(told).toContain('There was no answer: ');
    expect(told).toContain('Look at what was found');
    expect(told).toContain('1. search["Elbrus"]\nObservation: found search Elbrus');
  });

  test('can be said where there was no plan at all', async () => {
    const done = await asked({
      dialect: 'llmcompiler',
      replies: ['No.', 'No.', plan('1. search["Etna"]', '2. join($1)')],
      commands: [['revise', 'last', 'Search for Etna']],
    });
    expect(done).toMatchObject({ code: 0, stdout: 'found search Etna\n' });
    expect(lastMessage(done.requests[2])).toContain('Search for Etna');
  });

  test('of one step at a time that came to no answer is seen behind the last call', async () => {
    const done = await asked({
      dialect: 'react',
      flags: ['--rounds', '2'],
      replies: [act('search[Elbrus]'), act('search[Ararat]'), act('Finish[Etna]')],
      commands: [['revise', 'last', 'Say Etna']],
    });
    expect(done.ended.map(({ code }) => code)).toEqual([1, 0]);
    expect(done.calls).toEqual(['search Elbrus']);
    expect(done.requests[2]?.messages.map(({ content }) => content).join('\n')).toContain(
      'Observation: found search Elbrus',
    );
    expect(lastMessage(done.requests[2])).toMatch(/PV7209 There was no answer: .*\nSay Etna/);
  });

  test('says what it cannot do', async () => {
    const [, at] = (
      await asked({
        dialect: 'llmcompiler',
        replies: [first, finish('a')],
        commands: [['revise', 'last', 'Better', '--at', '1']],
      })
    ).ended;
    expect(at).toMatchObject({ code: 2 });
    expect(at?.stderr).toContain('is of a loop, which goes on after its answer');
  });
});

describe('--judge', () => {
  test('an answer that is rejected is planned for again, with the verdict', async () => {
    const done = await asked({
      dialect: 'llmcompiler',
      flags: ['--judge', '1', '--json'],
      replies: [
        ...[plan('1. search["Elbrus"]', '2. join()'), finish('Elbrus'), verdict(false)],
        ...[plan('2. look["Etna"]', '3. join()'), finish('Etna'), verdict(true)],
      ],
    });
    expect(done.code).toBe(0);
    const { answer, answers } = JSON.parse(done.stdout);
    expect({ answer, accept: answers.at(-1).verdict.accept }).toEqual({
      answer: 'Etna',
      accept: true,
    });
    expect(lastMessage(done.requests[3])).toContain('Etna is missing\nlook at Etna');
    expect(done.calls).toEqual(['search Elbrus', 'look Etna']);
  });

  test('an answer of one step at a time is judged, and stays where nothing may be revised', async () => {
    const done = await asked({
      dialect: 'react',
      flags: ['--judge', '--json'],
      replies: [act('search[Elbrus]'), act('Finish[Elbrus]'), verdict(false)],
    });
    const { answer, answers } = JSON.parse(done.stdout);
    expect({ answer, accept: answers[0].verdict.accept }).toEqual({
      ...{ answer: 'Elbrus', accept: false },
    });
  });
});

test('a secret is no input of a loop: it would be told to the model, and kept', async () => {
  using folder = new Folder({ 'own.txt': 'Question: is it s3cret-0123456789?' });
  const ask = ['ask', 'x', '--dialect', 'llmcompiler', '--model', 'openai/test'];
  const env = { OPENAI_API_KEY: 'sk-loopback-0123456789abcdef', MY_TOKEN: 's3cret-0123456789' };
  const given = await folder.planvm([...ask, '--input', 'key=s3cret-0123456789'], { env });
  expect(given).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('PV6025: the input key'),
  });
  const shown = await folder.planvm([...ask, '--examples', 'own.txt'], { env });
  expect(shown).toMatchObject({ code: 2, stderr: expect.stringContaining('PV6025: an example') });
});
