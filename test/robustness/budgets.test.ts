/** Every budget suspends the run with exit 5, and the command that it names goes on with it. */
import { expect, test } from 'vitest';
import { answering, calling, type Ended, Folder, ref } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';

const tools = `
  import { appendFileSync, existsSync } from 'node:fs';
  export default [
    { name: 'look', description: 'Looks.', effect: 'read',
      parameters: { type: 'object', properties: { n: {} } },
      run({ n }) { appendFileSync('calls.log', 'look\\n'); return 'seen'; } },
    { name: 'slow', description: 'Waits until there is a file: fast.', effect: 'read',
      run: () => existsSync('fast') ? 'at last' : new Promise(() => {}) },
  ];`;

const looking = [0, 1, 2, 3].map((n) =>
  calling(n, 'look', n > 0 ? { n: ref(`v${n - 1}`) } : {}, `v${n}`),
);
const asking = [0, 1, 2].map((n) => ({
  ...calling(n, 'llm_generate', {}, ''),
  parameters: {
    tool_name: 'llm_generate',
    tool_params: { prompt: n === 0 ? 'Begin.' : `Go on from ${ref(`v${n - 1}`)}.` },
    output_vars: `v${n}`,
  },
}));

const workshop = (): Folder =>
  new Folder({
    'tools.mjs': tools,
    'looking.json': [...looking, answering(4, ref('v3'))],
    'asking.json': [...asking, answering(3, ref('v2'))],
    'filling.star': 'x = [str(i) * 1000 for i in range(1000)]\nanswer(len(x))\n',
    'slow.json': [calling(0, 'slow', {}, 'a'), answering(1, ref('a'))],
  });

/** Calls the command that the run names, to the letter, until it is done. */
async function follow(folder: Folder, first: Ended, env: Record<string, string>): Promise<number> {
  let ended = first;
  for (let times = 0; ; times++) {
    if (ended.code === 0) return times;
    expect(ended.code).toBe(5);
    const [, line = ''] = /^ {2}planvm (resume .+)$/m.exec(ended.stderr) ?? [];
    ended = await folder.planvm(line.split(' '), { env });
  }
}

test.each<[flag: string, plan: string, value: string, unit: string, times: number]>([
  ['--effects', 'looking.json', '1', '1 effects', 1],
  ['--effects', 'looking.json', '0', '0 effects', 1],
  ['--instructions', 'looking.json', '12', '12 instructions', 1],
  ['--tokens', 'asking.json', '1000', '1000 tokens', 1],
  ['--tokens', 'asking.json', '0', '0 tokens', 1],
  ['--cost', 'asking.json', '0.0001', '0.0001 USD', 1],
  ['--wall', 'slow.json', '150ms', '150 milliseconds', 1],
  ['--memory-bytes', 'filling.star', '1MiB', '1048576 bytes', 3],
  ['--tool-limit', 'looking.json', 'look.callsPerRun=2', 'the 2 effects that look has', 1],
])('%s of %s', async (flag, plan, value, unit, times) => {
  await using server = await startModelServer(() => ({
    text: 'words',
    usage: { input: 900, output: 300 },
  }));
  using folder = workshop();
  const env = server.env.openai;
  const model = ['--model', 'openai/gpt-5-mini'];
  const args = ['run', plan, '--tools', 'tools.mjs', ...model, flag, value];
  const first = await folder.planvm([...args, '--json'], { env });
  expect(JSON.parse(first.stdout)).toMatchObject({
    status: 'suspended',
    reason: 'limit',
    error: {
      code: 'PV5101',
      message: expect.stringMatching(`(has used up|cannot keep to) (its )?${unit}`),
      hint: expect.stringContaining(`${flag} `),
    },
  });
  folder.write('fast', '');
  expect(await follow(folder, first, env)).toBe(times);
  // Nothing is paid for twice.
  if (plan === 'asking.json') expect(server.requests).toHaveLength(3);
  if (plan === 'looking.json') expect(folder.read('calls.log')).toBe('look\n'.repeat(4));
  const shown = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
  expect(shown.status).toBe('done');
});

test('tokens are set aside before a wide fan of calls, so that it cannot pass the budget', async () => {
  const words = 'A question of some length, so that it counts. '.repeat(20);
  const wide = Array.from({ length: 20 }, (_, n) => ({
    ...calling(n, 'llm_generate', {}, ''),
    parameters: {
      tool_name: 'llm_generate',
      tool_params: { prompt: `${words} ${n}` },
      output_vars: `v${n}`,
    },
  }));
  await using server = await startModelServer(() => ({
    text: 'yes',
    usage: { input: 230, output: 1 },
  }));
  using folder = new Folder({ 'plan.json': [...wide, answering(20, ref('v19'))] });
  const args = ['run', 'plan.json', '--model', 'openai/gpt-5-mini', '--tokens', '1000', '--json'];
  const { code, stdout } = await folder.planvm(args, { env: server.env.openai });
  expect(code).toBe(5);
  expect(server.requests).toHaveLength(4);
  const { inputTokens, outputTokens } = JSON.parse(stdout).usage;
  expect(inputTokens + outputTokens).toBeLessThanOrEqual(1000);
});
