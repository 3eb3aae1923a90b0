/** What playbooks say is on stdout while a model still writes it, and is kept once it is whole. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { root } from '../../support/repo.ts';
import { ops } from './ops.ts';

const text = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Say what there is today
- Say("Bye.")
`;

const run = ['run', 'x.playbook.md', '--model', 'openai/test'];

/** What stands on stdout as soon as this is there. */
async function shown({ process: child, ended }: ReturnType<Folder['start']>, wanted: string) {
  let text = '';
  child.stdout?.on('data', (more: Buffer | string) => {
    text += String(more);
    child.emit('shown');
  });
  while (!text.includes(wanted)) {
    const end = await Promise.race([once(child, 'shown').then(() => undefined), ended]);
    if (end) throw new Error(`ended without it: ${end.stdout}${end.stderr}`);
  }
  return text;
}

test.each([
  ['within a text', '{"say":"Bread and ', 'Bread and ', 'Bread and wine.\nBye.\n'],
  ['after one', '{"say":"Bread and wine."}\n', 'Bread and wine.\n', 'Bye.\n'],
])('killed %s, what is whole is said once, and what was not is said whole', async (_, ...of) => {
  const [begun, wanted, rest] = of;
  const whole = ops({ say: 'Bread and wine.' });
  await using models = await startModelServer(({ index, abandoned }) => {
    if (index === 0) return { text: whole, pieces: [begun, 'never'], gate: abandoned };
    return begun.endsWith('\n') ? ops({ note: 'done' }) : whole;
  });
  using folder = new Folder({ 'x.playbook.md': text });
  const call = folder.start(run, { env: models.env.openai });
  expect(await shown(call, wanted)).toBe(wanted);
  call.process.kill('SIGKILL');
  await call.ended;
  const resumed = await folder.planvm(['resume', 'last'], { env: models.env.openai });
  expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: rest });
  const { stdout } = await folder.planvm(['show', 'last']);
  expect(stdout.match(/» .*/g)).toEqual(['» Bread and wine.', '» Bye.']);
});

const asking = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $day
- Say what there is on that day
- Return $day
`;

test.each([
  ['answered', [], ['answer', 'last', 'Friday']],
  ['resumed', [['answer', 'last', 'Friday', '--no-run']], ['resume', 'last']],
  ['forked', [['answer', 'last', 'Friday']], ['fork', 'last', '--at', 'Main:02', '--force']],
])('a run that is %s says it while the model writes, too', async (_, before, last) => {
  const gate = Promise.withResolvers<void>();
  const told = '{"say":"Bread and ';
  let isLast = false;
  await using models = await startModelServer(({ prompt }) => {
    if (prompt.includes('The person wrote')) return ops({ set: { day: 'Friday' } });
    if (prompt.includes('You are at 01')) return ops({ say: 'When?' });
    const whole = `${told}wine."}`;
    return isLast ? { text: whole, pieces: [told, 'wine."}'], gate: gate.promise } : whole;
  });
  using folder = new Folder({ 'x.playbook.md': asking });
  const env = { env: models.env.openai };
  for (const args of [[...run, '--no-input'], ...before]) await folder.planvm(args, env);
  isLast = true;
  const call = folder.start(last, env);
  // The rest has not been written yet.
  expect(await shown(call, 'Bread and ')).toContain('Bread and ');
  gate.resolve();
  const done = await call.ended;
  expect(done, done.stderr).toMatchObject({ code: 0, stdout: 'Bread and wine.\nFriday\n' });
});

test('what is told of the run begins a line of its own where it comes into what is said', async () => {
  await using models = await startModelServer(() => ops({ say: 'Bread.' }));
  using folder = new Folder({ 'x.playbook.md': text });
  const both = openSync(join(folder.path, 'both.txt'), 'w');
  const child = spawn(process.execPath, [join(root, 'bin/planvm.js'), ...run], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, HOME: folder.path, ...models.env.openai },
    stdio: ['ignore', both, both],
  });
  const [code] = await once(child, 'close');
  closeSync(both);
  const lines = folder.read('both.txt').trimEnd().split('\n');
  expect(code).toBe(0);
  // How far the reply has come when the turn is told of depends on the machine.
  const told = lines.filter((line) => /Bread|Bye|turn/.test(line));
  expect(told.filter((line) => !/^✔ Main:01 turn /.test(line))).toEqual(['Bread.', 'Bye.']);
  expect(told).toHaveLength(3);
  expect(lines).not.toContain('');
});
