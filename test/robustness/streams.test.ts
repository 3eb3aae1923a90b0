/** What stands on stdout and on stderr, whichever way a command ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';
import { root } from '../support/repo.ts';

const tools = `
  export default [
    { name: 'quick', description: 'Answers.', effect: 'read', run: () => 'quick' },
    { name: 'chatty', description: 'Writes to stdout.', effect: 'read', run() {
      console.log('this is not the result'); console.info('nor this'); return 'chatty'; } },
    { name: 'fails', description: 'Fails.', effect: 'pure', run() { throw new Error('no'); } },
    { name: 'cut', description: 'Is cut off.', effect: 'write', run() {
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }); } },
  ];`;

const planOf = (tool: string): unknown[] => [
  calling(0, 'quick', {}, 'a'),
  calling(1, tool, {}, 'b'),
  answering(2, `${ref('a')}, ${ref('b')}`),
];

const workshop = (): Folder =>
  new Folder({
    'tools.mjs': tools,
    'plan.json': planOf('quick'),
    'fails.json': planOf('fails'),
    'cut.json': planOf('cut'),
    'chatty.json': planOf('chatty'),
    'model.json': [calling(0, 'llm_generate', { prompt: 'Say yes.' }, 'a'), answering(1, ref('a'))],
    'invalid.json': '[{]',
    'declared.json': [{ name: 'quick', description: 'Answers.' }],
    'damaged/runs.db': 'this is no database',
  });

const withTools = ['--tools', 'tools.mjs'];

describe('--json is one document on stdout, and nothing else is there', () => {
  test.each<[what: string, args: string[], code: number, document: object]>([
    ['done', ['run', 'plan.json', ...withTools], 0, { status: 'done', answer: 'quick, quick' }],
    ['failed', ['run', 'fails.json', ...withTools], 1, { status: 'failed', error: { step: '1' } }],
    ['invalid', ['run', 'invalid.json'], 3, { status: 'invalid', run: null }],
    [
      'a budget',
      ['run', 'plan.json', ...withTools, '--effects', '1'],
      5,
      { status: 'suspended', reason: 'limit' },
    ],
    [
      'in doubt',
      ['run', 'cut.json', ...withTools],
      6,
      { status: 'suspended', reason: 'unknown', error: { code: 'PV5102' } },
    ],
    ['no file', ['run', 'nowhere.json'], 2, { error: { code: 'PV6006' } }],
    ['no such option', ['run', 'plan.json', '--tolos', 'x'], 2, { error: { code: 'PV6001' } }],
    ['no argument', ['run'], 2, { error: { code: 'PV6001' } }],
    ['a wrong value', ['run', 'plan.json', '--effects', 'x'], 2, { error: { code: 'PV6002' } }],
    ['no tools file', ['run', 'plan.json', '--tools', 'no.mjs'], 2, { error: { code: 'PV6008' } }],
    [
      'no functions',
      ['run', 'plan.json', '--tools', 'declared.json'],
      2,
      { error: { code: 'PV6010' } },
    ],
    ['no model', ['run', 'model.json'], 2, { error: { code: 'PV6011', hint: /--model/ } }],
    ['no key', ['run', 'model.json', '--model', 'openai/x'], 2, { error: { code: 'PV4101' } }],
    ['no run', ['resume', 'last'], 2, { error: { code: 'PV6012' } }],
    ['show without a run', ['show', 'r0abc'], 2, { error: { code: 'PV6012' } }],
    ['cancel without a run', ['cancel', 'last'], 2, { error: { code: 'PV6012' } }],
    ['check', ['check', 'plan.json', '--tools', 'declared.json'], 0, { ok: true }],
    ['check of nothing', ['check', 'nowhere.json'], 2, { error: { code: 'PV6006' } }],
    ['tools', ['tools', 'call', 'fails', ...withTools], 1, { error: { code: 'PV4202' } }],
    ['no such tool', ['tools', 'show', 'nothing'], 2, { error: { code: 'PV6013' } }],
    ['ingest', ['ingest', 'nowhere/'], 2, { error: { code: 'PV4310' } }],
    ['plan', ['plan', 'Say yes.'], 2, { error: { code: 'PV6011' } }],
    ['ask', ['ask', ' '], 2, { error: { code: 'PV6002' } }],
    ['doctor', ['doctor', '--model', 'nobody/x'], 2, { ok: false }],
  ])('%s', async (_what, args, code, document) => {
    using folder = workshop();
    const ended = await folder.planvm([...args, '--json']);
    expect(ended.code).toBe(code);
    expect(JSON.parse(ended.stdout)).toMatchObject(matching(document));
    expect(ended.stdout).toMatch(/^[[{][\s\S]*[\]}]\n$/);
    const error = JSON.parse(ended.stdout).error;
    if (error) expect(ended.stderr).toContain(`error ${error.code}: ${error.message}`);
  });

  test('a provider that refuses while planning', async () => {
    await using server = await startModelServer(() => ({ status: 401 }));
    using folder = workshop();
    for (const command of ['plan', 'ask']) {
      const args = [command, 'Say yes.', '--model', 'openai/test', '--json'];
      const { code, stdout } = await folder.planvm(args, { env: server.env.openai });
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'PV4102' } });
    }
  });

  test('a journal that is none', async () => {
    using folder = workshop();
    const env = { PLANVM_HOME: 'damaged' };
    const args = ['run', 'plan.json', ...withTools, '--json'];
    const { code, stdout } = await folder.planvm(args, { env });
    expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 2, error: 'PV5011' });
    expect(folder.read('damaged/runs.db')).toBe('this is no database');
  });

  test('what a tool prints is not the result', async () => {
    using folder = workshop();
    const { code, stdout, stderr } = await folder.planvm([
      ...['run', 'chatty.json', '--json'],
      ...withTools,
    ]);
    expect({ code, answer: JSON.parse(stdout).answer }).toEqual({
      code: 0,
      answer: 'quick, chatty',
    });
    expect(stderr).toMatch(/this is not the result\n[\s\S]*nor this\n/);
  });
});

describe('--events', () => {
  test.each<[string, string[], number, string[]]>([
    ['done', ['plan.json'], 0, ['run.finished']],
    ['failed', ['fails.json'], 1, ['run.failed']],
    ['a budget', ['plan.json', '--effects', '1'], 5, ['limit.reached', 'run.suspended']],
    ['in doubt', ['cut.json'], 6, ['run.suspended']],
  ])('%s: every line is a document, in order, and the last is that of --json', async (...row) => {
    const [, args, wanted, last] = row;
    using folder = workshop();
    const { code, stdout } = await folder.planvm(['run', ...args, ...withTools, '--events']);
    expect(code).toBe(wanted);
    const lines = stdout.split('\n');
    expect(lines.pop()).toBe('');
    const events = lines.map((line) => JSON.parse(line));
    const result = events.pop();
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(['run.started', 'program.loaded']);
    expect(types.slice(-last.length)).toEqual(last);
    const numbers = events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    for (const { effect, type } of events) {
      if (type !== 'effect.settled') continue;
      const ofIt = events.filter((event) => event.effect === effect).map((event) => event.type);
      expect(ofIt).toEqual(['effect.started', 'effect.settled']);
    }
    const whole = await folder.planvm(['run', ...args, ...withTools, '--json']);
    const { type, run, ...document } = result;
    const { run: otherRun, ...otherDocument } = JSON.parse(whole.stdout);
    expect({ type, run }).toEqual({ type: 'run.result', run: events[0].run.id });
    const own = JSON.stringify(document).replaceAll(run, 'RUN');
    expect(own).toBe(JSON.stringify(otherDocument).replaceAll(otherRun, 'RUN'));
  });

  test('a failure before the run is the only line', async () => {
    using folder = workshop();
    const { code, stdout } = await folder.planvm(['run', 'nowhere.json', '--events']);
    expect(code).toBe(2);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'error', error: { code: 'PV6006' } });
  });
});

test('nothing is coloured or redrawn where no terminal reads', async () => {
  using folder = workshop();
  for (const env of [{}, { NO_COLOR: '1', FORCE_COLOR: '1' }]) {
    for (const args of [
      ['run', 'fails.json', ...withTools],
      ['show', 'last'],
      ['runs'],
      ['--help'],
    ]) {
      const { stdout, stderr } = await folder.planvm(args, { env });
      expect(stdout + stderr).not.toContain('\u001b');
    }
  }
});

describe('a reader that goes away', () => {
  test('does not keep a run from its end', async () => {
    using folder = workshop();
    const call = folder.start(['run', 'plan.json', ...withTools, '--events']);
    call.process.stdout?.destroy();
    expect((await call.ended).code).toBe(0);
    const [run] = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
    expect(run).toMatchObject({ status: 'done' });
  });

  test('of a pipeline, as `head -1` does, is no failure', async () => {
    using folder = workshop();
    for (let i = 0; i < 2; i++) await folder.planvm(['run', 'plan.json', ...withTools]);
    const line = `"${process.execPath}" "${join(root, 'bin/planvm.js')}" runs | head -1; echo \${PIPESTATUS[0]}`;
    const shell = spawn('bash', ['-c', line], { cwd: folder.path });
    let [out, err] = ['', ''];
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    shell.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    await once(shell, 'close');
    expect({ err, out }).toEqual({ err: '', out: expect.stringMatching(/^run +status.*\n0\n$/) });
  });
});

/** Regular expressions as what vitest matches texts with. */
function matching(document: object): object {
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => {
      if (value instanceof RegExp) return [key, expect.stringMatching(value)];
      return [key, typeof value === 'object' && value !== null ? matching(value) : value];
    }),
  );
}
