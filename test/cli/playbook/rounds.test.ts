/** A loop of formal lines with a call that writes: each round is shown, forked from, and killed in. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { logIn } from './logged.ts';

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
const run = ['run', 'x.playbook.md', ...more];

test('its lines are shown, stopped at and forked from where they were done', async () => {
  using folder = new Folder(files);
  const ran = await folder.planvm(run);
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
    ...[`Main:02.03${visit}`, `Main:02.04${visit}`, 'end of round'],
  ]);
  expect(shown.map(([, line, said]) => line ?? said)).toEqual([
    ...['Main:01', ...visits, 'Main:02@4', 'Main:03'],
  ]);
  const known = async (line: string) => /\$n +int +(\d)/.exec(await show('--at', line))?.[1];
  expect([await known('Main:02.03@2'), await known('Main:02.04@2')]).toEqual(['1', '2']);

  const input = 'go Main:02.04@2\np $n\ngo Main:03\np $n\n';
  const debugged = await folder.planvm(['debug', 'last'], { input });
  expect(debugged.stdout).toMatch(/step Main:02\.04@2 QUE.*\n2\n.*step Main:03 RET.*\n3\n/s);

  const base: string = JSON.parse(await show('--json')).run;
  const fork = async (line: string): Promise<string> => {
    const args = ['fork', base, '--at', line, '--set', '$n=7', '--yes', 'Ring'];
    const { code, stdout, stderr } = await folder.planvm(args);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  expect(await fork('Main:02.04@2')).toBe('end of round\n7\n');
  expect(await fork('Main:03')).toBe('7\n');
  expect(folder.read('rings')).toBe('ring ring ring ');
});

test('killed in a round, it goes on to the same log, and rings once more in that one', async () => {
  using whole = new Folder(files);
  expect(await whole.planvm(run)).toMatchObject({ code: 0 });
  const said = async (folder: Folder) =>
    (await folder.planvm(['show', 'last'])).stdout.match(/» .*/g);
  const log = [await logIn(whole), await said(whole)];
  for (const fatal of ['ring ', 'ring ring ']) {
    using folder = new Folder({ ...files, fatal });
    const killed = await folder.planvm(run);
    expect(killed.signal).toBe('SIGKILL');
    const ended = await folder.planvm(['resume', 'last', ...more]);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    expect([fatal, await logIn(folder), await said(folder)]).toEqual([fatal, ...log]);
    expect(folder.read('rings')).toBe('ring ring ring ring ');
  }
});
