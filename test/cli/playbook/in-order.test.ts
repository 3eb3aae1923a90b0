/**
 * A loop that one reply does as a whole, with a call in it that writes: each line of each round is
 * shown, stopped at and forked from, and whoever goes on behind a death has the same log.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { logIn } from './logged.ts';
import { noteTool } from './note-tool.ts';
import { ops } from './ops.ts';

const program = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $n = 0
- While $n < 3
  - Say("round")
  - $d = Ring()
  - $n = $n + 1
  - Say("end of round")
- Return $n
`;

const at = (step: string) => ({ step });

const reply = ops(
  ...[at('01'), { set: { $n: 0 } }],
  ...[1, 2, 3].flatMap((n) => [
    ...[at('02'), at('02.01'), { say: 'round' }, at('02.02'), { call: 'Ring', into: '$d' }],
    ...[at('02.03'), { set: { $n: n } }, at('02.04'), { say: 'end of round' }, at('02.05')],
  ]),
  ...[at('02'), at('03'), { return: '$n' }],
);

/** It may ring once more where nobody knows whether it has; its process dies where that is wanted. */
const tools = `
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
const parameters = { type: 'object', properties: {} };
const run = () => {
  appendFileSync('rings', 'ring ');
  if (existsSync('fatal') && readFileSync('fatal', 'utf8') === readFileSync('rings', 'utf8')) {
    rmSync('fatal');
    process.kill(process.pid, 'SIGKILL');
  }
  return 'rung';
};
const ring = { name: 'Ring', description: 'Rings.', effect: 'write', idempotent: true };
export default [{ ...ring, parameters, run }];
`;

const files = { 'x.playbook.md': program, 'tools.ts': tools };
const more = ['--tools', './tools.ts', '--yes', 'Ring'];
const run = ['run', 'x.playbook.md', '--model', 'openai/test', ...more];
const rings = ({ path }: Folder): string => readFileSync(join(path, 'rings'), 'utf8');

test('its lines are shown, stopped at and forked from where they were done', async () => {
  await using models = await startModelServer(() => reply);
  const env = models.env.openai;
  using folder = new Folder(files);
  const ran = await folder.planvm(run, { env });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(ran.stdout).toBe(`${'round\nend of round\n'.repeat(3)}3\n`);

  const show = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await folder.planvm(['show', 'last', ...args]);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const shown = [...(await show()).matchAll(/(Main:[\d.@]+) [A-Z]{3}|» (.*)/g)];
  const visits = ['', '@2', '@3'].flatMap((visit) => [
    ...[`Main:02${visit}`, `Main:02.01${visit}`, 'round', `Main:02.02${visit}`],
    ...[`Main:02.03${visit}`, `Main:02.04${visit}`, 'end of round', `Main:02.05${visit}`],
  ]);
  expect(shown.map(([, line, said]) => line ?? said)).toEqual([
    ...['Main:01', ...visits, 'Main:02@4', 'Main:03'],
  ]);
  const known = async (line: string) => /\$n +int +(\d)/.exec(await show('--at', line))?.[1];
  expect([
    await known('Main:02.03@2'),
    await known('Main:02.04@2'),
    await known('Main:03'),
  ]).toEqual(['1', '2', '3']);

  const input = 'go Main:02.04@2\np $n\ngo Main:03\np $n\n';
  const debugged = await folder.planvm(['debug', 'last'], { input });
  expect(debugged.stdout).toMatch(/step Main:02\.04@2 QUE.*\n2\n.*step Main:03 RET.*\n3\n/s);

  const base: string = JSON.parse(await show('--json')).run;
  const fork = async (line: string): Promise<string> => {
    const args = ['fork', base, '--at', line, '--set', '$n=7', '--yes', 'Ring'];
    const { code, stdout, stderr } = await folder.planvm(args, { env });
    expect(code, stderr).toBe(0);
    return stdout;
  };
  // The reply goes on as it was written: the last round sets it to 3.
  expect(await fork('Main:02.04@2')).toBe('end of round\nround\nend of round\n3\n');
  expect(await fork('Main:03')).toBe('7\n');
  expect(rings(folder)).toBe('ring ring ring ');
});

test('killed in each round, it goes on to the same log, and rings once more in that one', async () => {
  await using models = await startModelServer(() => reply);
  const env = models.env.openai;
  using whole = new Folder(files);
  expect(await whole.planvm(run, { env })).toMatchObject({ code: 0 });
  const said = async (folder: Folder) =>
    (await folder.planvm(['show', 'last'])).stdout.match(/» .*/g);
  const log = [await logIn(whole), await said(whole)];
  for (const fatal of ['ring ', 'ring ring ', 'ring ring ring ']) {
    using folder = new Folder({ ...files, fatal });
    const killed = await folder.planvm(run, { env });
    expect(killed.signal).toBe('SIGKILL');
    const ended = await folder.planvm(['resume', 'last', ...more], { env });
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    expect([fatal, await logIn(folder), await said(folder)]).toEqual([fatal, ...log]);
    expect(rings(folder)).toBe('ring ring ring ring ');
  }
});

const ahead = `# Desk

\`\`\`tools
def Log(x):
    Say(x)
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- n = 2
- Log("begun")
- m = n
- $slip = note(m)
- Say("over")
- Return $slip
`;

test('what was asked for ahead is asked anew where a fork sets what it takes', async () => {
  const told = ops(
    ...[at('01'), { set: { n: 2 } }, at('02'), { call: 'Log', args: { x: 'begun' } }],
    ...[at('03'), { set: { m: '$n' } }, at('04')],
    ...[{ call: 'note', args: { n: '$m' }, into: '$slip' }, at('05'), { say: 'over' }],
    ...[at('06'), { return: '$slip' }],
  );
  await using models = await startModelServer(() => told);
  const env = models.env.openai;
  using folder = new Folder({ 'x.playbook.md': ahead, 'tools.ts': noteTool('read') });
  const args = ['run', 'x.playbook.md', '--model', 'openai/test', '--tools', './tools.ts'];
  const ran = await folder.planvm(args, { env });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'begun\nover\nnoted 2\n' });
  const fork = ['fork', 'last', '--at', 'Main:03', '--set', 'n=5'];
  const forked = await folder.planvm(fork, { env });
  expect(forked, forked.stderr).toMatchObject({ code: 0, stdout: 'over\nnoted 5\n' });
  expect(folder.read('notes')).toBe('2 5 ');
});
