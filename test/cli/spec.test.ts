/** `planvm spec`, and what check and compile make of programs in Starlark. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';

const tools = `export default [
  { name: 'lookup', description: 'Looks a key up.', effect: 'read',
    parameters: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
    run: ({ key }) => key },
];`;

test.each(['starlark', 'stackvm-1', 'stackvm-2'])(
  'spec %s describes it with the tools of the folder',
  async (name) => {
    using folder = new Folder({ 'tools.mjs': tools, 'planvm.config.json': { tools: 'tools.mjs' } });
    const { code, stdout, stderr } = await folder.planvm(['spec', name, '--input', 'city']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Looks a key up.');
    expect(stdout).toMatch(/set before the first (line|instruction): .*city/);
    expect(stdout).toMatch(/[^\n]\n$/);
  },
);

test.each(['llmcompiler', 'react'])(
  'spec %s has the tools that planners are told',
  async (name) => {
    using folder = new Folder({ 'tools.mjs': tools, 'planvm.config.json': { tools: 'tools.mjs' } });
    const { stdout } = await folder.planvm(['spec', name]);
    for (const told of ['lookup', 'calculate', 'ask', 'sleep'])
      expect(stdout).toContain(`- \`${told}[`);
    for (const one of ['bind_arguments', 'uuid']) expect(stdout).not.toContain(`- \`${one}`);
  },
);

test('spec alone describes what plan would write', async () => {
  using folder = new Folder({ 'planvm.config.json': { dialect: 'starlark' } });
  expect((await folder.planvm(['spec'])).stdout).toContain('# Programs in Starlark');
});

test('a dialect that does not exist is told with its neighbour', async () => {
  using folder = new Folder();
  const { code, stdout, stderr } = await folder.planvm(['spec', 'starlak']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('did you mean starlark?');
});

test('check holds calls against declared tools, and takes names for tools of modules', async () => {
  const declared = [
    {
      name: 'lookup',
      description: 'Looks.',
      parameters: { type: 'object', properties: { key: {} }, required: ['key'] },
    },
  ];
  using folder = new Folder({
    'tools.mjs': tools,
    'tools.json': declared,
    'a.star': 'x = lookup(kee = "a")\n',
    'b.star': 'x = lookup(key = "a")\ny = null\n',
  });
  const strict = await folder.planvm(['check', 'a.star', '--tools', 'tools.json']);
  expect(strict.code).toBe(3);
  expect(strict.stdout).toContain('PV2332: lookup lacks the parameter key');
  expect(strict.stdout).toContain('did you mean key?');
  const trusting = await folder.planvm(['check', 'a.star', '--tools', 'tools.mjs']);
  expect(trusting.code).toBe(0);
  expect(trusting.stdout).toContain('warning PV2321: undefined: lookup');
  const foreign = await folder.planvm(['check', 'b.star', '--tools', 'tools.mjs']);
  expect(foreign.code).toBe(3);
  expect(foreign.stdout).toContain('error PV2321: undefined: null');
});
