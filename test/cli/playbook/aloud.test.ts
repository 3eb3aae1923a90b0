/** What playbooks say is on stdout while a model still writes it, and is kept once it is whole. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { root } from '../../support/repo.ts';
import { noteTool } from './note-tool.ts';

const text = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- If $x is not set
  - Say what there is today
- Say("Bye.")
`;

test.each([
  [
    'an operation',
    '{"step":"01"}\n{"step":"01.01"}\n{"say":"Bread and ',
    'wine."}\n{"step":"02"}\n{"say":"Bye."}\n{"return":null}',
  ],
  [
    'a trace',
    '{"trace":[{"Main:01:CND":[]},{"Main:01.01:QUE":[{"call":{"fn":"Say","args":["user","Bread and ',
    'wine."]}}]},{"Main:02:QUE":[{"call":{"fn":"Say","args":["Bye."]}},{"return":null}]}]}',
  ],
  [
    'a log',
    '`Step["Main:01:CND"]`\n`Step["Main:01.01:QUE"]` `Say("user", "Bread and ',
    'wine.")`\n`Step["Main:02:QUE"]` `Say("user", "Bye.")`\n`Return[]`\n',
  ],
])('a Say within a block is read token by token, once: %s', async (_, ...pieces) => {
  const gate = Promise.withResolvers<void>();
  await using models = await startModelServer(() => {
    return { text: pieces.join(''), pieces, gate: gate.promise };
  });
  using folder = new Folder({ 'x.playbook.md': text });
  const args = ['run', 'x.playbook.md', '--model', 'openai/test'];
  const call = folder.start(args, { env: models.env.openai });
  // The rest has not been written yet.
  expect(await shown(call, 'Bread and ')).toBe('Bread and ');
  gate.resolve();
  const done = await call.ended;
  expect(done).toMatchObject({ code: 0, stdout: 'Bread and wine.\nBye.\n' });
  const show = await folder.planvm(['show', 'last', '--json']);
  expect(JSON.parse(show.stdout).status).toBe('done');
});

const looked = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- $slip = note(1)
- Say what there is today
- Return $slip
`;

test('so is one behind a call that only reads, once that has come', async () => {
  const gate = Promise.withResolvers<void>();
  const pieces = [
    '{"step":"01"}\n{"call":"note","args":{"n":1},"into":"$slip"}\n{"step":"02"}\n{"say":"Bread and ',
    'wine."}\n{"step":"03"}\n{"return":"$slip"}',
  ];
  await using models = await startModelServer(() => {
    return { text: pieces.join(''), pieces, gate: gate.promise };
  });
  using folder = new Folder({ 'x.playbook.md': looked, 'tools.ts': noteTool('read') });
  const args = ['run', 'x.playbook.md', '--tools', './tools.ts'];
  const call = folder.start([...args, '--model', 'openai/test'], { env: models.env.openai });
  expect(await shown(call, 'Bread and ')).toBe('Bread and ');
  expect(folder.read('notes')).toBe('1 ');
  gate.resolve();
  const done = await call.ended;
  expect(done, done.stderr).toMatchObject({ code: 0, stdout: 'Bread and wine.\nnoted 1\n' });
});

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
  ['behind one', '{"say":"Bread and wine."}\n', 'Bread and wine.\n', 'Bye.\n'],
])('killed %s, what is whole is said once, and what was not is said whole', async (_, ...of) => {
  const [said, wanted, rest] = of;
  const begun = `{"step":"01"}\n{"step":"01.01"}\n${said}`;
  const bye = '{"step":"02"}\n{"say":"Bye."}\n{"return":null}';
  const whole = `{"step":"01"}\n{"step":"01.01"}\n{"say":"Bread and wine."}\n${bye}`;
  await using models = await startModelServer(({ index, abandoned }) => {
    const behind = said.endsWith('\n') ? bye : whole;
    return index > 0 ? behind : { text: whole, pieces: [begun, 'never'], gate: abandoned };
  });
  using folder = new Folder({ 'x.playbook.md': text });
  const args = ['run', 'x.playbook.md', '--model', 'openai/test'];
  const call = folder.start(args, { env: models.env.openai });
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
  ['forked', [['answer', 'last', 'Friday']], ['fork', 'last', '--at', 'Main:03', '--force']],
])('a run that is %s says it while the model writes, too', async (_, before, last) => {
  const gate = Promise.withResolvers<void>();
  const told = '{"set":{"$day":"Friday"}}\n{"step":"03"}\n{"say":"Bread and ';
  const rest = 'wine."}\n{"step":"04"}\n{"return":"$day"}';
  let isLast = false;
  await using models = await startModelServer(({ index }) => {
    if (index === 0) return '{"step":"01"}\n{"say":"When?"}\n{"yield":"user"}';
    return isLast ? { text: told + rest, pieces: [told, rest], gate: gate.promise } : told + rest;
  });
  using folder = new Folder({ 'x.playbook.md': asking });
  const env = { env: models.env.openai };
  const args = ['run', 'x.playbook.md', '--no-input', '--model', 'openai/test'];
  for (const one of [args, ...before]) await folder.planvm(one, env);
  isLast = true;
  const call = folder.start(last, env);
  // The rest has not been written yet.
  expect(await shown(call, 'Bread and ')).toContain('Bread and ');
  gate.resolve();
  const done = await call.ended;
  expect(done, done.stderr).toMatchObject({ code: 0, stdout: 'Bread and wine.\nFriday\n' });
});

test('what is told of the run begins a line of its own where it comes into what is said', async () => {
  const reply =
    '{"step":"01"}\n{"step":"01.01"}\n{"say":"Bread."}\n{"step":"02"}\n{"say":"Bye."}\n';
  await using models = await startModelServer(() => ({ text: `${reply}{"return":null}` }));
  using folder = new Folder({ 'x.playbook.md': text });
  const args = ['run', 'x.playbook.md', '--model', 'openai/test'];
  const both = openSync(join(folder.path, 'both.txt'), 'w');
  const child = spawn(process.execPath, [join(root, 'bin/planvm.js'), ...args], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, HOME: folder.path, ...models.env.openai },
    stdio: ['ignore', both, both],
  });
  const [code] = await once(child, 'close');
  closeSync(both);
  const lines = folder.read('both.txt').trimEnd().split('\n');
  expect(code).toBe(0);
  // How far the reply has come when the turn is told of depends on the machine.
  const found = lines.filter((line) => /Bread|Bye|turn/.test(line));
  expect(found.filter((line) => !/^✔ Main:01 turn /.test(line))).toEqual(['Bread.', 'Bye.']);
  expect(found).toHaveLength(3);
  expect(lines).not.toContain('');
});
