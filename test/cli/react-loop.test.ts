/** `planvm ask --dialect react`: one call after the other, in text and in the provider's own form. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import {
  inOrder,
  type ServedReply,
  type ServedRequest,
  startModelServer,
} from '../support/model-server.ts';
import { startToolServer, toolModule } from '../support/tool-server.ts';

const ask = ['ask', 'Which is higher?', '--dialect', 'react', '--tools', './tools.mjs'];
const models = {
  openai: 'openai/test',
  anthropic: 'anthropic/test',
  google: 'google/test',
  ollama: 'ollama/test',
} as const;

async function asked(
  replies: readonly ServedReply[],
  options: {
    flags?: readonly string[];
    answer?: (call: string) => unknown;
    provider?: keyof typeof models;
    /** Whether tools are offered in the provider's own form. */
    native?: boolean;
  } = {},
) {
  const { answer, provider = 'openai', native = false } = options;
  const flags = [...(native ? [] : ['--no-native-tools']), ...(options.flags ?? [])];
  await using server = await startModelServer(inOrder(...replies));
  await using tools = await startToolServer(answer);
  using folder = new Folder({ 'tools.mjs': toolModule });
  const env = { ...server.env[provider], ...tools.env };
  const done = await folder.planvm([...ask, '--model', models[provider], ...flags], { env });
  return { ...done, requests: server.requests, calls: tools.calls };
}

const act = (action: string): string => `Thought: why\nAction: ${action}`;

const told = (request: ServedRequest | undefined): string =>
  request?.messages.at(-1)?.content ?? '';

describe.each(Object.keys(models) as (keyof typeof models)[])('with %s', (provider) => {
  test('the model thinks, calls, looks, and answers', async () => {
    const replies = [act('search[Mont Blanc]'), act('look["$5 (or more)"]'), act('Finish[Elbrus]')];
    const done = await asked([...replies], { provider });
    expect(done).toMatchObject({ code: 0, stdout: 'Elbrus\n' });
    expect(done.calls).toEqual(['search Mont Blanc', 'look $5 (or more)']);
    expect(JSON.stringify(done.requests[0]?.body)).toContain(JSON.stringify(['\nObservation:']));
    expect(done.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: 'Thought: why\nAction: search[Mont Blanc]' },
      { role: 'user', content: 'Observation: found search Mont Blanc' },
    ]);
  });

  test('calls in its own form are made at the same time, and answered each', async () => {
    const both = Promise.withResolvers<void>();
    const seen: string[] = [];
    // None is answered before both have come.
    const answer = async (call: string): Promise<string> => {
      if (seen.push(call) === 2) both.resolve();
      await both.promise;
      return `found ${call}`;
    };
    const calls = [
      { name: 'search', args: { query: 'Mont Blanc' } },
      { name: 'look', args: { query: 'Elbrus' } },
    ];
    const replies = [{ text: '', pieces: [], calls }, 'Elbrus is higher.'];
    const done = await asked(replies, { provider, answer, native: true });
    expect(done).toMatchObject({ code: 0, stdout: 'Elbrus is higher.\n' });
    expect([...seen].sort()).toEqual(['look Elbrus', 'search Mont Blanc']);
    const second = JSON.stringify(done.requests[1]?.body);
    for (const found of ['found search Mont Blanc', 'found look Elbrus']) {
      expect(second).toContain(found);
    }
    const [system] = done.requests[0]?.messages ?? [];
    expect(system?.content).not.toMatch(/Action:|one call at a time/);
  });

  test('arguments that are no object are told of, and go back as one', async () => {
    const calls = [{ name: 'search', args: ['Mont Blanc'] }];
    const replies = [{ text: '', pieces: [], calls }, 'I cannot.'];
    const done = await asked(replies, { provider, native: true });
    expect(done).toMatchObject({ code: 0, stdout: 'I cannot.\n', calls: [] });
    const second = JSON.stringify(done.requests[1]?.body).replaceAll('\\', '');
    expect(second).toContain('got arguments ["Mont Blanc"], want a JSON object');
    expect(second).toMatch(/(?:input|args|arguments)":"?\{"\w+":\["Mont Blanc"\]\}/);
  });
});

