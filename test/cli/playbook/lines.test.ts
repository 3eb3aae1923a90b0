/** `planvm compile --ask`: what the compiler leaves open is asked about once, and kept. */
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const text = [
  '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps',
  '- Something nice for the visitor',
  '- End program\n',
].join('\n');

const compile = ['compile', 'hello.playbook.md', '--ask', '--model', 'openai/test'];

test('a line is settled by the model, and nobody is asked again', async () => {
  const reply = '{"Desk.Main:01": ["QUE Say(user, a compliment)"]}';
  await using server = await startModelServer(inOrder(reply));
  using folder = new Folder({ 'hello.playbook.md': text });
  const { env } = { env: server.env.openai };
  const first = await folder.planvm(compile, { env });
  expect(first).toMatchObject({ code: 0 });
  expect(first.stdout).toContain('- 01:QUE Say(user, a compliment)');
  const second = await folder.planvm(compile, { env });
  expect(second).toMatchObject({ code: 0, stdout: first.stdout });
  expect(server.requests).toHaveLength(1);
  const { stdout } = await folder.planvm(['show', 'last', '--json']);
  expect(JSON.parse(stdout).effects.map(({ name }: { name: string }) => name)).toEqual([
    ...['open_lines', 'model', 'settle_lines'],
  ]);
});

test('what does not hold is asked about once more; then it stays open, and says so', async () => {
  const wrong = '{"Desk.Main:01": ["QUE Flatter()"]}';
  await using server = await startModelServer(inOrder(wrong, wrong));
  using folder = new Folder({ 'hello.playbook.md': text });
  const done = await folder.planvm(compile, { env: server.env.openai });
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toContain('- 01:EXE? Something nice for the visitor');
  expect(done.stderr).toContain('still open: Desk.Main:01: got a call of Flatter');
  expect(server.requests).toHaveLength(2);
});

test('what stays open is not asked about again, unless it has changed or somebody says so', async () => {
  const wrong = '{"Desk.Main:01": ["QUE Flatter()"]}';
  const right = '{"Desk.Main:01": ["QUE Say(user, a compliment)"]}';
  await using server = await startModelServer(inOrder(wrong, wrong, wrong, wrong, right));
  using folder = new Folder({ 'hello.playbook.md': text });
  const { env } = { env: server.env.openai };
  const first = await folder.planvm(compile, { env });
  const second = await folder.planvm(compile, { env });
  expect(second).toMatchObject({ code: 0, stdout: first.stdout });
  expect(second.stderr).toContain('hello.playbook.md:7:3 has stayed open: Something nice');
  expect(second.stderr).toContain('--settle-again');
  expect(server.requests).toHaveLength(2);
  folder.write('hello.playbook.md', text.replace('nice', 'kind'));
  expect(await folder.planvm(compile, { env })).toMatchObject({ code: 0 });
  expect(server.requests).toHaveLength(4);
  folder.write('hello.playbook.md', text);
  const again = await folder.planvm([...compile, '--settle-again'], { env });
  expect(again.stdout).toContain('- 01:QUE Say(user, a compliment)');
  const kept = await folder.planvm(compile, { env });
  expect(kept).toMatchObject({ stdout: again.stdout });
  expect(kept.stderr).not.toContain('stayed open');
  expect(server.requests).toHaveLength(5);
});

test('another model is asked about what one could not settle', async () => {
  const wrong = '{"Desk.Main:01": ["QUE Flatter()"]}';
  const right = '{"Desk.Main:01": ["QUE Say(user, a compliment)"]}';
  await using server = await startModelServer(inOrder(wrong, wrong, right));
  using folder = new Folder({ 'hello.playbook.md': text });
  const { env } = { env: server.env.openai };
  await folder.planvm(compile, { env });
  const other = compile.map((word) => word.replace('openai/test', 'openai/other'));
  const done = await folder.planvm(other, { env });
  expect(done.stdout).toContain('- 01:QUE Say(user, a compliment)');
  expect(server.requests).toHaveLength(3);
});

