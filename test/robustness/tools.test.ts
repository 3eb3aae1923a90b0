/** Tools that fail in every way a function can: a located error, nothing lost, nothing doubled. */
import { describe, expect, test } from 'vitest';
import { answering, calling, type Ended, Folder, ref } from '../support/cli.ts';

/** Each counts its calls in `calls.log`; those that wait for a file `mended` work once it is there. */
const tools = `
  import { appendFileSync, existsSync } from 'node:fs';
  class Account { balance = 7; get owner() { return 'somebody'; } }
  const tool = (name, run, more = {}) => ({
    name, description: name, effect: 'read', ...more,
    run(args, context) { appendFileSync('calls.log', name + '\\n'); return run(args, context); },
  });
  const mended = (run) => (...args) => existsSync('mended') ? 'it works' : run(...args);
  const value = { type: 'object', properties: { value: {} } };
  export default [
    tool('first', () => 'first'),
    tool('echo', ({ value }) => value, { parameters: value }),
    tool('letters', ({ n }) => 'z'.repeat(n), { parameters: { type: 'object', properties: { n: { type: 'integer' } } } }),
    tool('throws', mended(() => { throw new Error('no such account'); })),
    tool('throws_nothing', mended(() => { throw undefined; })),
    tool('throws_secretly', mended(() => { throw { code: 7 }; })),
    tool('rejects_pure', mended(async () => { throw new TypeError('no number'); }), { effect: 'pure' }),
    tool('refuses_write', mended(() => { throw new Error('not enough money'); }), { effect: 'write' }),
    tool('hangs', mended(() => new Promise(() => {}))),
    tool('returns_nothing', mended(() => {})),
    tool('returns_null', () => null),
    tool('returns_instance', mended(() => new Account())),
    tool('returns_function', mended(() => () => 1)),
    tool('returns_symbol', mended(() => Symbol('x'))),
    tool('returns_map', mended(() => new Map([[1, 2]]))),
    tool('returns_cycle', mended(() => { const a = {}; a.a = a; return a; })),
    tool('returns_trap', mended(() => new Proxy({}, { ownKeys() { throw new Error('trap'); } }))),
    tool('returns_getter', mended(() => ({ get a() { throw new Error('not today'); } }))),
    tool('returns_huge', mended(() => 'z'.repeat(17 * 2 ** 20))),
    tool('returns_nan', () => ({ v: [1, NaN] })),
    tool('exits_late', mended(() => { setImmediate(() => { throw new Error('out of nowhere'); }); return new Promise(() => {}); })),
  ];`;

const planOf = (tool: string): unknown[] => [
  calling(0, 'first', {}, 'a'),
  calling(1, tool, { after: ref('a') }, 'b'),
  answering(2, `${ref('a')}: ${ref('b')}`),
];

const workshop = (tool: string): Folder =>
  new Folder({ 'tools.mjs': tools, 'plan.json': planOf(tool) });

const run = ['run', 'plan.json', '--tools', 'tools.mjs', '--json'];
const callsOf = (folder: Folder, name: string): number =>
  folder
    .read('calls.log')
    .split('\n')
    .filter((line) => line === name).length;

