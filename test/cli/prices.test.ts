/** What calls cost: prices of one's own, and a budget that cannot be kept. */
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { inOrder, startModelServer } from '../support/model-server.ts';

const plan = [
  { ...calling(0, 'llm_generate', { prompt: 'Name one.' }, 'a') },
  answering(1, ref('a')),
];
const own = { prices: { 'openai/own': { input: 1000, output: 2000 } } };

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

test('that it cannot be kept is said before the first reply, and once', async () => {
  const free = Promise.withResolvers<void>();
  await using server = await startModelServer(async () => {
    await free.promise;
    return 'a river';
  });
  using folder = new Folder({ 'plan.json': plan });
  const args = ['run', 'plan.json', '--model', 'openai/unheard-of', '--cost', '1'];
  const call = folder.start(args, { env: server.env.openai });
  await call.said('warning PV4120');
  free.resolve();
  const { stderr, stdout } = await call.ended;
  expect(stdout).toBe('a river\n');
  expect(stderr.match(/PV4120/g)).toHaveLength(1);
  const events = await folder.planvm([...args, '--events'], { env: server.env.openai });
  const types = events.stdout.split('\n').flatMap((line) => line && JSON.parse(line).type);
  expect(types.filter((type) => type === 'run.warned')).toHaveLength(1);
  expect(types.indexOf('run.warned')).toBeLessThan(types.indexOf('effect.settled'));
});

test('a goal that is planned for and then answered by a program says it once, too', async () => {
  const program = '```starlark\nanswer(llm_call("", "Name one."))\n```';
  await using server = await startModelServer(inOrder(program, 'a river'));
  using folder = new Folder();
  const args = ['ask', 'Name a river.', '--program', '--model', 'openai/unheard-of'];
  const done = await folder.planvm([...args, '--cost', '1'], { env: server.env.openai });
  expect(done).toMatchObject({ code: 0, stdout: 'a river\n' });
  expect(done.stderr.match(/PV4120/g)).toHaveLength(1);
  expect(done.stderr.indexOf('PV4120')).toBeLessThan(done.stderr.indexOf('plan 1 passes'));
});