test('what was said is kept, not what became of it: the rest of the file may change', async () => {
  const reply = '{"Desk.Main:01": ["QUE Say(user, a compliment)"]}';
  await using server = await startModelServer(inOrder(reply, reply));
  using folder = new Folder({ 'hello.playbook.md': text });
  const { env } = { env: server.env.openai };
  await folder.planvm(compile, { env });
  const more = '\n## Bye\n### Triggers\n- Before the program ends\n### Steps\n- Say("Bye")\n';
  folder.write('hello.playbook.md', `${text}${more}`);
  await folder.planvm(compile, { env });
  folder.write('hello.playbook.md', `${text}${more.replace('"Bye"', '"See you"')}`);
  const { stdout } = await folder.planvm(compile, { env });
  expect(stdout).toContain('- 01:QUE Say(user, a compliment)');
  expect(stdout).toContain('- 01:QUE Say(user, "See you")');
  // The second playbook, a name that the line might mean, was a new question.
  expect(server.requests).toHaveLength(2);
});

test('what was not kept whole is asked about again', async () => {
  const reply = '{"Desk.Main:01": ["QUE Say(user, a compliment)"]}';
  await using server = await startModelServer(inOrder(reply, reply));
  using folder = new Folder({ 'hello.playbook.md': text });
  const { env } = { env: server.env.openai };
  const first = await folder.planvm(compile, { env });
  const lines = join(folder.path, '.planvm/lines');
  for (const name of readdirSync(lines)) truncateSync(join(lines, name), 30);
  expect(await folder.planvm(compile, { env })).toMatchObject({ stdout: first.stdout });
  expect(server.requests).toHaveLength(2);
});

test('what cannot be kept is used all the same', async () => {
  await using server = await startModelServer(
    inOrder('{"Desk.Main:01": ["QUE Say(user, a compliment)"]}'),
  );
  using folder = new Folder({ 'hello.playbook.md': text, '.planvm/lines': 'no folder' });
  const done = await folder.planvm(compile, { env: server.env.openai });
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toContain('- 01:QUE Say(user, a compliment)');
});

test('without --ask nobody is asked', async () => {
  using folder = new Folder({ 'hello.playbook.md': text });
  const done = await folder.planvm(['compile', 'hello.playbook.md']);
  expect(done.stdout).toContain('- 01:EXE? Something nice for the visitor');
});

const run = ['run', 'hello.playbook.md', '--model', 'openai/test'];
const played = '{"step":"01"}\n{"say":"You look fine."}\n{"yield":"exit"}';

test('a run asks before it starts, says what it asked, and another run does not ask again', async () => {
  const reply = '{"Desk.Main:01": ["QUE Say(user, a compliment)"]}';
  await using server = await startModelServer(inOrder(reply, played, played));
  using folder = new Folder({ 'hello.playbook.md': text });
  const { env } = { env: server.env.openai };
  const first = await folder.planvm(run, { env });
  expect(first).toMatchObject({ code: 0, stdout: 'You look fine.\n' });
  expect(first.stderr).toContain('hello.playbook.md:7:3 is open: Something nice for the visitor');
  expect(first.stderr).toContain('asking about 1 open line');
  expect(JSON.stringify(server.requests[1])).toContain('01:QUE Say(user, a compliment)');
  const second = await folder.planvm(run, { env });
  expect(second).toMatchObject({ code: 0, stdout: first.stdout });
  expect(second.stderr).not.toContain('is open');
  expect(server.requests).toHaveLength(3);
});

test('an input that nothing takes is refused before a model is asked about open lines', async () => {
  await using server = await startModelServer(inOrder(played));
  using folder = new Folder({ 'hello.playbook.md': text });
  const done = await folder.planvm([...run, '--input', 'typo=1'], { env: server.env.openai });
  expect(done).toMatchObject({ code: 2, stderr: expect.stringContaining('PV6007') });
  expect(done.stderr).toContain('## Main(typo)');
  expect(server.requests).toHaveLength(0);
});

test('with --no-settle, and of compiled playbooks, nobody is asked beforehand', async () => {
  await using server = await startModelServer(inOrder(played, played));
  using folder = new Folder({ 'hello.playbook.md': text });
  const { env } = { env: server.env.openai };
  expect(await folder.planvm([...run, '--no-settle'], { env })).toMatchObject({ code: 0 });
  const { stdout } = await folder.planvm(['compile', 'hello.playbook.md']);
  folder.write('hello.pbasm', stdout);
  const compiled = run.map((word) => word.replace('playbook.md', 'pbasm'));
  expect(await folder.planvm(compiled, { env })).toMatchObject({ code: 0 });
  expect(server.requests).toHaveLength(2);
});

