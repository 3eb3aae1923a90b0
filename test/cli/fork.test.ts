/** `planvm fork`: edits, previews, what is performed, and what is refused. */
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';

const tools = `
  import { appendFileSync } from 'node:fs';
  const parameters = { type: 'object', properties: { key: { type: 'string' } } };
  const note = (name, key) => appendFileSync('calls.log', name + ' ' + key + '\\n');
  export default [
    { name: 'find', description: 'Finds.', effect: 'read', parameters,
      run({ key }) { note('find', key); return key + ': 12'; } },
    { name: 'store', description: 'Stores.', effect: 'write', parameters,
      run({ key }) { note('store', key); return 'stored ' + key; } },
  ];`;

const city = {
  seq_no: 0,
  type: 'assign',
  execution_objective: 'Name the city.',
  parameters: { city: 'Paris' },
};
const rivers = calling(3, 'find', { key: 'rivers' }, 'rivers');
const plan = [
  city,
  calling(1, 'find', { key: ref('city') }, 'found'),
  calling(2, 'store', { key: ref('found') }, 'kept'),
  rivers,
  answering(4, `${ref('kept')}, ${ref('rivers')}`),
];

/** A folder with a run that is done. */
async function ran(): Promise<{ folder: Folder; run: string; calls: () => string[] }> {
  const folder = new Folder({ 'plan.json': plan, 'tools.mjs': tools });
  const { code, stdout } = await folder.planvm([
    ...['run', 'plan.json', '--tools', 'tools.mjs', '--json'],
  ]);
  expect(code).toBe(0);
  folder.write('calls.log', '');
  const calls = (): string[] => folder.read('calls.log').split('\n').slice(0, -1);
  return { folder, run: JSON.parse(stdout).run, calls };
}

test.each([
  ['--set', 'city={"name": "Rome"'],
  ['--outcome', '0#1=[1, 2'],
])('%s %s is an error, not a text', async (option, pair) => {
  const { folder, run } = await ran();
  using _ = folder;
  const { code, stderr } = await folder.planvm(['fork', run, '--at', '1', option, pair]);
  expect(code).toBe(2);
  expect(stderr).toContain('error PV6007: ');
  expect(stderr).toContain('which is not JSON');
});

describe('planvm fork', () => {
  test('--at --set performs what depends on the variable', async () => {
    const { folder, run, calls } = await ran();
    using _ = folder;
    const { code, stdout, stderr } = await folder.planvm([
      'fork',
      run,
      '--at',
      '1',
      '--set',
      'city=Rome',
    ]);
    expect(stdout).toBe('stored Rome: 12, rivers: 12\n');
    expect(calls()).toEqual(['find Rome', 'store Rome: 12']);
    expect(stderr).toContain(`fork of ${run}, from step 1 on\n`);
    expect(stderr).toContain('the base has done store {"key":"Paris: 12"} (effect 0#2)');
    expect(stderr).toMatch(new RegExp(`planvm diff ${run} r\\w+\n {2}planvm tree ${run}\n$`));
    expect(code).toBe(0);
  });

  test('--preview says what would be performed, and makes nothing', async () => {
    const { folder, run, calls } = await ran();
    using _ = folder;
    const asked = ['fork', 'last', '--at', '2', '--fresh', 'all', '--preview'];
    const { code, stdout } = await folder.planvm(asked);
    expect(stdout).toBe(
      `fork of ${run}, from step 2 on\n` +
        '  1 effect before it, as it was\n' +
        '  1 effect to be performed; what comes then depends on how that goes:\n' +
        '    2 store 0#2 {"key":"Paris: 12"} again\n',
    );
    const runs = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
    expect(runs).toHaveLength(1);
    const json = await folder.planvm([...asked, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ run, at: '2', ends: false });
    expect({ code, calls: calls() }).toEqual({ code: 0, calls: [] });
  });

  test('--edit-step replaces one instruction', async () => {
    const { folder, run, calls } = await ran();
    using _ = folder;
    folder.write('step.json', {
      ...rivers,
      parameters: { ...(rivers.parameters as object), tool_params: { key: 'seas' } },
    });
    const edit = ['--edit-step', 'step.json'];
    const { stdout } = await folder.planvm(['fork', run, '--at', '3', ...edit]);
    expect(stdout).toBe('stored Paris: 12, seas: 12\n');
    expect(calls()).toEqual(['find seas']);
    const asTyped = await folder.planvm(['fork', run, '--at', '03@1', ...edit, '--force']);
    expect(asTyped).toMatchObject({ code: 0, stdout });
    const wrong = await folder.planvm(['fork', run, '--at', '2', ...edit]);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('PV6031: step.json cannot stand in place of step 2');
    const nowhere = await folder.planvm(['fork', run, ...edit]);
    expect(nowhere.stderr).toContain('got no step, want the step that step.json is to replace');
  });

  test('--program has to agree before the step', async () => {
    const { folder, run, calls } = await ran();
    using _ = folder;
    folder.write('other.json', [...plan.slice(0, 3), answering(3, 'short')]);
    const from = (step: string) => ['fork', run, '--at', step, '--program', 'other.json'];
    const { stdout } = await folder.planvm(from('3'));
    expect({ stdout, calls: calls() }).toEqual({ stdout: 'short\n', calls: [] });
    folder.write('other.json', [
      city,
      calling(1, 'find', { key: 'Rome' }, 'found'),
      ...plan.slice(2),
    ]);
    const { code, stderr } = await folder.planvm(from('3'));
    expect(stderr).toContain(
      'PV5131: the program may differ from step 3 on, but step 1 is another one',
    );
    expect(code).toBe(2);
    const early = await folder.planvm(from('1'));
    expect(early.stdout).toBe('stored Rome: 12, rivers: 12\n');
    folder.write('other.json', '[{"seq_no": 0}]');
    expect(await folder.planvm(from('1'))).toMatchObject({ code: 3, stdout: '' });
  });

  test('--outcome goes to the step of its effect', async () => {
    const { folder, run, calls } = await ran();
    using _ = folder;
    const given = await folder.planvm(['fork', run, '--outcome', '0#3="none"', '--quiet']);
    expect(given.stdout).toBe('stored Paris: 12, none\n');
    const failing = await folder.planvm(['fork', run, '--outcome', '0#3=error:too slow']);
    expect(failing.stderr).toContain('PV4010: too slow');
    expect({ code: failing.code, calls: calls() }).toEqual({ code: 1, calls: [] });
    const unknown = await folder.planvm(['fork', run, '--outcome', '0#30=1']);
    expect(unknown.stderr).toContain('PV5133: got 0#30, want an effect that the run has');
  });

  test('--no-run leaves it to planvm resume', async () => {
    const { folder, run, calls } = await ran();
    using _ = folder;
    const asked = ['fork', run, '--at', '3', '--fresh', 'all', '--no-run'];
    const { stdout } = await folder.planvm(asked);
    expect(calls()).toEqual([]);
    const shown = await folder.planvm(['show', stdout.trim()]);
    expect(shown.stdout).toContain(`forked from ${run}`);
    expect(shown.stdout).toMatch(/find {2}0#1 {2}\d+ms {2}before the fork\n/);
    const resumed = await folder.planvm(['resume', stdout.trim()]);
    expect(resumed.stdout).toBe('stored Paris: 12, rivers: 12\n');
    expect(calls()).toEqual(['find rivers']);
    for (const each of [run, stdout.trim()]) {
      expect(await folder.planvm(['replay', each])).toMatchObject({ code: 0 });
    }
  });
});