describe.each([
  ['in text', false, act('Finish[Elbrus is hi'), 'gher.]'],
  ['in the form of the provider', true, 'Elbrus is hi', 'gher.'],
] as const)('an answer that is cut off at the token limit, %s', (_, native, begun, rest) => {
  test('is gone on with', async () => {
    const replies = [{ text: begun, finish: 'length' } as const, rest];
    const done = await asked(replies, { native });
    expect(done).toMatchObject({ code: 0, stdout: 'Elbrus is higher.\n' });
    expect(done.stderr).toContain('openai/test met its token limit and went on once');
    expect(done.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: begun },
      { role: 'user', content: expect.stringMatching(/^Your answer was cut off/) },
    ]);
  });
});

test('an answer that never ends is as far as it came, and a warning says so', async () => {
  const cut = { text: 'Elbrus', finish: 'length' } as const;
  const more = { text: '!', finish: 'length' } as const;
  const done = await asked([cut, more, more, more], { native: true });
  expect(done).toMatchObject({ code: 0, stdout: 'Elbrus!!!\n' });
  expect(done.stderr).toContain('stopped at its token limit: the answer is cut off');
});

test('an action that never ends is none: the model is asked for another', async () => {
  const cut = { text: act('Finish[Elbrus'), finish: 'length' } as const;
  const more = { text: '!', finish: 'length' } as const;
  const done = await asked([cut, more, more, more, act('Finish[Elbrus]')]);
  expect(done).toMatchObject({ code: 0, stdout: 'Elbrus\n' });
  expect(told(done.requests[4])).toContain('Your answer could not be used');
});

test('calls that are cut off at the token limit are made, and a warning says so', async () => {
  const calls = [{ name: 'search', args: { query: 'a' } }];
  const replies = [{ text: '', pieces: [], calls, finish: 'length' } as const, 'Elbrus'];
  const done = await asked(replies, { native: true });
  expect(done).toMatchObject({ code: 0, stdout: 'Elbrus\n', calls: ['search a'] });
  expect(done.requests).toHaveLength(2);
  expect(done.stderr).toContain('stopped at its token limit: a call may be missing');
});

