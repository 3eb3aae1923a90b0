/** Plans that are saved, found again for the same goal, and shown to the model for near ones. */
import { expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { inOrder, startModelServer } from '../support/model-server.ts';

const tools = `export default [{ name: 'lookup', description: 'Looks up.', effect: 'read',
  parameters: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
  run: ({ key }) => 'shelf of ' + key }];\n`;
const plan = JSON.stringify([
  calling(0, 'lookup', { key: 'v7.5' }, 'found'),
  answering(1, ref('found')),
]);
const goal = 'How do I upgrade from v7.5 to v8.0?';

test('a saved plan is the plan of its goal, and of no other; near ones are shown', async () => {
  await using server = await startModelServer(inOrder(plan, plan, plan));
  using folder = new Folder({ 'tools.ts': tools });
  const env = {
    ...server.env.openai,
    ...{ PLANVM_MODEL: 'openai/test', PLANVM_TOOLS: 'tools.ts', PLANVM_DIALECT: 'stackvm-2' },
  };
  const planvm = (...args: string[]) => folder.planvm(args, { env });
  const asked = (text: string, ...more: string[]) => planvm('ask', text, ...more);
  const systemOf = (request: number): string =>
    JSON.stringify(server.requests[request]?.body ?? '');

  await asked(goal);
  expect(server.requests).toHaveLength(1);
  const saved = await planvm('plans', 'save', 'last', '--label', ' howto / upgrade', '--json');
  expect(saved.code).toBe(0);
  const { id, label, text } = JSON.parse(saved.stdout);
  expect({ label, text }).toEqual({ label: 'howto/upgrade', text: plan });

  const again = await asked('how do I upgrade  from v7.5 to v8.0?');
  expect(again).toMatchObject({ code: 0, stdout: 'shelf of v7.5\n' });
  expect(again.stderr).toContain(`this goal has the saved plan ${id} (howto/upgrade)`);
  expect(server.requests).toHaveLength(1);

  const other = await asked('How do I upgrade from v8.5 to v8.0?');
  expect(other.stderr).not.toContain('saved plan');
  expect(server.requests).toHaveLength(2);
  expect(systemOf(1)).toContain('Programs that have served well');
  expect(systemOf(1)).toContain(`Goal: ${goal}`);

  await asked(goal, '--no-saved');
  expect(server.requests).toHaveLength(3);
  expect(systemOf(2)).not.toContain('Programs that have served well');

  expect((await planvm('plans')).stdout).toContain(goal);
  expect((await planvm('plans', 'ls', '--label', 'how')).stderr).toContain('no saved plans');
  const listed = JSON.parse((await planvm('plans', 'ls', '--label', 'howto', '--json')).stdout);
  expect(listed).toMatchObject([{ id, goal }]);
  expect((await planvm('plans', 'show', id.slice(0, 5))).stdout).toBe(`${plan}\n`);
  expect(await planvm('plans', 'rm', id)).toMatchObject({ code: 0 });
  expect(await planvm('plans', 'show', id)).toMatchObject({ code: 2 });
});

test('a plan is saved from planning, and with a goal from any run; never from one that failed', async () => {
  await using server = await startModelServer(inOrder(plan));
  using folder = new Folder({
    'tools.ts': tools,
    'plan.json': plan,
    'fails.star': 'x = 1 // 0\n',
  });
  const env = {
    ...server.env.openai,
    ...{ PLANVM_MODEL: 'openai/test', PLANVM_TOOLS: 'tools.ts' },
  };
  const planvm = (...args: string[]) => folder.planvm(args, { env });
  await planvm('plan', goal, '--dialect', 'stackvm-2');
  const planned = await planvm('plans', 'save', 'last', '--json');
  expect(JSON.parse(planned.stdout)).toMatchObject({ goal, text: plan, dialect: 'stackvm-2' });

  await planvm('run', 'plan.json');
  const nameless = await planvm('plans', 'save', 'last');
  expect(nameless.code).toBe(2);
  expect(nameless.stderr).toContain('say it with --goal');
  expect(await planvm('plans', 'save', 'last', '--goal', 'Another?')).toMatchObject({ code: 0 });

  await planvm('run', 'fails.star');
  const failed = await planvm('plans', 'save', 'last', '--goal', 'A third?');
  expect(failed.code).toBe(2);
  expect(failed.stderr).toContain('is failed, want one that is done');
});

test('a saved plan of tasks is an example for goals that are near, or have its label', async () => {
  const tasks =
    'Question: v7.5?\n\nThought: it has a shelf\n1. lookup["v7.5"]\nThought: so\n2. join($1)\n';
  await using server = await startModelServer(inOrder(tasks, tasks, tasks));
  using folder = new Folder({ 'tools.ts': tools, 'plan.llmcompiler': tasks });
  const env = {
    ...server.env.openai,
    ...{ PLANVM_MODEL: 'openai/test', PLANVM_TOOLS: 'tools.ts' },
  };
  const planvm = (...args: string[]) => folder.planvm(args, { env });
  await planvm('run', 'plan.llmcompiler');
  const saved = await planvm('plans', 'save', 'last', '--goal', goal, '--label', 'howto');
  expect(saved.code).toBe(0);
  const asked = ['ask', 'Where is the cat?', '--dialect', 'llmcompiler'];
  await planvm(...asked, '--label', 'howto');
  await planvm(...asked);
  await planvm('ask', goal, '--dialect', 'llmcompiler', '--no-saved');
  expect(await planvm('plans', 'save', 'last')).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('is of a loop, which plans as it goes on') },
  });
  const shown = server.requests.map(({ body }) => JSON.stringify(body).includes('it has a shelf'));
  expect(shown).toEqual([true, false, false]);
  expect(JSON.stringify(server.requests[0]?.body)).toContain(`Question: ${goal}`);
});
