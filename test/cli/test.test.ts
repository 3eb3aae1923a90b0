/** `planvm test`: regression suites of a user, from the first case to a report. */
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
  test('a model answers from the transcript', async () => {
    using folder = new Folder({
      'tests/first/case.json': {
        ...{ program: 'program.star', inputs: { city: 'Lisbon' }, transcript: 'replies.ndjson' },
      },
      'tests/first/program.star': 'answer(llm_generate("Which river is " + city + " on?"))\n',
      'tests/first/replies.ndjson': '{"prompt": "Which river is * on?", "reply": "The Tagus."}\n',
    });
    await folder.planvm(['test', 'tests', '--update']);
    const { code, stdout, stderr } = await folder.planvm(['test', 'tests']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 passed, 0 failed\n' });
    expect(stdout).toMatch(/^✔ first {2}1 effect, /);
    expect(JSON.parse(folder.read('tests/first/expected.json'))).toMatchObject({
      status: 'done',
      answers: ['The Tagus.'],
      effects: [{ id: '0#1', tool: 'llm_generate', outcome: { value: 'The Tagus.' } }],
    });
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

describe('a suite that is not one', () => {
  test.each([
    ['no case', {}, 'PV6051'],
    ['an unknown key', { 'tests/a/case.json': { programm: 'x' } }, 'PV6052'],
    ['no program', { 'tests/a/case.json': {} }, 'PV6052'],
    ['a file that is missing', { 'tests/a/case.json': { program: 'x' } }, 'PV6006'],
  ])('%s is a usage error', async (_, files, problem) => {
    using folder = new Folder(files);
    const { code, stderr } = await folder.planvm(['test', 'tests']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
  });
});
