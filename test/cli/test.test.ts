/** `planvm test`: regression suites of a user, from the first case to a report. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';

const tools = `
  import { appendFileSync } from 'node:fs';
  const parameters = { type: 'object', properties: { key: { type: 'string' } } };
  export default [
    { name: 'find', description: 'Finds.', effect: 'read', parameters,
      run({ key }) { appendFileSync('calls.log', key + '\\n'); return key + ': 12'; } },
    { name: 'send', description: 'Sends.', effect: 'write', parameters,
      run({ key }) { appendFileSync('calls.log', 'sent\\n'); return [key]; } },
  ];`;

const plan = (key: string) => [
  calling(0, 'find', { key }, 'found'),
  calling(1, 'send', { key: ref('found') }, 'sent'),
  answering(2, ref('sent')),
];

describe('cases of programs and transcripts', () => {
  test('--init makes one that passes', async () => {
    using folder = new Folder();
    const made = await folder.planvm(['test', 'tests/first', '--init']);
    expect(made.stdout).toContain('wrote tests/first/expected.json\n');
    const { code, stdout, stderr } = await folder.planvm(['test', 'tests']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 passed, 0 failed\n' });
    expect(stdout).toMatch(/^✔ first {2}1 effect, /);
    expect(JSON.parse(folder.read('tests/first/expected.json'))).toMatchObject({
      status: 'done',
      answers: ['The Tagus.'],
      effects: [{ id: '0#1', tool: 'llm_generate', outcome: { value: 'The Tagus.' } }],
    });
    const again = await folder.planvm(['test', 'tests/first', '--init']);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('PV6014') });
  });

  test('says what is different first, and takes it over on demand', async () => {
    using folder = new Folder({
      'tools.mjs': tools,
      'tests/a/case.json': { program: 'plan.json', tools: ['../../tools.mjs'] },
      'tests/a/plan.json': plan('tides'),
    });
    const missing = await folder.planvm(['test', 'tests']);
    expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining('expected.json') });
    await folder.planvm(['test', 'tests', '--update']);
    expect((await folder.planvm(['test', 'tests'])).code).toBe(0);

    folder.write('tests/a/plan.json', plan('times'));
    const { code, stdout } = await folder.planvm(['test', 'tests', '--junit', 'report.xml']);
    expect(code).toBe(1);
    expect(stdout).toContain('✖ a\n  effect 0#1 at step 0\n    expected find {"key":"tides"} →');
    expect(stdout).toContain('    got      find {"key":"times"} →');
    const report = folder.read('report.xml');
    expect(report).toContain('<testsuite name="planvm" tests="1" failures="1" errors="0"');
    expect(report).toContain('find {&quot;key&quot;:&quot;times&quot;}');

    const updated = await folder.planvm(['test', 'tests', '--update', '--json']);
    expect(JSON.parse(updated.stdout)).toMatchObject({ cases: [{ name: 'a', updated: true }] });
    expect((await folder.planvm(['test', 'tests'])).code).toBe(0);
  });
});

describe('a case of a run', () => {
  test('has its outcomes: nothing is performed', async () => {
    using folder = new Folder({ 'tools.mjs': tools, 'plan.json': plan('tides') });
    await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs']);
    const calls = folder.read('calls.log');
    folder.write('tools.mjs', 'throw new Error("not to be loaded")');
    const saved = await folder.planvm(['test', 'tests/tides', '--save', 'last']);
    expect(saved).toMatchObject({ code: 0, stdout: expect.stringContaining('outcomes.ndjson') });
    expect((await folder.planvm(['test', 'tests'])).code).toBe(0);
    expect(folder.read('calls.log')).toBe(calls);

    // What the program asks for now was never asked for then.
    folder.write('tests/tides/program.json', plan('times'));
    const { code, stdout } = await folder.planvm(['test', 'tests']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('PV6053') });
    expect(folder.read('calls.log')).toBe(calls);
  });

  test('is made only of a run that is over', async () => {
    using folder = new Folder({ 'tools.mjs': tools, 'plan.json': plan('tides') });
    await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs', '--effects', '1']);
    const { code, stderr } = await folder.planvm(['test', 'tests', '--save', 'last']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('PV6043') });
    expect(existsSync(join(folder.path, 'tests'))).toBe(false);
  });
});

describe('a suite that is not one', () => {
  test.each([
    ['no case', {}, 'PV6051'],
    ['an unknown key', { 'tests/a/case.json': { programm: 'x' } }, 'PV6052'],
    ['neither program nor goal', { 'tests/a/case.json': {} }, 'PV6052'],
    ['a goal without a transcript', { 'tests/a/case.json': { goal: 'x' } }, 'PV6052'],
    ['a file that is missing', { 'tests/a/case.json': { program: 'x' } }, 'PV6006'],
  ])('%s is a usage error', async (_, files, problem) => {
    using folder = new Folder(files);
    const { code, stderr } = await folder.planvm(['test', 'tests']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
  });
});
