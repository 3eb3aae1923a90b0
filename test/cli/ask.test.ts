/** `planvm plan` and `planvm ask` through the real command line, with a model on loopback. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planvm as call, type Ended } from '../support/cli.ts';
import {
  inOrder,
  type ModelServer,
  type Script,
  startModelServer,
} from '../support/model-server.ts';

const cwd = mkdtempSync(join(tmpdir(), 'planvm-ask-'));
const key = 'sk-loopback-0123456789abcdef';

beforeAll(() => {
  writeFileSync(
    join(cwd, 'tools.ts'),
    `const parameters = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] };
export default [
  { name: 'broken', description: 'Looks up.', parameters, effect: 'read', idempotent: false,
    run() { throw new Error('the index is gone'); } },
  { name: 'lookup', description: 'Looks up.', parameters, effect: 'read', run: ({ key }) => 'shelf of ' + key },
];
`,
  );
});
afterAll(() => rmSync(cwd, { recursive: true }));

function planvm(server: ModelServer, args: readonly string[], input = ''): Promise<Ended> {
  const env = {
    PLANVM_MODEL: 'openai/test-model',
    PLANVM_DIALECT: 'stackvm-2',
    OPENAI_BASE_URL: server.env.openai.OPENAI_BASE_URL ?? '',
    OPENAI_API_KEY: key,
  };
  return call(args, { cwd, env, input });
}

async function withModel<T>(script: Script, use: (server: ModelServer) => Promise<T>): Promise<T> {
  const server = await startModelServer(script);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

const objective = 'Look the tides up; the answer needs it.';
const planOf = (tool: string, parameter = 'key'): string =>
  JSON.stringify([
    {
      seq_no: 0,
      type: 'assign',
      parameters: { subject: 'tides' },
      execution_objective: objective,
    },
    {
      seq_no: 1,
      type: 'calling',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the plan.
      parameters: { tool, params: { [parameter]: '${subject}' }, output_vars: 'final_answer' },
      execution_objective: objective,
    },
  ]);

const goal = 'Where are the tides (all of them)?';
const tools = ['--tools', './tools.ts'];

test('plan prints the plan that passes, after the model has mended its first', async () => {
  const script = inOrder(
    planOf('lookup', 'kee'),
    `Mended:\n\`\`\`json\n${planOf('lookup')}\n\`\`\``,
  );
  await withModel(script, async (server) => {
    const done = await planvm(server, ['plan', goal, ...tools]);
    expect(done).toMatchObject({ code: 0, stdout: `${planOf('lookup')}\n` });
    expect(done.stderr).toContain('plan 1 has');
    expect(done.stderr).toContain('2 model calls');
    expect(server.requests[0]?.prompt).toContain(`\nGoal: ${goal}\n`);
    expect(server.requests[1]?.prompt).toContain('kee');
  });
});

test('ask plans, runs and answers; usage counts the planning too', async () => {
  await withModel(inOrder(planOf('lookup')), async (server) => {
    const done = await planvm(server, ['ask', '-', ...tools, '--json'], `${goal}\n`);
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({
      status: 'done',
      answer: 'shelf of tides',
      usage: { modelCalls: 1 },
    });
  });
});

test('a run that fails is repaired with the error and what was known', async () => {
  await withModel(inOrder(planOf('broken'), planOf('lookup')), async (server) => {
    const done = await planvm(server, ['ask', goal, ...tools]);
    expect(done).toMatchObject({ code: 0, stdout: 'shelf of tides\n' });
    const { prompt } = server.requests[1] ?? { prompt: '' };
    expect(prompt).toContain('the index is gone');
    expect(prompt).toContain(`step 1 was for: ${objective}`);
    expect(prompt).toContain('- subject: string of 5 characters = "tides"');
  });
});

test('--repair 0 takes the failure as it is', async () => {
  await withModel(inOrder(planOf('broken')), async (server) => {
    const done = await planvm(server, ['ask', goal, ...tools, '--repair', '0']);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('the index is gone');
    expect(server.requests).toHaveLength(1);
  });
});

test('a model that cannot write a plan ends in exit 3 with its last errors', async () => {
  await withModel(
    () => planOf('nothing'),
    async (server) => {
      const done = await planvm(server, ['ask', goal, ...tools, '--corrections', '1']);
      expect(done).toMatchObject({ code: 3, stdout: '' });
      expect(done.stderr).toContain('PV7002');
      expect(done.stderr).toContain('there is no tool nothing');
      expect(server.requests).toHaveLength(2);
    },
  );
});

test('words instead of a plan are shown, with exit 1', async () => {
  await withModel(inOrder('None of these tools reads mail.'), async (server) => {
    const done = await planvm(server, ['plan', goal]);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('None of these tools reads mail.');
  });
});

test('a provider that refuses the key is told without the key', async () => {
  await withModel(
    () => ({ status: 401, message: `Incorrect API key provided: ${key}` }),
    async (server) => {
      const done = await planvm(server, ['ask', goal]);
      expect(done.code).not.toBe(0);
      expect(done.stderr).toContain('OPENAI_API_KEY');
      expect(done.stdout + done.stderr).not.toContain(key);
    },
  );
});

test('language and form reach the model', async () => {
  await withModel(inOrder(planOf('lookup')), async (server) => {
    await planvm(server, ['plan', goal, ...tools, '--language', 'French', '--format', 'one line']);
    const { prompt } = server.requests[0] ?? { prompt: '' };
    expect(prompt).toContain('written in French');
    expect(prompt).toContain('Form of the final answer: one line');
  });
});
