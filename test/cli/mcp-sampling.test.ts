/** Servers that want a model while they perform a call, by the command line. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { oddServer, reference } from '../support/mcp.ts';
import { type ServedRequest, startModelServer } from '../support/model-server.ts';

const key = 'Zx81-very-secret';

/** A folder whose server `odd` wants a model, and a model that answers. */
async function withModel(
  work: (parts: {
    folder: Folder;
    env: Record<string, string>;
    asked: readonly ServedRequest[];
  }) => Promise<void>,
  more: { env?: Record<string, string>; settings?: object } = {},
): Promise<void> {
  await using models = await startModelServer(() => 'in short');
  const server = {
    ...{ command: process.execPath, args: [oddServer] },
    env: { ODD_MARK: 'marks', ODD_API_KEY: key, ...more.env },
  };
  using folder = new Folder({
    'sum.star': 'answer(odd.sum_up(text = "a long text"))\n',
    'planvm.config.json': { model: 'openai/fake', mcp: { odd: more.settings ?? {} } },
  });
  folder.write('.mcp.json', { mcpServers: { odd: server } });
  await work({ folder, env: models.env.openai, asked: models.requests });
}

const marks = (folder: Folder): string[] =>
  folder
    .read('marks')
    .trim()
    .split('\n')
    .filter((line) => line !== 'start');

const reply = {
  role: 'assistant',
  content: { type: 'text', text: 'in short' },
  model: 'openai/fake',
  stopReason: 'endTurn',
};

