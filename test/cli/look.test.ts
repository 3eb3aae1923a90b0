/** Commands that look: show, runs, compile, doctor. */
import { describe, expect, test } from 'vitest';
import { assemble } from '../support/assembly/assembler.ts';
import { answering, calling, Folder, ref } from '../support/cli.ts';

const tools = `export default [
  { name: 'double', description: 'Doubles n.', effect: 'read',
    parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    run: ({ n }) => n * 2 },
  { name: 'broken', description: 'Fails.', effect: 'pure',
    run() { throw new Error('the shelf is empty'); } },
];`;

const plan = [
  calling(0, 'double', { n: 4 }, 'eight'),
  calling(1, 'double', { n: ref('eight') }, 'sixteen'),
  answering(2, ref('sixteen')),
];

const failing = [calling(0, 'broken', {}, 'x'), answering(1, ref('x'))];

async function withRun(text: unknown): Promise<Folder> {
  const folder = new Folder({ 'plan.json': text, 'tools.mjs': tools });
  await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs']);
  return folder;
}

describe('show', () => {
  test('--json is the document of the contract', async () => {
    using folder = await withRun(plan);
    const { code, stdout } = await folder.planvm(['show', 'last', '--json']);
    expect(code).toBe(0);
    const { run, status, steps, effects } = JSON.parse(stdout);
    expect({ run, status }).toEqual({ run: expect.stringMatching(/^r\w{14}$/), status: 'done' });
    expect(
      steps.map(({ id, kind, status: state }: Record<string, unknown>) => [id, kind, state]),
    ).toEqual([
      ['0', 'calling', 'done'],
      ['1', 'calling', 'done'],
      ['2', 'assign', 'done'],
    ]);
    expect(effects).toHaveLength(2);
    expect(effects[1]).toEqual({
      id: '0#2',
      step: '1',
      kind: 'tool',
      name: 'double',
      class: 'read',
      status: 'done',
      attempts: 1,
      queuedAt: expect.any(Number),
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      request: { n: 8 },
      outcome: { value: 16 },
    });
    expect(effects[1].queuedAt).toBeGreaterThanOrEqual(effects[0].endedAt);
  });

  test('is a page for people', async () => {
    using folder = await withRun(plan);
    const { stdout } = await folder.planvm(['show', 'last', '--verbose']);
    expect(stdout).toMatch(/^run r\w+ {2}plan\.json \(stackvm-2\)\ndone · started 20.*Z · ran \d/);
    expect(stdout).toMatch(/\n✔ 1 calling {2}Call double\.\n {4}✔ double {2}0#2 {2}\d+ms\n/);
    expect(stdout).toMatch(/asked \{"n":8\}\n +got 16\n/);
    expect(stdout).toMatch(/\nanswer\n16\n$/);
  });

  test('has what the author meant by each step, and what was thought before', async () => {
    const thoughts = {
      seq_no: 0,
      type: 'reasoning',
      parameters: { chain_of_thoughts: 'Only halves help.', dependency_analysis: { 2: [1] } },
      execution_objective: 'Think.',
    };
    const next = { ...calling(1, 'double', { n: 4 }, 'eight'), execution_objective: 'Get eight.' };
    using folder = await withRun([thoughts, next, answering(2, ref('eight'))]);
    const { stdout } = await folder.planvm(['show', 'last']);
    expect(stdout).toContain('✔ 0 reasoning  Think.\n    Only halves help. {"2":[1]}\n');
    expect(stdout).toContain('✔ 1 calling  Get eight.\n');
    const document = await folder.planvm(['show', 'last', '--json']);
    expect(JSON.parse(document.stdout).steps.slice(0, 2)).toMatchObject([
      { objective: 'Think.', reasoning: 'Only halves help.\n{"2":[1]}' },
      { objective: 'Get eight.' },
    ]);
  });

  test('says why a run failed, with the line of the program', async () => {
    using folder = await withRun(JSON.stringify(failing, null, 2));
    const { stdout } = await folder.planvm(['show', 'last']);
    expect(stdout).toMatch(/✖ 0 calling .*\n {4}✖ broken .*\n +error PV4202 broken: the shelf/);
    expect(stdout).toMatch(/plan\.json:7:20: error PV4202: .*\n +7 \| +"tool_name": "broken"/);
  });

  test('takes the beginning of an id, if it is that of one run', async () => {
    using folder = await withRun(plan);
    const [{ run }] = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
    expect((await folder.planvm(['show', run.slice(0, 12)])).code).toBe(0);
    await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs']);
    const { code, stderr } = await folder.planvm(['show', 'r']);
    expect(code).toBe(2);
    expect(stderr).toContain('error PV6012: r stands for several runs: ');
    expect((await folder.planvm(['show', 'nothing'])).stderr).toContain('there is no run nothing');
  });

  test('does not obey what a model or a tool wrote', async () => {
    const nasty = [answering(0, 'before\u001b[2Jafter')];
    using folder = await withRun(nasty);
    const { stdout } = await folder.planvm(['show', 'last']);
    expect(stdout).toContain('before');
    expect(stdout).not.toContain('\u001b');
  });
});

describe('runs', () => {
  test('lists them, newest first, by status and up to a number', async () => {
    using folder = await withRun(failing);
    folder.write('plan.json', plan);
    await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs']);
    const list = async (...args: string[]): Promise<Record<string, unknown>[]> =>
      JSON.parse((await folder.planvm(['runs', '--json', ...args])).stdout);
    const all = await list();
    expect(all.map(({ status }) => status)).toEqual(['done', 'failed']);
    expect(all[0]).toEqual({
      run: expect.stringMatching(/^r/),
      status: 'done',
      title: 'plan.json',
      dialect: 'stackvm-2',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      events: expect.any(Number),
      owned: false,
    });
    expect(await list('--status', 'failed')).toEqual([all[1]]);
    expect(await list('--limit', '1')).toEqual([all[0]]);
  });

  test('none is no failure', async () => {
    using folder = new Folder();
    expect(await folder.planvm(['runs', '--json'])).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(await folder.planvm(['runs'])).toMatchObject({ code: 0, stdout: '' });
  });

  test.each([
    ['--status', 'finished', '--status: got finished, want one of running, done'],
    ['--limit', '0', 'got 0, want a positive integer'],
  ])('%s %s is a usage error', async (flag, value, message) => {
    using folder = new Folder();
    const { code, stderr } = await folder.planvm(['runs', flag, value]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('compile', () => {
  test('prints the code of a file and of its run alike', async () => {
    using folder = await withRun(plan);
    const file = await folder.planvm(['compile', 'plan.json', '--tools', 'tools.mjs']);
    expect((await folder.planvm(['compile', 'last'])).stdout).toBe(file.stdout);
  });

  test('prints what the machine executes', async () => {
    using folder = new Folder({ 'plan.json': plan, 'tools.mjs': tools });
    const args = ['compile', 'plan.json', '--tools', 'tools.mjs'];
    const { code, stdout } = await folder.planvm(args);
    expect(code).toBe(0);
    expect(stdout).toContain('CONST tool:double');
    expect(assemble(stdout).program?.chunks).toHaveLength(1);
  });

  test('of an invalid program exits 3', async () => {
    using folder = new Folder({ 'plan.json': '[]' });
    const { code, stdout, stderr } = await folder.planvm(['compile', 'plan.json']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('error PV2102');
  });
});

describe('doctor', () => {
  test('finds nothing wrong in an empty folder', async () => {
    using folder = new Folder();
    const { code, stdout } = await folder.planvm(['doctor', '--json']);
    expect(code).toBe(0);
    const { ok, checks } = JSON.parse(stdout);
    expect(ok).toBe(true);
    expect(checks.map(({ what, status }: Record<string, string>) => [what, status])).toEqual([
      ['Node', 'good'],
      ['configuration', 'absent'],
      ['journal', 'absent'],
      ['tools', 'good'],
      ['model', 'absent'],
      ['knowledge base', 'absent'],
    ]);
  });

  test('finds everything that is wrong, and exits 2', async () => {
    using folder = new Folder({
      '.planvm/runs.db': 'not a database',
      '.planvm/knowledge.db': 'not a database',
      'planvm.config.json': { model: 'opnai/gpt', tools: 'tools.mjs' },
      'tools.mjs': 'export default 7',
    });
    const { code, stdout } = await folder.planvm(['doctor', '--json']);
    expect(code).toBe(2);
    const wrong = JSON.parse(stdout).checks.filter(
      ({ status }: { status: string }) => status === 'wrong',
    );
    expect(wrong.map(({ what }: { what: string }) => what)).toEqual([
      'journal',
      'tools',
      'model',
      'knowledge base',
    ]);
    const about = wrong.map(({ about: text }: { about: string }) => text).join('\n');
    expect(about).toContain('tools.mjs: its default export is no list of tools');
    expect(about).toContain("no provider 'opnai'");
  });

  test('shows no secret, of whatever origin', async () => {
    using folder = new Folder({ '.env': 'OPENAI_API_KEY=sk-in-the-file\n' });
    const env = { ANTHROPIC_API_KEY: 'sk-in-the-environment' };
    const { stdout, stderr } = await folder.planvm(['doctor', '--model', 'openai/gpt-5-mini'], {
      env,
    });
    expect(stdout).toContain('.env (adds OPENAI_API_KEY)');
    expect(stdout + stderr).not.toContain('sk-in');
  });
});

describe('show --trace', () => {
  test('is a tree with the critical path', async () => {
    using folder = await withRun(plan);
    const { code, stdout } = await folder.planvm(['show', 'last', '--trace']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^took \d+ms · effects ran \d+ms in all/m);
    expect(stdout).toMatch(/^◆ ✔ 0 calling {2}\d+ms {2}Call double\.$/m);
    expect(stdout).toMatch(/^◆ .*└ ✔ double {2}0#2 {2}\d+ms/m);
    expect(stdout).toMatch(/critical path[^\n]*\n {2}◆ 0#1 step 0 [^\n]*\n {2}◆ 0#2 step 1/);
  });

  test('--json is the document with the times', async () => {
    using folder = await withRun(plan);
    const { stdout } = await folder.planvm(['show', 'last', '--trace', '--json']);
    const { status, steps, criticalPath } = JSON.parse(stdout);
    expect(status).toBe('done');
    expect(criticalPath.map(({ effect }: { effect: string }) => effect)).toEqual(['0#1', '0#2']);
    expect(steps[1].effects[0]).toMatchObject({ id: '0#2', waitedFor: '0#1', critical: true });
  });
});
