/** `planvm replay`: runs against their own journals, and changed programs against old runs. */
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
  ];`;

const plan = [calling(0, 'find', { key: 'tides' }, 'found'), answering(1, ref('found'))];

async function ran(): Promise<Folder> {
  const folder = new Folder({ 'plan.json': plan, 'tools.mjs': tools });
  const { code } = await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs']);
  expect(code).toBe(0);
  return folder;
}

describe('a run', () => {
  test('is what its journal says, with nothing performed', async () => {
    using folder = await ran();
    const calls = folder.read('calls.log');
    const { code, stdout } = await folder.planvm(['replay', 'last']);
    expect(stdout).toMatch(/^✔ r\w+ {2}plan\.json {2}the same: 1 effect, 1 message\n$/);
    expect({ code, calls: folder.read('calls.log') }).toEqual({ code: 0, calls });
  });

  test('needs neither its tools nor the configuration', async () => {
    using folder = await ran();
    folder.write('tools.mjs', 'throw new Error("not to be loaded")');
    folder.write('planvm.config.ts', "import 'node:fs'; throw new Error('not to be run');");
    const { code } = await folder.planvm(['replay', '--all', '--json']);
    expect(code).toBe(0);
  });

  test('with a changed program: where it would go another way', async () => {
    using folder = await ran();
    const changed = [calling(0, 'find', { key: 'times' }, 'found'), answering(1, ref('found'))];
    folder.write('new.json', changed);
    const { code, stdout, stderr } = await folder.planvm([
      'replay',
      'last',
      '--program',
      'new.json',
    ]);
    expect(stdout).toContain('differs after 0 effects, 0 messages\n');
    expect(stdout).toContain('request 0#1 at step 0\n    journal find {"key":"tides"}\n');
    expect(stdout).toContain('    replay  find {"key":"times"}\n');
    expect(stderr).toMatch(/planvm show r\w+ --verbose/);
    expect(code).toBe(6);
  });

  test('with a program that says the same in another way', async () => {
    using folder = await ran();
    folder.write('new.star', 'answer(find(key = "ti" + "des"))');
    const args = ['replay', 'last', '--program', 'new.star', '--json'];
    const { code, stdout } = await folder.planvm(args);
    const { runs } = JSON.parse(stdout);
    // The variables of the old run are missing; requests and answers are the same.
    expect(runs[0].differences.map(({ what }: { what: string }) => what)).toEqual(
      expect.not.arrayContaining(['request', 'message', 'answer']),
    );
    expect({ code, same: runs[0].sameProgram }).toEqual({ code: 6, same: false });
  });
});

describe('replay', () => {
  test('wants a run or --all', async () => {
    using folder = await ran();
    for (const args of [['replay'], ['replay', 'last', '--all']]) {
      const { code, stderr } = await folder.planvm(args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('PV6001') });
    }
  });

  test('says that there is no run where there is no journal', async () => {
    using folder = new Folder();
    const { code, stderr } = await folder.planvm(['replay', 'last']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('PV6012') });
    expect(existsSync(join(folder.path, '.planvm'))).toBe(false);
  });
});
