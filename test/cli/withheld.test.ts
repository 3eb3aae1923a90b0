/** Tools that there are, but not for a run: said when it comes by their names, also much later. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { oddServer } from '../support/mcp.ts';
import { root } from '../support/repo.ts';

const tools = `export default [
  { name: 'box.open', description: 'Opens.', effect: 'read', run: () => 'opened' },
  { name: 'box.wipe', description: 'Wipes.', effect: 'write', destructive: true,
    run: () => 'wiped' }];`;

test('a name that a program makes up while it runs is refused as not allowed', async () => {
  using folder = new Folder({
    'a.star': 'r = task("box." + "open", {})\nanswer([r.ok, r.error.message, ask("Go on?")])\n',
    'tools.mjs': tools,
    'planvm.config.json': { tools: './tools.mjs' },
  });
  const asked = await folder.planvm(['run', 'a.star', '--deny', 'box.open']);
  expect(asked.code).toBe(4);
  // The program hears the same when it is run again over its journal.
  const done = await folder.planvm(['answer', 'last', 'yes']);
  expect(JSON.parse(done.stdout)).toStrictEqual([
    false,
    'there is no tool "box.open"; box.open is not allowed here: what a run may call is said by ' +
      'allow and deny',
    'yes',
  ]);
  expect((await folder.planvm(['replay', 'last'])).code).toBe(0);
});

test('a tool that is denied when a run goes on is not called any more', async () => {
  using folder = new Folder({
    'a.star': 'answer(box.wipe())\n',
    'tools.mjs': tools,
    'planvm.config.json': { tools: './tools.mjs' },
  });
  expect((await folder.planvm(['run', 'a.star'])).code).toBe(4);
  const denied = await folder.planvm(['approve', 'last', '--deny', 'box.*']);
  expect(denied.code).not.toBe(0);
  expect(denied.stderr).toContain('PV5104: the run needs the tool box.wipe');
  expect(denied.stderr).toContain('--allow and --deny may leave it out');
  expect((await folder.planvm(['resume', 'last'])).code).toBe(4);
  expect((await folder.planvm(['approve', 'last'])).stdout).toBe('wiped\n');
});

test('a tool that has to come after one that is denied is left out with it, and named', async () => {
  const later = (name: string, after: string): string =>
    `{ name: '${name}', description: 'x', effect: 'read', after: ['${after}'], run: () => 1 }`;
  using folder = new Folder({
    'a.star': 'answer(1)\n',
    'tools.mjs': `${tools.slice(0, -2)}, ${later('close', 'box.open')}, ${later('lock', 'close')}];`,
    'planvm.config.json': { tools: './tools.mjs' },
  });
  const { code, stdout } = await folder.planvm(['run', 'a.star', '--deny', 'box.*', '--json']);
  expect(code).toBe(0);
  const message = (name: string, first: string): string =>
    `${name} is left out: it comes after ${first}, which this run may not call`;
  expect(JSON.parse(stdout).warnings).toMatchObject([
    { code: 'PV6034', message: message('close', 'box.open') },
    { code: 'PV6034', message: message('lock', 'close') },
  ]);
  folder.write('b.star', 'answer(lock())\n');
  const refused = await folder.planvm(['run', 'b.star', '--deny', 'box.*']);
  expect(refused.code).toBe(3);
  expect(refused.stdout + refused.stderr).toContain('lock is not allowed here');
});

test('a tools file that replaces a tool of another file says so', async () => {
  const one = (result: string): string =>
    `export default [{ name: 'a', description: 'x', effect: 'read', run: () => '${result}' }];`;
  using folder = new Folder({
    'a.star': 'answer(a())\n',
    'one.mjs': one('first'),
    'two.mjs': one('second'),
  });
  const files = ['--tools', 'one.mjs', '--tools', 'two.mjs'];
  const { stdout } = await folder.planvm(['run', 'a.star', ...files, '--json']);
  const { answer, warnings } = JSON.parse(stdout);
  expect(answer).toBe('second');
  expect(warnings).toMatchObject([
    { code: 'PV6035', message: 'a of two.mjs takes the place of a of one.mjs' },
  ]);
  const twice = await folder.planvm(['run', 'a.star', ...files.slice(0, 2), ...files.slice(0, 2)]);
  expect(twice.stderr).not.toContain('takes the place');
});

test('a tool of a server takes no name of the library away', async () => {
  using folder = new Folder({ 'a.star': 'answer(len("abc") + int(ask("How many more?")))\n' });
  const self = { command: process.execPath, args: [join(root, 'bin/planvm.js'), 'mcp'] };
  folder.write('.mcp.json', { mcpServers: { self: { ...self, env: { PLANVM_MCP: 'off' } } } });
  expect((await folder.planvm(['mcp', 'refresh'])).stdout).toContain('self: 7 tools');
  expect((await folder.planvm(['run', 'a.star'])).code).toBe(4);
  expect((await folder.planvm(['answer', 'last', '4'])).stdout).toBe('7\n');
  folder.write('b.star', 'answer(self.check(program = "answer(1)")["ok"])\n');
  expect((await folder.planvm(['run', 'b.star'])).stdout).toBe('true\n');
});

test('a tool that the settings of its server deny is said to be, before and while it runs', async () => {
  using folder = new Folder({
    'a.star': 'answer(odd.fine())\n',
    'b.star': 'answer(task("odd." + "fine", {}).error.message)\n',
    'planvm.config.json': { mcp: { odd: { deny: ['fi*'] } } },
  });
  folder.write('.mcp.json', {
    mcpServers: { odd: { command: process.execPath, args: [oddServer] } },
  });
  await folder.planvm(['mcp', 'refresh']);
  const why = 'odd.fine is not allowed here';
  expect((await folder.planvm(['check', 'a.star'])).stdout).toContain(why);
  expect((await folder.planvm(['run', 'a.star'])).stderr).toContain(why);
  expect((await folder.planvm(['run', 'b.star'])).stdout).toContain(why);
});