describe('what comes of a call is an observation', () => {
  test.each([
    ['a tool that fails', 'search[x]', /Error: PV4202 .*it is dark/],
    ['a tool that there is not', 'serch[x]', /PV2611 there is no tool serch \(did you mean search/],
    ['a parameter that is missing', 'search[]', /PV2613 search lacks query/],
  ])('%s', async (_what, action, words) => {
    const done = await asked([act(action), act('Finish[nothing]')], {
      answer: () => new Error('it is dark'),
    });
    expect(done).toMatchObject({ code: 0, stdout: 'nothing\n' });
    expect(told(done.requests[1])).toMatch(/^Observation: /);
    expect(told(done.requests[1])).toMatch(words);
  });

  test('an unknown tool in the form of the provider, too', async () => {
    const replies = [
      { text: 'I look.', calls: [{ name: 'serch', args: { query: 'x' } }] },
      'Nothing.',
    ];
    const done = await asked(replies, { native: true });
    expect(done.stdout).toBe('Nothing.\n');
    expect(JSON.stringify(done.requests[1]?.body)).toContain('did you mean search?');
  });
});

test('an observation that the model makes up is left out, and so are further actions', async () => {
  const text = `${act('search[a]')}\nObservation: 12 m\nThought: so\nAction: Finish[12 m]`;
  const done = await asked([text, `${act('look[b]')}\n${act('look[c]')}`, act('Finish[done]')]);
  expect(done).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(done.calls).toEqual(['search a', 'look b']);
  expect(done.stderr).toContain('it wrote an observation itself');
  expect(done.stderr).toContain('it wrote 2 actions; the first was taken');
});

test('what is no action is asked about once, and then fails', async () => {
  const mended = await asked(['It is Elbrus.', act('Finish[Elbrus]')]);
  expect(mended).toMatchObject({ code: 0, stdout: 'Elbrus\n' });
  expect(told(mended.requests[1])).toContain('want "Action: tool[…]" or "Action: Finish[…]"');
  const lost = await asked(['It is Elbrus.', 'I said so.']);
  expect(lost).toMatchObject({ code: 1, stdout: '' });
  expect(lost.stderr).toContain('PV7207');
  expect(lost.requests).toHaveLength(2);
});

test('the same call with the same arguments is told of once, then ends the run', async () => {
  const replies = [act('search["a"]'), act('search[query="a"]'), act('search[a]')];
  const done = await asked(replies);
  expect(done).toMatchObject({ code: 1, stdout: '' });
  expect(done.stderr).toMatch(/PV7205: .*search\["?a"?\] a third time/);
  expect(done.calls).toEqual(['search a']);
  expect(told(done.requests[2])).toContain('was called before: it was not called again');
  const french = await asked([...replies.slice(0, 2), act('Finish[fini]')], {
    flags: ['--language', 'French'],
  });
  expect(told(french.requests[2])).toContain('search[query="a"] a déjà été appelé');
});

test('a read may be made again after another call, and waiting uses up no replies', async () => {
  const waits = [act('sleep[0]'), act('sleep[0]'), act('sleep[0]')];
  const replies = [act('search[a]'), ...waits, act('search[a]'), act('Finish[a]')];
  const done = await asked(replies, { flags: ['--rounds', '3'] });
  expect(done).toMatchObject({ code: 0, stdout: 'a\n' });
  expect(done.calls).toEqual(['search a', 'search a']);
  expect(JSON.stringify(done.requests[0]?.body)).toContain('sleep[seconds');
  const others = [act('search[a]'), act('look[b]'), act('search[a]'), act('Finish[a]')];
  expect((await asked(others)).calls).toEqual(['search a', 'look b', 'search a']);
});

test('replies are bounded; the model is told when they run out', async () => {
  const done = await asked([act('search[a]'), act('search[b]')], { flags: ['--rounds', '2'] });
  expect(done).toMatchObject({ code: 1, stdout: '' });
  expect(done.stderr).toContain('PV7206');
  expect(done.calls).toEqual(['search a']);
  expect(done.requests).toHaveLength(2);
  expect(told(done.requests[1])).toContain('This is your last reply');
});

test('a run that was stopped in the middle goes on, and calls nothing twice', async () => {
  const usage = { input: 10_000, output: 2000 };
  await using server = await startModelServer(
    inOrder({ text: act('search[a]'), usage }, act('Finish[done]')),
  );
  await using tools = await startToolServer();
  using folder = new Folder({ 'tools.mjs': toolModule });
  const env = { ...server.env.openai, ...tools.env };
  const flags = ['--model', models.openai, '--tokens', '12010'];
  expect((await folder.planvm([...ask, ...flags], { env })).code).toBe(5);
  const resumed = await folder.planvm(['resume', 'last', '--tokens', '100k'], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(tools.calls).toEqual(['search a']);
  expect(server.requests).toHaveLength(2);
});

test('a loop of the user takes the place of ours', async () => {
  await using server = await startModelServer(inOrder(act('Finish[Elbrus]')));
  using folder = new Folder({
    'planvm.config.json': {},
    'tools.mjs': toolModule,
    'loops/react.star':
      'answer("mine: " + next_action(goal = goal, done = [], left = rounds)["answer"]["value"])\n',
  });
  const env = server.env.openai;
  const done = await folder.planvm([...ask, '--model', models.openai], { env });
  expect(done).toMatchObject({ code: 0, stdout: 'mine: Elbrus\n' });
});

test.each([
  ['give_up', 'an effect'],
  ['remarks', 'an input'],
])('a tool with the name %s, of %s of the loop, is refused', async (name, what) => {
  const module = toolModule.replace("tool('look', 'read')", `tool('${name}', 'read')`);
  using folder = new Folder({ 'tools.mjs': module });
  const done = await folder.planvm([...ask, '--model', models.openai], {
    env: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
  });
  expect(done.code).toBe(1);
  expect(done.stderr).toContain(`PV7208: the tool ${name} has the name of ${what} of the loop`);
});

test('what is given is told, and actions refer to it by its name', async () => {
  const replies = [act('look["${city}, ${nobody}, $5"]'), act('Finish[Rome]')];
  const flags = ['--input', 'city=Rome'];
  const done = await asked(replies, { flags });
  expect(done).toMatchObject({ code: 0, stdout: 'Rome\n', calls: ['look Rome, ${nobody}, $5'] });
  expect(told(done.requests[0])).toContain('Given:\n- city = "Rome"\n');
  const native = await asked([{ text: 'Rome' }], { flags, native: true });
  expect(told(native.requests[0])).toMatch(/Given:\n- city = "Rome"$/);
});
