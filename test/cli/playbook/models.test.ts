/** Models of single agents: who is asked, at which price, also when a run is taken up again. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startCollector } from '../../support/collector.ts';
import { type ServedRequest, startModelServer } from '../../support/model-server.ts';
import { followed } from '../../support/playbook-follower.ts';

interface Named {
  readonly head?: string;
  readonly adviser?: string;
  readonly note?: string;
}

/** The lead asks an adviser, who asks a person and lets a playbook of its own write. */
const desk = ({ head = '', adviser = '', note = '' }: Named = {}) => `---
title: Desk
${head}
---
# Lead

## Main
### Triggers
- At the beginning
### Steps
- Greet the visitor
- $advice = Adviser.Advise()
- Tell the visitor of $advice

# Adviser
${adviser}

## Advise
public: true
### Steps
- Ask the user for $topic
- $note = Note($topic)
- Return $note

## Note(topic)
execution_mode: raw
${note}

Write a note about {topic}.
`;

const note = 'A note.';

const script = ({ messages, prompt }: ServedRequest): string =>
  prompt.startsWith('Write a note') ? note : followed(messages);

/** `Playbook: provider/model` of each request, in order, without those that repeat. */
function asked(requests: readonly ServedRequest[]): string[] {
  const all = requests.map(({ messages, model, prompt, provider }) => {
    const heads = messages.flatMap(({ content }) => [...content.matchAll(/^## (\w+)\(/gm)]);
    const name = prompt.startsWith('Write a note') ? 'Note' : (heads.at(-1)?.[1] ?? '');
    return `${name}: ${provider}/${model}`;
  });
  return all.filter((one, index) => one !== all[index - 1]);
}

const run = ['run', 'desk.playbook.md', '--model', 'openai/own'];

describe('a model that the file names', () => {
  test('follows what it is named for, where the run asks the same provider', async () => {
    await using server = await startModelServer(script);
    const { env } = { env: server.env.all };
    const text = desk({ head: 'model: openai/base', adviser: 'model: openai/wise' });
    using folder = new Folder({ 'desk.playbook.md': text });
    expect(await folder.planvm([...run, '--strict'], { env })).toMatchObject({ code: 4 });
    expect(await folder.planvm(['answer', 'last', 'Tea'], { env })).toMatchObject({ code: 0 });
    expect(asked(server.requests)).toEqual([
      'Main: openai/base',
      'Advise: openai/wise',
      'Note: openai/wise',
      'Main: openai/base',
    ]);
    const { stdout } = await folder.planvm(['show', 'last', '--json']);
    const { effects } = JSON.parse(stdout) as {
      readonly effects: readonly { readonly name: string; readonly model?: string }[];
    };
    expect(effects.flatMap(({ name, model }) => (model ? [`${name}: ${model}`] : []))).toEqual([
      'turn: openai/base',
      'turn: openai/wise',
      'turn: openai/wise',
      'complete: openai/wise',
      'turn: openai/base',
    ]);
  });

  test('of another provider is asked only where a person says so', async () => {
    await using server = await startModelServer(script);
    const { env } = { env: server.env.all };
    const text = desk({ adviser: 'model: anthropic/wise' });
    using folder = new Folder({ 'desk.playbook.md': text });
    const first = await folder.planvm(run, { env });
    expect(first.stderr).toMatch(
      /PV2434: .*got model: anthropic\/wise below the heading Adviser, of which nothing comes/,
    );
    expect(first.stderr).toContain('--agent-model Adviser=anthropic/wise');
    expect(server.requests.map(({ provider }) => provider)).toEqual(['openai', 'openai']);

    const models = { Adviser: 'anthropic/wise', 'Adviser.Note': 'google/pen', Other: 'google/x' };
    folder.write('planvm.config.json', { playbooks: { models } });
    const from = server.requests.length;
    expect((await folder.planvm(run, { env })).stderr).not.toContain('PV2434');
    const goOn = ['answer', 'last', 'Tea'];
    expect(await folder.planvm(goOn, { env })).toMatchObject({ code: 0 });
    expect(asked(server.requests.slice(from))).toEqual([
      'Main: openai/own',
      'Advise: anthropic/wise',
      'Note: google/pen',
      'Main: openai/own',
    ]);
  });
});

test('the option comes before the variable, the configuration and the file', async () => {
  await using server = await startModelServer(script);
  const text = desk({ adviser: 'model: openai/file' });
  const playbooks = { inline: 0, models: { Adviser: 'openai/config' } };
  using folder = new Folder({
    'desk.playbook.md': text,
    'planvm.config.json': { playbooks },
  });
  const env = { ...server.env.all, PLANVM_AGENT_MODELS: 'Adviser=openai/variable' };
  const flags = ['--agent-model', 'Adviser=openai/option', '--agent-model', 'Lead=openai/lead'];
  await folder.planvm([...run, ...flags], { env });
  await folder.planvm(run, { env });
  await folder.planvm(run, { env: server.env.all });
  expect(asked(server.requests)).toEqual([
    'Main: openai/lead',
    'Advise: openai/option',
    'Main: openai/own',
    'Advise: openai/variable',
    'Main: openai/own',
    'Advise: openai/config',
  ]);
  const { stdout } = await folder.planvm(['doctor', '--json'], { env });
  expect(JSON.parse(stdout).settings).toContainEqual({
    name: 'playbooks.models',
    value: { Adviser: 'openai/variable' },
    origin: 'PLANVM_AGENT_MODELS in the environment, planvm.config.json',
  });
});

describe('a run that is taken up again', () => {
  test('keeps its models, unless the command names another', async () => {
    await using server = await startModelServer(script);
    const { env } = { env: server.env.all };
    using folder = new Folder({ 'desk.playbook.md': desk() });
    const flags = ['--agent-model', 'Adviser=openai/wise'];
    for (const more of [[], ['--agent-model', 'Adviser=anthropic/other']]) {
      folder.write('planvm.config.json', {});
      await folder.planvm([...run, ...flags], { env });
      folder.write('planvm.config.json', {
        playbooks: { models: { Adviser: 'openai/late', Lead: 'openai/late' } },
      });
      await folder.planvm(['answer', 'last', 'Tea', ...more], { env });
    }
    expect(asked(server.requests)).toEqual([
      ...['Main: openai/own', 'Advise: openai/wise', 'Note: openai/wise', 'Main: openai/own'],
      ...['Advise: openai/wise', 'Advise: anthropic/other', 'Note: anthropic/other'],
      'Main: openai/own',
    ]);
  });
});

test('the price of each model counts before it is asked', async () => {
  await using server = await startModelServer(script);
  const { env } = { env: server.env.all };
  const prices = {
    'openai/own': { input: 1, output: 1 },
    'openai/dear': { input: 1e6, output: 1e6 },
  };
  using folder = new Folder({
    'desk.playbook.md': desk({ adviser: 'model: openai/dear' }),
    'planvm.config.json': { prices },
  });
  const stopped = await folder.planvm([...run, '--cost', '0.5'], { env });
  expect(stopped.code).toBe(5);
  expect(asked(server.requests)).toEqual(['Main: openai/own']);
  const more = ['--cost', '5000', '--json'];
  expect(await folder.planvm(['resume', 'last', ...more], { env })).toMatchObject({ code: 4 });
  const done = await folder.planvm(['answer', 'last', 'Tea', ...more], { env });
  // Two turns of 15 tokens at a millionth of a dollar each, two and a note at one dollar.
  const { usage } = JSON.parse(done.stdout);
  expect(usage.modelCalls).toBe(5);
  expect(usage.cost).toBeCloseTo(45.00003, 8);
});

test('a fork may ask another model for what one agent does', async () => {
  await using server = await startModelServer(script);
  const { env } = { env: server.env.all };
  using folder = new Folder({ 'desk.playbook.md': desk() });
  await folder.planvm(run, { env });
  await folder.planvm(['answer', 'last', 'Tea'], { env });
  const from = server.requests.length;
  const fork = ['fork', 'last', '--agent-model', 'Adviser=anthropic/other'];
  expect(await folder.planvm(fork, { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(note),
  });
  expect(asked(server.requests.slice(from))).toEqual([
    'Main: openai/own',
    'Advise: anthropic/other',
    'Note: anthropic/other',
    'Main: openai/own',
  ]);
});

test('spans are of the model that was asked', async () => {
  await using collector = await startCollector();
  await using server = await startModelServer(script);
  using folder = new Folder({ 'desk.playbook.md': desk() });
  const flags = ['--agent-model', 'Adviser=anthropic/wise', '--otlp', collector.url];
  // In a process of its own: telemetry is of a process.
  await folder.start([...run, ...flags], { env: server.env.all }).ended;
  const models = collector.spans.flatMap(({ attributes }) => {
    const model = attributes['gen_ai.request.model'];
    return model === undefined ? [] : [`${attributes['gen_ai.provider.name']}/${model}`];
  });
  expect(models).toEqual(['openai/own', 'anthropic/wise']);
});

describe('what nobody can mean', () => {
  const check = ['check', 'desk.playbook.md', '--model', 'openai/own'];

  test.each([
    ['Advisor=openai/x', 'there is no agent Advisor', 'did you mean Adviser?'],
    ['Adviser.Not=openai/x', 'there is no agent Adviser.Not', 'did you mean Adviser.Note?'],
    ['Adviser=gpt', 'Adviser: got gpt, want PROVIDER/NAME', ''],
    ['openai/x', 'got openai/x, want AGENT=PROVIDER/NAME', ''],
    ['Adviser=opnai/x', "no provider 'opnai'", 'did you mean openai/…?'],
  ])('--agent-model %s', async (given, message, hint) => {
    await using server = await startModelServer(script);
    using folder = new Folder({ 'desk.playbook.md': desk() });
    const commands = given.startsWith('Adviser=opnai') ? [run] : [run, check];
    for (const command of commands) {
      const said = await folder.planvm([...command, '--agent-model', given], {
        env: server.env.all,
      });
      expect(said.code).toBe(2);
      expect(said.stderr).toContain(message);
      expect(said.stderr).toContain(hint);
    }
    expect(server.requests).toEqual([]);
  });
});
