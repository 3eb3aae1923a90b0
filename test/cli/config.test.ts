/** Where settings come from, in which order, and what happens to wrong ones. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, planvm, ref } from '../support/cli.ts';

interface Shown {
  readonly name: string;
  readonly value: unknown;
  readonly origin: string;
}

async function settingsOf(
  folder: Folder,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, Shown>> {
  const { stdout } = await folder.planvm(['doctor', '--json', ...args], { env });
  const { settings }: { settings: Shown[] } = JSON.parse(stdout);
  return new Map(settings.map((setting) => [setting.name, setting]));
}

describe('the order', () => {
  const everywhere = {
    '.env': 'PLANVM_MODEL=ollama/env-file\n',
    'planvm.config.json': { model: 'ollama/config', limits: { tokens: '5k', wallMs: '30s' } },
    '.config/planvm/config.json': { model: 'ollama/personal', limits: { cost: 2, tokens: 1 } },
  };
  const model = (settings: ReadonlyMap<string, Shown>): Shown | undefined => settings.get('model');

  test('is flag, environment, .env, configuration, personal file, default', async () => {
    using folder = new Folder(everywhere);
    const env = { PLANVM_MODEL: 'ollama/environment' };
    expect(model(await settingsOf(folder, ['--model', 'ollama/flag'], env))).toEqual({
      name: 'model',
      value: 'ollama/flag',
      origin: '--model',
    });
    expect(model(await settingsOf(folder, [], env))).toMatchObject({
      value: 'ollama/environment',
      origin: 'PLANVM_MODEL in the environment',
    });
    expect(model(await settingsOf(folder))).toMatchObject({
      value: 'ollama/env-file',
      origin: 'PLANVM_MODEL in .env',
    });
    folder.write('.env', '');
    expect(model(await settingsOf(folder))).toMatchObject({
      value: 'ollama/config',
      origin: 'planvm.config.json',
    });
    folder.write('planvm.config.json', {});
    expect(model(await settingsOf(folder))).toMatchObject({
      value: 'ollama/personal',
      origin: '.config/planvm/config.json',
    });
  });

  test('decides each limit for itself', async () => {
    using folder = new Folder(everywhere);
    const settings = await settingsOf(folder, [], { PLANVM_WALL: '2m' });
    expect(
      ['tokens', 'wallMs', 'cost', 'effects'].map((name) => settings.get(`limits.${name}`)),
    ).toMatchObject([
      { value: '5000', origin: 'planvm.config.json' },
      { value: '2m', origin: 'PLANVM_WALL in the environment' },
      { value: '2', origin: '.config/planvm/config.json' },
      { value: '10000', origin: 'default' },
    ]);
  });

  test('an empty variable says nothing', async () => {
    using folder = new Folder(everywhere);
    const settings = await settingsOf(folder, [], { PLANVM_MODEL: '' });
    expect(settings.get('model')).toMatchObject({ value: 'ollama/config' });
  });

  test('the nearest configuration counts, up to the root of the repository', async () => {
    using folder = new Folder({
      'planvm.config.json': { model: 'ollama/outside' },
      'repo/.git/HEAD': '',
      'repo/planvm.config.json': { model: 'ollama/root' },
      'repo/a/b/x': '',
      'bare/x': '',
    });
    const read = async (inner: string): Promise<unknown> => {
      const cwd = join(folder.path, inner);
      const { stdout } = await planvm(['doctor', '--json'], { cwd });
      const { settings }: { settings: Shown[] } = JSON.parse(stdout);
      return settings.find(({ name }) => name === 'model')?.value;
    };
    expect(await read('repo/a/b')).toBe('ollama/root');
    folder.write('repo/a/planvm.config.json', { model: 'ollama/near' });
    expect(await read('repo/a/b')).toBe('ollama/near');
    // Outside of a repository nothing above the folder itself is run or read.
    expect(await read('bare')).toBeNull();
  });
});

test('a module configures too; its paths are relative to it', async () => {
  using folder = new Folder({
    '.git/HEAD': '',
    'planvm.config.ts': `const model: string = 'ollama/typed';
      export default { model, tools: './lib/tools.ts', home: './runs' };`,
    'lib/tools.ts': `export default [{ name: 'one', description: 'One.', effect: 'pure', run: () => 1 }];`,
    'package.json': { name: 'without-a-type' },
    'inner/x': '',
  });
  const { code, stdout, stderr } = await planvm(['tools', '--json'], {
    cwd: join(folder.path, 'inner'),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ name: 'one', origin: join(folder.path, 'lib/tools.ts') }),
  );
  const settings = await settingsOf(folder);
  expect(settings.get('home')).toMatchObject({
    value: join(folder.path, 'runs'),
    origin: 'planvm.config.ts',
  });
});

test('.env is there for tools, and does not override the environment', async () => {
  using folder = new Folder({
    '.env': 'OWN=from-file\nBOTH=from-file\n',
    'plan.json': [calling(0, 'env', {}, 'found'), answering(1, ref('found'))],
    'tools.mjs': `export default [{ name: 'env', description: 'Reads.', effect: 'read',
      run: () => [process.env.OWN, process.env.BOTH] }];`,
  });
  const args = ['run', 'plan.json', '--tools', 'tools.mjs', '--json'];
  const { stdout } = await folder.planvm(args, { env: { BOTH: 'from-environment' } });
  expect(JSON.parse(stdout).answer).toEqual(['from-file', 'from-environment']);
});

describe('what is wrong', () => {
  test.each<[string, Record<string, unknown>, Record<string, string>, string]>([
    ['JSON', { 'planvm.config.json': '{' }, {}, 'error PV6003: cannot read '],
    ['a module', { 'planvm.config.ts': 'throw new Error("no")' }, {}, 'error PV6003: cannot run '],
    ['an export', { 'planvm.config.ts': 'export {}' }, {}, 'has no default export'],
    ['a name', { 'planvm.config.json': { modle: 'x/y' } }, {}, 'Unrecognized key: "modle"'],
    ['a type', { 'planvm.config.json': { temperature: 'hot' } }, {}, 'at temperature'],
    [
      'a limit',
      { 'planvm.config.json': { limits: { wallMs: 'soon' } } },
      {},
      'limits.wallMs: got soon',
    ],
    [
      'a limit’s name',
      { 'planvm.config.json': { limits: { wall: 1 } } },
      {},
      'Unrecognized key: "wall"',
    ],
    [
      'a variable',
      {},
      { PLANVM_TOKENS: 'many' },
      'error PV6005: PLANVM_TOKENS: got many, want a whole number of tokens, or none',
    ],
    [
      'a number',
      {},
      { PLANVM_TEMPERATURE: '3' },
      'PLANVM_TEMPERATURE: got 3, want a number from 0 to 2',
    ],
    ['two files', { 'planvm.config.json': {}, 'planvm.config.ts': '' }, {}, 'they are not merged'],
  ])('%s exits 2 and says so', async (_what, files, env, message) => {
    using folder = new Folder({ ...files, 'plan.json': [answering(0, 'yes')] });
    const { code, stdout, stderr } = await folder.planvm(['run', 'plan.json'], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(existsSync(join(folder.path, '.planvm'))).toBe(false);
  });

  test('shows its stack with --verbose', async () => {
    using folder = new Folder({ 'planvm.config.ts': 'throw new Error("no")' });
    const { stderr } = await folder.planvm(['runs', '--verbose']);
    expect(stderr).toMatch(/caused by Error: no\n {4}at .*planvm\.config\.ts:1:7/);
  });
});