describe('a server that wants a model', () => {
  test('has to be allowed by a person; then the call is made again', async () => {
    await withModel(async ({ folder, env, asked }) => {
      const first = await folder.planvm(['run', 'sum.star', '--json'], { env });
      expect(first.code).toBe(4);
      const { waits } = JSON.parse(first.stdout);
      expect(waits).toMatchObject([
        {
          ...{ kind: 'question', tool: 'odd.sum_up', choices: ['allow', 'deny'] },
          question:
            'MCP server odd wants openai/fake to answer, within this call: ' +
            'Be brief. Sum up: a long text (the key is ***)',
        },
      ]);
      expect(asked).toHaveLength(0);
      const done = await folder.planvm(['answer', 'last', 'allow', '--json'], { env });
      const result = JSON.parse(done.stdout);
      expect(JSON.parse(result.answer)).toStrictEqual(reply);
      expect(result.usage.modelCalls).toBe(1);
      expect(asked).toHaveLength(1);
      expect(asked[0]?.messages).toStrictEqual([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Sum up: a long text (the key is ***)' },
      ]);
      expect(asked[0]?.body).toMatchObject({ stop: ['END'] });
      expect(marks(folder)).toStrictEqual(['refused: -1', 'answered']);
      // What was asked and said is in the journal, and a replay asks nobody.
      const exported = (await folder.planvm(['export', 'last', '-o', '-'], { env })).stdout;
      const sampled = exported.split('\n').find((line) => line.includes('effect.sampled'));
      expect(sampled).toContain('in short');
      expect(exported).not.toContain(key);
      expect((await folder.planvm(['replay', 'last'], { env })).code).toBe(0);
      expect(asked).toHaveLength(1);
    });
  });

  test('is told that a person does not want it', async () => {
    await withModel(async ({ folder, env, asked }) => {
      await folder.planvm(['run', 'sum.star'], { env });
      const denied = await folder.planvm(['answer', 'last', 'deny'], { env });
      expect(denied.stdout).toContain('no model: a person does not allow it');
      expect(asked).toHaveLength(0);
    });
  });

  test('is asked about once in a call, however often it wants one', async () => {
    const env = { ODD_SAMPLES: '3' };
    await withModel(
      async ({ folder, env, asked }) => {
        await folder.planvm(['run', 'sum.star'], { env });
        const done = await folder.planvm(['answer', 'last', 'allow', '--json'], { env });
        expect(JSON.parse(done.stdout)).toMatchObject({ status: 'done', usage: { modelCalls: 3 } });
        expect(asked).toHaveLength(3);
      },
      { env },
    );
  });

  test.each([
    ['by its settings', [], { sampling: 'allow' }],
    ['where nothing is asked', ['--approve', 'none'], {}],
  ])('may have it %s', async (_, flags, settings) => {
    await withModel(
      async ({ folder, env }) => {
        const { code, stdout } = await folder.planvm(['run', 'sum.star', ...flags], { env });
        expect([code, JSON.parse(stdout)]).toStrictEqual([0, reply]);
      },
      { settings },
    );
  });

  test('may not have it by its settings, nor where no model is configured', async () => {
    await withModel(
      async ({ folder, env, asked }) => {
        expect((await folder.planvm(['run', 'sum.star'], { env })).stdout).toContain('no model:');
        folder.write('planvm.config.json', {});
        expect((await folder.planvm(['run', 'sum.star'], { env })).stdout).toContain('no model:');
        expect(marks(folder)).toStrictEqual(['refused: -32601', 'refused: -32601']);
        expect(asked).toHaveLength(0);
      },
      { settings: { sampling: 'deny' } },
    );
  });

  test('meets the budget of the run, and a number of its own', async () => {
    const settings = { sampling: 'allow', samplesMax: 2 };
    const flags = ['run', 'sum.star', '--json'];
    await withModel(
      async ({ folder, env, asked }) => {
        const short = await folder.planvm([...flags, '--tokens', '40'], { env });
        expect(JSON.parse(short.stdout).error).toMatchObject({
          code: 'PV4813',
          message: 'MCP server odd wants a model, and the limit tokens has no room',
        });
        expect(asked).toHaveLength(0);
        const many = await folder.planvm(flags, { env });
        expect(JSON.parse(many.stdout)).toMatchObject({
          error: {
            code: 'PV4813',
            message: 'MCP server odd has asked a model 2 times in one call',
          },
          usage: { modelCalls: 2 },
        });
      },
      { settings, env: { ODD_SAMPLES: '9' } },
    );
  });

  test('hears that a part of its prompt is no text', async () => {
    await withModel(
      async ({ folder, env }) => {
        const { stdout } = await folder.planvm(['run', 'sum.star'], { env });
        expect(stdout).toContain('no model:');
        expect(marks(folder)).toStrictEqual(['refused: -32602']);
      },
      { settings: { sampling: 'allow' }, env: { ODD_PART: 'resource' } },
    );
  });

  test('wants it again where the call was interrupted; the person has said yes already', async () => {
    let replies = 0;
    const isAsked = Promise.withResolvers<void>();
    await using models = await startModelServer(() => {
      replies++;
      if (replies !== 2) return `reply ${replies}`;
      isAsked.resolve();
      return { hang: true };
    });
    const server = {
      ...{ command: process.execPath, args: [oddServer] },
      env: { ODD_MARK: 'marks', ODD_SAMPLES: '2' },
    };
    using folder = new Folder({
      'sum.star': 'answer(odd.sum_up(text = "a long text"))\n',
      'planvm.config.json': { model: 'openai/fake' },
    });
    folder.write('.mcp.json', { mcpServers: { odd: server } });
    const { openai: env } = models.env;
    expect((await folder.planvm(['run', 'sum.star'], { env })).code).toBe(4);
    const killed = folder.start(['answer', 'last', 'allow'], { env });
    await isAsked.promise;
    killed.process.kill('SIGKILL');
    await killed.ended;
    const done = await folder.planvm(['resume', 'last', '--json'], { env });
    expect(done.code).toBe(0);
    expect(JSON.parse(JSON.parse(done.stdout).answer).content.text).toBe('reply 4');
    expect(marks(folder)).toStrictEqual(['refused: -1', 'answered', 'answered', 'answered']);
  });

  test('may be the reference server', async () => {
    await using models = await startModelServer(() => 'seven');
    const server = { command: process.execPath, args: [reference('everything'), 'stdio'] };
    using folder = new Folder({
      'a.star': 'answer(every.trigger_sampling_request(prompt = "3 + 4?", maxTokens = 9))\n',
      'planvm.config.json': {
        ...{ model: 'openai/fake', mcp: { every: { sampling: 'allow' } } },
        toolOverrides: { 'every.trigger-sampling-request': { effect: 'read' } },
      },
    });
    folder.write('.mcp.json', { mcpServers: { every: server } });
    const { code, stdout } = await folder.planvm(['run', 'a.star'], { env: models.env.openai });
    expect([code, stdout]).toStrictEqual([0, expect.stringContaining('seven')]);
    expect(models.requests[0]?.prompt).toContain('3 + 4?');
  });
});
