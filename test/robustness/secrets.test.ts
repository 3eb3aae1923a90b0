/** Keys stay where they are: grep over everything that a run leaves behind. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answering, calling, type Ended, Folder, ref } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';

const secrets = {
  OPENAI_API_KEY: 'sk-provider-0123456789',
  WEATHER_TOKEN: 'weather-token-abcdef',
  DATABASE_PASSWORD: 'correct horse battery',
};

/** Fails as HTTP libraries do: with the request in the message. */
const tools = `
  const { WEATHER_TOKEN, DATABASE_PASSWORD } = process.env;
  export default [
    { name: 'weather', description: 'Asks a service.', effect: 'read', run() {
      throw new Error('GET https://weather.example/?token=' + WEATHER_TOKEN + ' failed (403)'); } },
    { name: 'store', description: 'Writes.', effect: 'write', run() {
      throw Object.assign(new Error('login as admin:' + DATABASE_PASSWORD + ' was cut'),
        { code: 'ECONNRESET' }); } },
  ];`;

const everythingIn = (folder: Folder): string =>
  readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.env')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test.each([
  ['in the environment', secrets, ''],
  [
    'in .env',
    {},
    Object.entries(secrets)
      .map(([name, value]) => `${name}="${value}"`)
      .join('\n'),
  ],
])('keys %s are in no output and in no file', async (_where, env, dotenv) => {
  await using server = await startModelServer(({ headers, index }) => {
    const sent = headers.authorization?.includes(secrets.OPENAI_API_KEY);
    if (index === 0) return sent ? 'a river' : 'no key arrived';
    return { status: 400, message: `cannot use ${headers.authorization}` };
  });
  const asking = (n: number): unknown => ({
    ...calling(n, 'llm_generate', {}, ''),
    parameters: {
      tool_name: 'llm_generate',
      tool_params: { prompt: 'Name one.' },
      output_vars: 'a',
    },
  });
  using folder = new Folder({
    'tools.mjs': tools,
    '.env': dotenv,
    'weather.json': [
      asking(0),
      calling(1, 'weather', { a: ref('a') }, 'b'),
      answering(2, ref('b')),
    ],
    'store.json': [calling(0, 'store', {}, 'b'), answering(1, ref('b'))],
    'model.json': [asking(0), answering(1, ref('a'))],
  });
  const all = { env: { OPENAI_BASE_URL: server.env.openai.OPENAI_BASE_URL ?? '', ...env } };
  const ended: Ended[] = [];
  for (const plan of ['weather', 'store', 'model']) {
    const args = ['run', `${plan}.json`, '--tools', 'tools.mjs', '--model', 'openai/test'];
    const shown = plan === 'weather' ? ['--record', 'calls.ndjson', '--events'] : ['--json'];
    ended.push(await folder.planvm([...args, ...shown, '--verbose'], all));
    ended.push(await folder.planvm(['show', 'last', '--verbose'], all));
    ended.push(await folder.planvm(['show', 'last', '--json'], all));
  }
  ended.push(await folder.planvm(['resume', 'last', '--json'], all));
  ended.push(await folder.planvm(['tools', 'call', 'weather', '--tools', 'tools.mjs'], all));
  ended.push(await folder.planvm(['doctor', '--model', 'openai/test'], all));
  ended.push(await folder.planvm(['ask', 'Why?', '--model', 'openai/test', '--json'], all));
  expect(ended.map(({ code }) => code)).toEqual([1, 0, 0, 6, 0, 0, 1, 0, 0, 1, 1, 0, 1]);

  const outputs = ended.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  const files = everythingIn(folder);
  // What is kept of it is still of use.
  expect(outputs).toContain('token=*** failed (403)');
  expect(outputs).toContain('login as admin:*** was cut');
  expect(outputs).toContain('cannot use Bearer ***');
  expect(files).toContain('a river');
  for (const secret of Object.values(secrets)) {
    expect(outputs).not.toContain(secret);
    expect(files).not.toContain(secret);
  }
});

