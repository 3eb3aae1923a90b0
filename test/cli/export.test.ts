/** A run as a file: export and import. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';

const tools = `export default [{ name: 'double', description: 'Doubles n.', effect: 'read',
  parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  run: ({ n }) => n * 2 }];`;

/** A folder with a run, and the run's id. */
async function withRun(): Promise<[Folder, string]> {
  const plan = [calling(0, 'double', { n: 4 }, 'eight'), answering(1, ref('eight'))];
  const folder = new Folder({ 'plan.json': plan, 'tools.mjs': tools });
  const args = ['run', 'plan.json', '--tools', 'tools.mjs', '--json'];
  return [folder, JSON.parse((await folder.planvm(args)).stdout).run];
}

const shown = async (folder: Folder, run: string): Promise<unknown> =>
  JSON.parse((await folder.planvm(['show', run, '--json'])).stdout);

test('a run goes from one folder to another', async () => {
  const [folder, run] = await withRun();
  using from = folder;
  using to = new Folder();
  const exported = await from.planvm(['export', 'last']);
  expect(exported).toMatchObject({ code: 0, stdout: `${run}.json\n` });
  expect(exported.stderr).toContain(`planvm import ${run}.json`);
  expect(statSync(join(from.path, `${run}.json`)).mode & 0o777).toBe(0o600);
  to.write('run.json', from.read(`${run}.json`));
  const imported = await to.planvm(['import', 'run.json']);
  expect(imported).toMatchObject({ code: 0, stdout: `${run}\n` });
  expect(imported.stderr).toContain(`planvm show ${run}`);
  expect(await shown(to, run)).toEqual(await shown(from, run));
});

test('a page is looked at and imported', async () => {
  const [folder, run] = await withRun();
  using from = folder;
  using to = new Folder();
  await from.planvm(['export', 'last', '-o', 'run.html']);
  const page = from.read('run.html');
  expect(page).toMatch(/^<!doctype html>[\s\S]*<h1>plan\.json<\/h1>/);
  to.write('run.html', page);
  const { stdout } = await to.planvm(['import', 'run.html', '--json']);
  expect(JSON.parse(stdout)).toEqual({ imported: [run] });
  expect(await shown(to, run)).toEqual(await shown(from, run));
});

test('through a pipe, under another id', async () => {
  const [folder, run] = await withRun();
  using _ = folder;
  const { stdout } = await folder.planvm(['export', run, '-o', '-']);
  const again = await folder.planvm(['import', '-'], { input: stdout });
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toMatch(/error PV5004: the journal already has a run .*another id/);
  const copied = await folder.planvm(['import', '-', '--as', 'copy'], { input: stdout });
  expect(copied).toMatchObject({ code: 0, stdout: 'copy\n' });
  expect(await shown(folder, 'copy')).toEqual({
    ...((await shown(folder, run)) as object),
    run: 'copy',
  });
});

test('what is no export is refused before there is a journal', async () => {
  using folder = new Folder({ 'run.json': '{"format":"planvm-run",}', 'plan.json': [] });
  for (const [file, message] of [
    ['run.json', /PV5020: run\.json is not an export of a run: .*position 23/],
    ['plan.json', /PV5020: .*got \[\], want an object/],
    ['none.json', /PV6006: cannot read none\.json/],
  ] as const) {
    const { code, stderr } = await folder.planvm(['import', file]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  }
  const { stderr } = await folder.planvm(['import', 'run.json', '--as', 'last']);
  expect(stderr).toContain('PV6002: --as: got last, want');
  expect(existsSync(join(folder.path, '.planvm'))).toBe(false);
});
