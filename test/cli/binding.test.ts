/** Binding on the command line: what becomes of what cannot be found, as the run is set. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';

const nothing = JSON.stringify({
  args: { name: 'Dana' },
  missing: [{ name: 'city', question: 'Where does Dana live?' }],
});
const files = {
  'tools.mjs': `export default [{ name: 'greet', description: 'Greets.', effect: 'read',
  parameters: { type: 'object', properties: { name: { type: 'string' }, city: { type: 'string' } },
    required: ['name', 'city'] }, run: ({ name }) => 'Hello ' + name }];`,
  'p.star':
    'x = llm_bind("Dana", "greet(name, city)")\nanswer(x.question if is_uncertain(x) else x)\n',
  'own.star': 'answer(llm_bind("Dana", "greet(name, city)", unbound = "fail"))\n',
};

async function ran(file: string, args: string[], env: Readonly<Record<string, string>> = {}) {
  await using server = await startModelServer(() => nothing);
  using folder = new Folder(files);
  const all = ['run', file, '--tools', 'tools.mjs', '--model', 'openai/m', '--json', ...args];
  const { stdout } = await folder.planvm(all, { env: { ...server.env.openai, ...env } });
  return JSON.parse(stdout);
}

test('a setting says what becomes of arguments that cannot be found', async () => {
  const found = { status: 'done', answer: 'Where does Dana live?' };
  expect(await ran('p.star', ['--unbound', 'unresolved'])).toMatchObject(found);
  expect(await ran('p.star', [], { PLANVM_UNBOUND: 'unresolved' })).toMatchObject(found);
  expect(await ran('p.star', [])).toMatchObject({ status: 'waiting', reason: 'person' });
});

test('what the program says of a call comes before the setting', async () => {
  expect(await ran('own.star', ['--unbound', 'unresolved'])).toMatchObject({
    ...{ status: 'failed', error: { message: expect.stringContaining('city is not known') } },
  });
});
