/** `planvm replay`: runs against their own journals. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
    const { code } = await folder.planvm(['replay', 'last', '--json']);
    expect(code).toBe(0);
  });

  test('differs where its journal was changed, and says where', async () => {
    using folder = await ran();
    using database = new DatabaseSync(join(folder.path, '.planvm/runs.db'));
    const changed = "update events set body = replace(body, 'tides: 12', 'tides: 13') where body";
    database.exec(`${changed} like '%message.emitted%'`);
    const { code, stdout, stderr } = await folder.planvm(['replay', 'last']);
    expect(stdout).toContain('differs after 1 effect, 0 messages\n');
    expect(stdout).toContain('message 1 at step 1\n    journal answer "tides: 13"\n');
    expect(stderr).toMatch(/planvm show r\w+ --verbose/);
    expect(code).toBe(6);
  });
});

describe('replay', () => {
  test('says that there is no run where there is no journal', async () => {
    using folder = new Folder();
    const { code, stderr } = await folder.planvm(['replay', 'last']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('PV6012') });
    expect(existsSync(join(folder.path, '.planvm'))).toBe(false);
  });
});