test('killed while lines are asked about, a run goes on to play them with what it was given', async () => {
  const words =
    '# Desk\n## Main(who)\n### Triggers\n- At the beginning\n### Steps\n- Praise {who}\n';
  let die: (() => void) | undefined;
  await using server = await startModelServer(({ prompt }) => {
    if (die && /Praise/.test(prompt)) {
      die();
      die = undefined;
      return { hang: true };
    }
    if (/Open lines:/.test(prompt)) {
      return '{"Desk.Main:01": ["QUE Say(user, a compliment for who)"]}';
    }
    return ops({ step: '01' }, { say: 'Well done, {who}!' }, { return: '$who' });
  });
  using folder = new Folder({ 'hello.playbook.md': words });
  const env = server.env.openai;
  const run = ['run', 'hello.playbook.md', '--model', 'openai/test', '--input', 'who=Ann'];
  const call = folder.start([...run, '--inline', '3'], { env });
  die = () => call.process.kill('SIGKILL');
  expect(await call.ended).toMatchObject({ signal: 'SIGKILL' });
  const resumed = await folder.planvm(['resume', 'last'], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: 'Well done, Ann!\nAnn\n' });
  expect(server.requests).toHaveLength(3);
  const again = await folder.planvm(run, { env });
  expect(again).toMatchObject({ code: 0, stdout: 'Well done, Ann!\nAnn\n' });
  expect(server.requests).toHaveLength(4);
});

/** Ends the process as soon as the end of a run is in the journal. */
const dieBehind = `
import { StatementSync } from 'node:sqlite';
const { run } = StatementSync.prototype;
let isOver = false;
StatementSync.prototype.run = function (...given) {
  const done = run.apply(this, given);
  isOver ||= given.some((one) => String(one).includes('"run.finished"'));
  if (isOver && /^commit/i.test(this.sourceSQL)) process.kill(process.pid, 'SIGKILL');
  return done;
};
`;

test('killed when all is asked and nothing played, a run goes on to play it, once', async () => {
  const reply = '{"Desk.Main:01": ["QUE Say(user, a compliment)"]}';
  await using server = await startModelServer(inOrder(reply, played));
  using folder = new Folder({ 'hello.playbook.md': text, 'die.mjs': dieBehind });
  const env = server.env.openai;
  const dying = { ...env, NODE_OPTIONS: `--import ${join(folder.path, 'die.mjs')}` };
  expect(await folder.planvm(run, { env: dying })).toMatchObject({ signal: 'SIGKILL' });
  const { stdout: found } = await folder.planvm(['runs', '--json']);
  const [asking] = JSON.parse(found);
  expect(asking).toMatchObject({ title: 'lines: hello.playbook.md', status: 'done' });
  const resumed = await folder.planvm(['resume', asking.run], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: 'You look fine.\n' });
  // What has been played is not played again for the run that asked.
  const again = await folder.planvm(['resume', asking.run], { env });
  expect(again).toMatchObject({ code: 0, stdout: '' });
  expect(server.requests).toHaveLength(2);
});

test('where the model that says what lines mean is gone, resumed lines are done as written', async () => {
  let isGone = false;
  let die: (() => void) | undefined;
  await using server = await startModelServer(({ prompt }) => {
    if (!/Open lines:/.test(prompt)) return played;
    die?.();
    return isGone ? { status: 401, message: 'no such key' } : { hang: true };
  });
  using folder = new Folder({ 'hello.playbook.md': text });
  const env = server.env.openai;
  const call = folder.start(run, { env });
  die = () => call.process.kill('SIGKILL');
  expect(await call.ended).toMatchObject({ signal: 'SIGKILL' });
  isGone = true;
  die = undefined;
  const resumed = await folder.planvm(['resume', 'last'], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: 'You look fine.\n' });
  expect(resumed.stderr).toContain('open lines are done as they are written: PV4');
});
