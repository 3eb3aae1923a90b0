/** What calls cost: the list of prices, one's own, and a budget that cannot be kept. */
import { expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';

const plan = [
  { ...calling(0, 'llm_generate', { prompt: 'Name one.' }, 'a') },
  answering(1, ref('a')),
];
const own = { prices: { 'openai/own': { input: 1000, output: 2000 } } };

test('prices lists those of planvm and of the configuration', async () => {
  using folder = new Folder({ 'planvm.config.json': own });
  const all = JSON.parse((await folder.planvm(['prices', '--json'])).stdout);
  expect(all.asOf).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(all.sources.openai).toMatch(/^https:/);
  expect(all.prices).toContainEqual({
    model: 'openai/own',
    input: 1000,
    output: 2000,
    origin: 'planvm.config.json',
  });
  expect(all.prices).toContainEqual(
    expect.objectContaining({ model: 'openai/gpt-5-mini', origin: 'planvm' }),
  );
  const one = await folder.planvm(['prices', 'openai/own']);
  expect(one.stdout).toMatch(/^openai\/own +1000 +2000 +planvm\.config\.json$/m);
  const none = await folder.planvm(['prices', 'openai/other']);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('PV6027');
});

test('a price of the configuration counts, in the result and in the trace', async () => {
  await using server = await startModelServer(() => ({
    text: 'a river',
    usage: { input: 1000, output: 500 },
  }));
  using folder = new Folder({ 'plan.json': plan, 'planvm.config.json': own });
  const options = { env: server.env.openai };
  const args = ['run', 'plan.json', '--model', 'openai/own', '--json'];
  const { stdout } = await folder.planvm(args, options);
  expect(JSON.parse(stdout).usage).toMatchObject({ modelCalls: 1, cost: 2 });
  const shown = await folder.planvm(['show', 'last']);
  expect(shown.stdout).toMatch(/llm_generate {2}0#1 .* 1 model call · 1 500 tokens · \$2\.00$/m);
  const trace = JSON.parse((await folder.planvm(['show', 'last', '--trace', '--json'])).stdout);
  expect(trace.totals.usage.cost).toBe(2);
  expect(trace.steps[0]).toMatchObject({ usage: { cost: 2 }, effects: [{ usage: { cost: 2 } }] });
});

test('an unknown price is said, and a budget that cannot be kept is a warning', async () => {
  await using server = await startModelServer(() => 'a river');
  using folder = new Folder({ 'plan.json': plan });
  const options = { env: server.env.openai };
  const args = ['run', 'plan.json', '--model', 'openai/unheard-of'];
  const plain = await folder.planvm(args, options);
  expect(plain.stderr).toContain('price unknown');
  expect(plain.stderr).not.toContain('PV4120');
  const bounded = await folder.planvm([...args, '--cost', '1', '--json'], options);
  expect(JSON.parse(bounded.stdout).warnings).toEqual([
    expect.objectContaining({
      code: 'PV4120',
      message: expect.stringContaining('openai/unheard-of'),
    }),
  ]);
});

test('limits of tools come from options, variables and configuration, and name known ones', async () => {
  const tools = `export default [{ name: 'look', description: 'Looks.', effect: 'read', limits: { timeoutMs: 9 },
    run: () => 'seen' }];`;
  using folder = new Folder({
    'plan.json': [calling(0, 'look', {}, 'a'), answering(1, ref('a'))],
    'tools.mjs': tools,
    'planvm.config.json': { tools: './tools.mjs', toolLimits: { look: { timeoutMs: '5s' } } },
  });
  const env = { PLANVM_TOOL_LIMITS: 'look.attempts=2' };
  const { settings } = JSON.parse((await folder.planvm(['doctor', '--json'], { env })).stdout);
  expect(settings).toContainEqual({
    name: 'toolLimits',
    value: { look: { timeoutMs: 5000, attempts: 2 } },
    origin: 'PLANVM_TOOL_LIMITS in the environment, planvm.config.json',
  });
  const wrong = await folder.planvm(['run', 'plan.json', '--tool-limit', 'lok.callsPerRun=1']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/PV6026.*there is no tool lok to limit[\s\S]*did you mean look\?/);
  const badly = await folder.planvm(['run', 'plan.json', '--tool-limit', 'look.timout=1']);
  expect(badly.code).toBe(2);
  expect(badly.stderr).toContain('did you mean timeoutMs?');
  const stopped = await folder.planvm(['run', 'plan.json', '--tool-limit', 'look.callsPerRun=0']);
  expect(stopped.code).toBe(5);
  expect(stopped.stderr).toMatch(/resume r\w+ --tool-limit look\.callsPerRun=1$/m);
});