test('playbooks say the same, also where they go on with a budget', async () => {
  const asking = '{"say": "Which day?"}';
  const ending = '{"set": {"$day": "Monday"}}';
  await using server = await startModelServer(inOrder(asking, ending));
  const playbook = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- Ask user for $day
- Return $day
`;
  using folder = new Folder({ 'x.playbook.md': playbook });
  const options = { env: server.env.openai };
  const args = ['run', 'x.playbook.md', '--model', 'openai/unheard-of', '--json'];
  const asked = await folder.planvm(args, options);
  expect(asked.code).toBe(4);
  expect(JSON.parse(asked.stdout).warnings).toEqual([]);
  const ended = await folder.planvm(['answer', 'last', 'Monday', '--cost', '1'], options);
  expect(ended).toMatchObject({ code: 0, stdout: 'Monday\n' });
  expect(ended.stderr.match(/warning PV4120/g)).toHaveLength(1);
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
  expect(wrong.stderr).toMatch(/PV6026.*there is no tool lok\n.*did you mean look\?/);
  const badly = await folder.planvm(['run', 'plan.json', '--tool-limit', 'look.timout=1']);
  expect(badly.code).toBe(2);
  expect(badly.stderr).toContain('did you mean timeoutMs?');
  const stopped = await folder.planvm(['run', 'plan.json', '--tool-limit', 'look.callsPerRun=0']);
  expect(stopped.code).toBe(5);
  expect(stopped.stderr).toMatch(/resume r\w+ --tool-limit look\.callsPerRun=1$/m);
});

describe('what a program will cost', () => {
  const asking = [
    calling(0, 'llm_generate', { prompt: 'x'.repeat(40) }, 'a'),
    calling(1, 'llm_generate', { prompt: `${'y'.repeat(20)}${ref('a')}${ref('city')}` }, 'b'),
    answering(2, ref('b')),
  ];
  const bounded = { ...own, maxOutputTokens: 100, model: 'openai/own' };

  const costOf = async (folder: Folder, ...args: string[]) => {
    const { stdout } = await folder.planvm(['check', 'plan.json', '--cost', '--json', ...args]);
    return JSON.parse(stdout).cost;
  };

  test('is a range where replies are bounded and all inputs known', async () => {
    using folder = new Folder({ 'plan.json': asking, 'planvm.config.json': bounded });
    const cost = await costOf(folder, '--input', 'city=Oslo');
    const usd = (input: number, output: number): number => (input * 1000 + output * 2000) / 1e6;
    expect(cost).toEqual({
      model: 'openai/own',
      price: { input: 1000, output: 2000 },
      windowTokens: 32_668,
      calls: [
        {
          ...{ step: '0', within: '', tool: 'llm_generate', isModel: true },
          visits: { min: 1, max: 1 },
          inputTokens: { min: 10, max: 10, unknown: [] },
          outputTokens: { min: 0, max: 100 },
          usd: { min: usd(10, 0), max: usd(10, 100) },
        },
        {
          ...{ step: '1', within: '', tool: 'llm_generate', isModel: true },
          visits: { min: 1, max: 1 },
          inputTokens: { min: 6, max: 106, unknown: ['a'] },
          outputTokens: { min: 0, max: 100 },
          usd: { min: usd(6, 0), max: usd(106, 100) },
        },
      ],
      total: {
        calls: { min: 2, max: 2 },
        inputTokens: { min: 16, max: 116 },
        outputTokens: { min: 0, max: 200 },
        usd: { min: usd(16, 0), max: expect.closeTo(usd(116, 200)) },
      },
    });
  });

  test('is unknown where nobody can know it, and nothing where no model is called', async () => {
    using folder = new Folder({ 'plan.json': asking, 'none.json': [answering(0, 'yes')] });
    const cost = await costOf(folder, '--input', 'city', '--model', 'openai/unheard-of');
    expect(cost).toMatchObject({ price: null, total: { usd: null, outputTokens: { max: null } } });
    expect(cost.calls[1].inputTokens).toEqual({ min: 5, max: null, unknown: ['a', 'city'] });
    const shown = await folder.planvm(['check', 'none.json', '--cost']);
    expect(shown.stdout).toContain('it calls no model, and no tool that has a price');
    const nobody = await folder.planvm(['check', 'plan.json', '--cost', '--input', 'city']);
    expect(nobody.stdout).toContain('no model is configured: --model names one');
    expect(nobody.stdout).not.toContain('take further calls');
    folder.write('long.star', 'answer(llm_call([city], "Say where it lies."))\n');
    const long = await folder.planvm(['check', 'long.star', '--cost', '--input', 'city']);
    expect(long.stdout).toContain(
      'values that do not fit the window of the model take further calls',
    );
    const wrong = await folder.planvm(['check', 'plan.json', '--cost', '--json']);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ ok: false, cost: null });
  });

  test('counts what tools cost, with models and without', async () => {
    const search = { name: 'search', description: 'Searches.', price: { perCall: 0.25 } };
    const plan = [calling(0, 'search', {}, 'x'), calling(1, 'search', {}, 'y')];
    using folder = new Folder({
      'plan.json': [...plan, answering(2, 'done')],
      'both.star': 'answer(llm_generate(prompt = str(search())))\n',
      'tools.json': [search],
      'planvm.config.json': { ...bounded, tools: './tools.json' },
    });
    expect(await costOf(folder)).toMatchObject({
      calls: [{ step: '0', tool: 'search', isModel: false, usd: { min: 0.25, max: 0.25 } }, {}],
      total: { calls: { min: 0, max: 0 }, usd: { min: 0.5, max: 0.5 } },
    });
    const { stdout } = await folder.planvm(['check', 'both.star', '--cost', '--json']);
    const { total } = JSON.parse(stdout).cost;
    expect(total.calls).toEqual({ min: 1, max: 1 });
    expect(total.usd.min).toBe(0.25);
    const shown = (await folder.planvm(['check', 'plan.json', '--cost'])).stdout;
    expect(shown).toContain('in all: calls of tools that have a price');
    expect(shown).toContain('$0.50');
  });

  test('can be said of a program with tools that only a module declares', async () => {
    const plan = [calling(0, 'look', { n: 1 }, 'x'), ...asking.map(later)];
    using folder = new Folder({ 'plan.json': plan, 'planvm.config.json': bounded });
    const given = ['--input', 'city=Oslo', '--tools', 'tools.mjs'];
    expect(await costOf(folder, ...given)).toMatchObject({ total: { calls: { min: 2, max: 2 } } });
  });

  test('is said before a run that has a price, and a run keeps to it', async () => {
    await using server = await startModelServer(() => ({
      text: 'a river',
      usage: { input: 12, output: 2 },
    }));
    using folder = new Folder({ 'plan.json': asking, 'planvm.config.json': bounded });
    const { total } = await costOf(folder, '--input', 'city=Oslo');
    const args = ['run', 'plan.json', '--input', 'city=Oslo', '--json'];
    const ran = await folder.planvm(args, { env: server.env.openai });
    expect(ran.stderr).toMatch(/^expected: 2 model calls, \$0\.02 to \$0\.52$/m);
    const { cost } = JSON.parse(ran.stdout).usage;
    expect(cost).toBeGreaterThanOrEqual(total.usd.min);
    expect(cost).toBeLessThanOrEqual(total.usd.max);
    const quiet = await folder.planvm([...args, '-q'], { env: server.env.openai });
    expect(quiet.stderr).toBe('');
  });
});

const later = <T extends Record<string, unknown>>(step: T): T => ({
  ...step,
  seq_no: Number(step.seq_no) + 1,
});
