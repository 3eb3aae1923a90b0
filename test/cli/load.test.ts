/** Programs of several files through the command line: what was loaded once stays the program. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';

const files = {
  'bill.star': 'load("rules/prices.star", "total")\n\nanswer(total(["tea", "bread"]))\n',
  'rules/prices.star':
    'load("rules/data.star", "prices")\n\ndef total(items):\n    return sum([prices[i] for i in items])\n',
  'rules/data.star': 'prices = {"tea": 4, "bread": 3}\n',
};

test('a file loads files beside it and below', async () => {
  using folder = new Folder(files);
  expect(await folder.planvm(['check', 'bill.star'])).toMatchObject({ code: 0 });
  expect(await folder.planvm(['run', 'bill.star'])).toMatchObject({ code: 0, stdout: '7\n' });
});

test('a run goes on with the files as they were', async () => {
  using folder = new Folder(files);
  const first = await folder.planvm(['run', 'bill.star', '--instructions', '5']);
  expect(first.code).toBe(5);
  folder.write('rules/data.star', 'prices = {}\n');
  const second = await folder.planvm(['resume', 'last', '--instructions', '10000']);
  expect(second).toMatchObject({ code: 0, stdout: '7\n' });
});

test('what cannot be loaded is said where it is asked for', async () => {
  using folder = new Folder({
    ...files,
    'rules/data.star': 'prices = {"tea": 4,\n',
    'up.star': 'load("../bill.star", "x")\n',
  });
  const broken = await folder.planvm(['run', 'bill.star']);
  expect(broken.code).toBe(3);
  expect(broken.stderr).toContain(
    'bill.star:1:6: error PV2331: cannot load rules/prices.star: rules/prices.star:1:6: ' +
      'cannot load rules/data.star: rules/data.star:2:1: got end of file',
  );
  const outside = await folder.planvm(['check', 'up.star']);
  expect(outside.code).toBe(3);
  expect(outside.stdout + outside.stderr).toContain('there is no such file beside the program');
});

test('a link that leads out of the folder is no file beside the program', async () => {
  using folder = new Folder({ 'in/up.star': 'load("out.star", "x")\n', 'out.star': 'x = 1\n' });
  symlinkSync('../out.star', join(folder.path, 'in/out.star'));
  const { code, stdout } = await folder.planvm(['check', 'in/up.star']);
  expect(code).toBe(3);
  expect(stdout).toContain('in/up.star:1:6: error PV2331: cannot load out.star');
});

test('an error inside shows the way through the files', async () => {
  using folder = new Folder({ ...files, 'rules/data.star': 'prices = {"tea": 4}\n' });
  const { code, stderr } = await folder.planvm(['run', 'bill.star']);
  expect(code).toBe(1);
  expect(stderr).toContain('bill.star:3:13: error PV3005: key "bread" not in dict');
  expect(stderr).toContain('    rules/prices.star:4:23: in total');
});