test('what a tool gives back, warns and says on the way holds no key either', async () => {
  const leaky = `export default [
    { name: 'leak', description: 'Echoes its settings.', effect: 'read',
      async *run(args, { progress }) {
        progress('using ' + process.env.WEATHER_TOKEN);
        yield { url: 'https://x.example/?token=' + process.env.WEATHER_TOKEN };
      } },
    { name: 'login', description: 'Logs in.', effect: 'read',
      parameters: { type: 'object', required: ['pin'],
        properties: { pin: { type: 'string', 'x-secret': true } } },
      run: ({ pin }) => ({ said: 'pin ' + pin + ', key ' + process.env.CUSTOM }) },
    { name: 'pin', description: 'Makes a PIN.', effect: 'read', run: () => ['49', '1177'].join('') },
  ];`;
  using folder = new Folder({
    'tools.mjs': leaky,
    'planvm.config.json': { redact: { variables: ['CUSTOM'], patterns: ['ghp_[A-Za-z0-9]{8,}'] } },
    'plan.star': 'a = leak()\nb = login(pin())\nanswer([a, b])\n',
  });
  const env = { ...secrets, CUSTOM: 'quitesecret', PATTERN: 'ghp_0123456789' };
  const first = await folder.planvm(
    ['run', 'plan.star', '--tools', 'tools.mjs', '--events', '--verbose'],
    { env },
  );
  const second = await folder.planvm(['show', 'last', '--html', '-o', '-'], { env });
  const third = await folder.planvm(['show', 'last', '--trace', '--json'], { env });
  expect([first.code, second.code, third.code]).toEqual([0, 0, 0]);
  const all = [first, second, third].map(({ stdout, stderr }) => stdout + stderr).join('\n');
  expect(first.stdout).toContain('https://x.example/?token=***');
  expect(first.stdout).toContain('pin ***, key ***');
  expect(first.stdout).toContain('"request":{"pin":"***"}');
  for (const secret of [...Object.values(secrets), 'quitesecret']) {
    expect(all).not.toContain(secret);
    expect(everythingIn(folder)).not.toContain(secret);
  }
});

test.each([
  ['a program', ['run', 'plan.star'], 'the program'],
  ['an input', ['run', 'ok.star', '--input', `key=${secrets.WEATHER_TOKEN}`], 'the input key'],
  ['a goal', ['ask', `Use ${secrets.WEATHER_TOKEN}`, '--model', 'openai/test'], 'the goal'],
  [
    'a goal that is answered a few statements at a time',
    ['ask', `Use ${secrets.WEATHER_TOKEN}`, '--turns', '--model', 'openai/test'],
    'the goal',
  ],
  [
    'what is given with a goal',
    ['ask', 'Use it', '--input', `key=${secrets.WEATHER_TOKEN}`, '--model', 'openai/test'],
    'the input key',
  ],
])('%s that holds a key is refused before anything is written', async (_what, args, named) => {
  using folder = new Folder({
    'plan.star': `answer("${secrets.WEATHER_TOKEN}")\n`,
    'ok.star': 'answer(len(key))\n',
  });
  const { code, stdout, stderr } = await folder.planvm([...args, '--json'], { env: secrets });
  expect(code).toBe(2);
  expect(stderr).toContain('PV6025');
  expect(stderr).toContain(`${named} holds the secret of WEATHER_TOKEN`);
  expect(stdout + stderr).not.toContain(secrets.WEATHER_TOKEN);
  const runs = await folder.planvm(['runs', '--json'], { env: secrets });
  expect(JSON.parse(runs.stdout)).toEqual([]);
});

test('an answer that holds a key is refused, and the run waits as before', async () => {
  using folder = new Folder({ 'ask.star': 'answer(ask("Which key?"))\n' });
  expect(await folder.planvm(['run', 'ask.star'], { env: secrets })).toMatchObject({ code: 4 });
  const key = `it is ${secrets.WEATHER_TOKEN}`;
  const { code, stdout, stderr } = await folder.planvm(['answer', 'last', key], { env: secrets });
  expect(code).toBe(2);
  expect(stderr).toContain('PV6025');
  expect(stderr).toContain('the answer holds the secret of WEATHER_TOKEN');
  expect(stdout + stderr + everythingIn(folder)).not.toContain(secrets.WEATHER_TOKEN);
  const runs = await folder.planvm(['runs', '--json'], { env: secrets });
  expect(JSON.parse(runs.stdout)).toMatchObject([{ status: 'waiting' }]);
});
