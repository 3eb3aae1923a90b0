/** Models on the command line: a provider over the wire, transcripts, and keys that stay secret. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, planvm, ref } from '../support/cli.ts';
import { inOrder, startModelServer } from '../support/model-server.ts';

const plan = [
  calling(0, 'llm_generate', { prompt: 'Name a river.' }, 'river'),
  answering(1, `The ${ref('river')}.`),
];

const run = ['run', 'plan.json', '--model', 'openai/gpt-5-mini'];

test('a provider is called over the wire, its tokens are counted and priced', async () => {
  await using server = await startModelServer(inOrder('Loire'));
  using folder = new Folder({ 'plan.json': plan });
  const { code, stdout } = await folder.planvm([...run, '--json'], { env: server.env.openai });
  expect(code).toBe(0);
  const { answer, usage } = JSON.parse(stdout);
  expect(answer).toBe('The Loire.');
  expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 10, outputTokens: 5 });
  expect(usage.cost).toBeCloseTo((10 * 0.25 + 5 * 2) / 1e6, 12);
  expect(server.requests.map(({ prompt }) => prompt)).toEqual(['Name a river.']);
});

test('settings of the configuration reach the provider', async () => {
  await using server = await startModelServer(inOrder('Loire'));
  using folder = new Folder({
    'plan.json': plan,
    'planvm.config.json': {
      model: 'openai/gpt-5-mini',
      system: 'Be brief.',
      temperature: 0.5,
      maxOutputTokens: 77,
    },
  });
  expect((await folder.planvm(['run', 'plan.json'], { env: server.env.openai })).code).toBe(0);
  const [request] = server.requests;
  expect(request?.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
  expect(request?.body).toMatchObject({ temperature: 0.5, max_tokens: 77 });
});

test('a key in .env is used', async () => {
  await using server = await startModelServer(inOrder('Loire'));
  const { OPENAI_BASE_URL = '' } = server.env.openai;
  using folder = new Folder({
    'plan.json': plan,
    '.env': `OPENAI_BASE_URL=${OPENAI_BASE_URL}\nOPENAI_API_KEY=key-of-the-file\n`,
  });
  expect((await folder.planvm(run)).code).toBe(0);
  expect(server.requests[0]?.headers.authorization).toBe('Bearer key-of-the-file');
});

describe('transcripts', () => {
  test('are recorded, and answer without a network', async () => {
    using folder = new Folder({ 'plan.json': plan });
    {
      await using server = await startModelServer(inOrder('Loire'));
      await folder.planvm([...run, '--record', 'calls.ndjson'], { env: server.env.openai });
    }
    const { code, stdout } = await folder.planvm(['run', 'plan.json', '--replay', 'calls.ndjson']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The Loire.\n' });
  });

  test('are found again on resuming from another folder', async () => {
    using folder = new Folder({
      '.git/HEAD': '',
      'inner/x': '',
      'plan.json': [
        calling(0, 'llm_generate', { prompt: 'Name a river.' }, 'a'),
        calling(1, 'llm_generate', { prompt: `Where is the ${ref('a')}?` }, 'b'),
        answering(2, ref('b')),
      ],
      'calls.ndjson':
        '{"prompt": "Name a river.", "reply": "Loire"}\n' +
        '{"prompt": "Where is the Loire?", "reply": "France"}\n',
    });
    const first = ['run', 'plan.json', '--replay', 'calls.ndjson', '--effects', '1'];
    expect((await folder.planvm(first)).code).toBe(5);
    const cwd = join(folder.path, 'inner');
    const ended = await planvm(['resume', 'last', '--effects', '5'], { cwd });
    expect(ended).toMatchObject({ code: 0, stdout: 'France\n' });
  });

  test('without a reply fail with the nearest one there is', async () => {
    using folder = new Folder({
      'plan.json': plan,
      'calls.ndjson': '{"prompt": "Name a lake.", "reply": "Como"}\n',
    });
    const { code, stderr } = await folder.planvm(['run', 'plan.json', '--replay', 'calls.ndjson']);
    expect(code).toBe(1);
    expect(stderr).toContain('error PV4402');
    expect(stderr).toContain('Name a lake.');
  });
});

describe('a model that cannot be used is a usage error, before anything runs', () => {
  test.each<[string, string[], string]>([
    ['none', [], 'error PV6011: a model is needed, and none is configured'],
    ['a misspelt provider', ['--model', 'opnai/x'], "error PV4100: got model 'opnai/x'"],
    ['no key', ['--model', 'anthropic/claude-haiku-4-5'], 'error PV4101: '],
    ['no transcript', ['--replay', 'none.ndjson'], 'error PV4400: cannot read the transcript'],
  ])('%s', async (_what, args, message) => {
    using folder = new Folder({ 'plan.json': plan });
    const { code, stdout, stderr } = await folder.planvm(['run', 'plan.json', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(JSON.parse((await folder.planvm(['runs', '--json'])).stdout)).toEqual([]);
  });

  test('unless the program calls none', async () => {
    using folder = new Folder({ 'plan.json': [answering(0, 'yes')] });
    const args = ['run', 'plan.json', '--model', 'anthropic/claude-haiku-4-5'];
    expect(await folder.planvm(args)).toMatchObject({ code: 0, stdout: 'yes\n' });
  });

  test('--model and --replay at once', async () => {
    using folder = new Folder({ 'plan.json': plan });
    const args = [...run, '--replay', 'calls.ndjson'];
    const { code, stderr } = await folder.planvm(args);
    expect(code).toBe(2);
    expect(stderr).toContain("option '--replay <file>' cannot be used with option '--model");
  });
});

test('a key is in no output, journal, transcript or error', async () => {
  const key = 'sk-very-secret-0123456789';
  await using server = await startModelServer(({ index }) =>
    index === 0 ? 'Loire' : { status: 401, message: `wrong key ${key}` },
  );
  using folder = new Folder({
    'plan.json': [
      ...plan.slice(0, 1),
      calling(1, 'llm_generate', { prompt: 'More.' }, 'final_answer'),
    ],
  });
  const env = { ...server.env.openai, OPENAI_API_KEY: key };
  const args = [...run, '--record', 'calls.ndjson', '--events', '--verbose', '--sequential'];
  const { code, stdout, stderr } = await folder.planvm(args, { env });
  expect(code).toBe(1);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  expect(stderr).toContain('PV4102');
  const shown = await folder.planvm(['show', 'last', '--verbose'], { env });
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(files.length).toBeGreaterThanOrEqual(3);
  const everything = [stdout, stderr, shown.stdout, shown.stderr, ...files].join('\n');
  expect(everything).toContain('Loire');
  expect(everything).not.toContain(key);
});