describe('a tool that gives no data fails at its step; mended, the run goes on', () => {
  test.each<[tool: string, attempts: number, code: string, says: string, hint: string]>([
    ['throws', 2, 'PV4202', 'throws: no such account (2 attempts)', ''],
    ['throws_nothing', 2, 'PV4202', 'throws_nothing: undefined (2 attempts)', ''],
    ['throws_secretly', 2, 'PV4202', 'throws_secretly: {"code":7} (2 attempts)', ''],
    ['rejects_pure', 1, 'PV4202', 'rejects_pure: no number', ''],
    ['refuses_write', 1, 'PV4202', 'refuses_write: not enough money', ''],
    ['returns_nothing', 1, 'PV4002', 'returns_nothing returned undefined', 'return null'],
    ['returns_instance', 1, 'PV4003', 'got an instance of Account', 'plain objects'],
    ['returns_function', 1, 'PV4003', 'got function', 'plain objects'],
    ['returns_symbol', 1, 'PV4003', 'got symbol', 'plain objects'],
    ['returns_map', 1, 'PV4003', 'got an instance of Map', 'plain objects'],
    ['returns_cycle', 1, 'PV4003', 'or a cycle', 'plain objects'],
    ['returns_trap', 1, 'PV4003', 'trap', 'plain objects'],
    ['returns_getter', 1, 'PV4003', 'not today', 'plain objects'],
    ['returns_huge', 1, 'PV4004', 'want at most 16777216', '--value-bytes'],
  ])('%s', async (tool, attempts, code, says, hint) => {
    using folder = workshop(tool);
    const failed = await folder.planvm(run);
    expect(failed.code).toBe(1);
    const { run: id, status, error } = JSON.parse(failed.stdout);
    expect({ status, error }).toMatchObject({
      status: 'failed',
      error: { code, step: '1', line: 1 },
    });
    expect(error.message).toContain(says);
    expect(error.hint ?? '').toContain(hint);
    expect(failed.stderr).toContain(`  planvm resume ${id}\n`);
    expect(callsOf(folder, tool)).toBe(attempts);

    folder.write('mended', '');
    const resumed = await folder.planvm(['resume', id]);
    expect(resumed).toMatchObject({ code: 0, stdout: 'first: it works\n' });
    expect(callsOf(folder, tool)).toBe(attempts + 1);
    expect(callsOf(folder, 'first')).toBe(1);
  });

  test('hangs', async () => {
    using folder = workshop('hangs');
    const failed = await folder.planvm([...run, '--timeout', '60ms']);
    expect(failed.code).toBe(1);
    const { run: id, error } = JSON.parse(failed.stdout);
    expect(error).toMatchObject({
      code: 'PV4005',
      message: 'hangs gave no answer within 60 ms (3 attempts)',
      hint: 'raise the limit timeoutMs (--timeout), of the run or of the tool',
      step: '1',
    });
    folder.write('mended', '');
    const resumed = await folder.planvm(['resume', id, '--timeout', '2m']);
    expect(resumed).toMatchObject({ code: 0, stdout: 'first: it works\n' });
    expect([callsOf(folder, 'first'), callsOf(folder, 'hangs')]).toEqual([1, 4]);
  });

  test('throws outside of its call', async () => {
    using folder = workshop('exits_late');
    const failed = await folder.planvm(run);
    expect(failed.code).toBe(130);
    expect(JSON.parse(failed.stdout)).toMatchObject({ status: 'suspended', reason: 'interrupted' });
    expect(failed.stderr).toContain('nobody waits for has failed: out of nowhere\n');
    folder.write('mended', '');
    const resumed = await folder.planvm(['resume', 'last']);
    expect(resumed).toMatchObject({ code: 0, stdout: 'first: it works\n' });
    expect(callsOf(folder, 'first')).toBe(1);
  });
});

test('what JSON has no word for is named in the answer, and null is nothing', async () => {
  using folder = new Folder({
    'tools.mjs': tools,
    'plan.json': [
      calling(0, 'returns_nan', {}, 'a'),
      calling(1, 'returns_null', {}, 'b'),
      answering(2, { a: ref('a'), b: ref('b') }),
    ],
  });
  const { code, stdout } = await folder.planvm(run);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).answer).toEqual({
    a: { v: [1, { $float: 'NaN' }] },
    b: null,
  });
});

describe('a value of 1 MB', () => {
  const size = 1_000_000;
  const plan = [
    calling(0, 'letters', { n: size }, 'a'),
    calling(1, 'echo', { value: `${ref('a')} and ${ref('a')}` }, 'b'),
    { ...answering(2, ''), parameters: { c: { list: [ref('b'), ref('a')] } } },
    calling(3, 'echo', { value: ref('c') }, 'd'),
    answering(4, `<${ref('d.list[1]')}>`),
  ];
  const whole = (ended: Ended): unknown => ({
    code: ended.code,
    letters: /^<z*>\n$/.test(ended.stdout) ? ended.stdout.length - 3 : ended.stdout.slice(0, 100),
  });

  test('goes through tools, templates, lists, the journal and back', async () => {
    using folder = new Folder({ 'tools.mjs': tools, 'plan.json': plan });
    const args = ['run', 'plan.json', '--tools', 'tools.mjs', '--effects', '2'];
    expect((await folder.planvm(args)).code).toBe(5);
    const resumed = await folder.planvm(['resume', 'last', '--effects', '9', '--quiet']);
    expect(whole(resumed)).toEqual({ code: 0, letters: size });
    expect(callsOf(folder, 'letters')).toBe(1);
    const shown = await folder.planvm(['show', 'last', '--verbose']);
    expect(shown.code).toBe(0);
    expect(JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout)).toMatchObject({
      effects: [{ outcome: { value: 'z'.repeat(size) } }, {}, {}],
    });
  });

  test('is an error where it grows over the limit', async () => {
    using folder = new Folder({ 'tools.mjs': tools, 'plan.json': plan });
    const { code, stdout } = await folder.planvm([...run, '--value-bytes', '1500000']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'PV3012',
      step: '1',
      hint: expect.stringContaining('--value-bytes'),
    });
  });
});
