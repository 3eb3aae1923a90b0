/** `planvm compile --ask`: a model proposes steps, and the file beside the playbook is used. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';

const text = `# Desk

\`\`\`tools
def free(day):
    return ["tandem"]
\`\`\`

## Main($day="Sunday")
### Triggers
- At the beginning
### Steps
- Look up the $bikes that are free on $day
- Return $bikes
`;

const good = '## Desk.Main\n01 QUE $bikes = free($day)\n02 RET $bikes';
const wrong = good.replace('free', 'lookUp');
const file = 'trip.playbook.md';
const compile = ['compile', file, '--ask', '--model', 'openai/test'];

test('what a model proposes is written beside the playbook, and run in its place', async () => {
  await using server = await startModelServer(inOrder(good));
  using folder = new Folder({ [file]: text });
  const { env } = { env: server.env.openai };
  const made = await folder.planvm(compile, { env });
  expect(made).toMatchObject({ code: 0, stdout: folder.read('trip.pbasm') });
  expect(made.stderr).toContain('wrote trip.pbasm: 2 formal lines, 0 open lines');
  expect(made.stdout).toContain('- 01:QUE $bikes = free($day)');
  expect(server.requests).toHaveLength(1);
  const { stdout } = await folder.planvm(['show', 'last', '--json']);
  expect(JSON.parse(stdout).effects.map(({ name }: { name: string }) => name)).toEqual([
    ...['propose_steps', 'model', 'verify_steps'],
  ]);
  const checked = await folder.planvm(['check', file]);
  expect(checked.stdout).toContain(
    'trip.pbasm: a valid program (playbook), 2 formal lines, 0 open',
  );
  expect(await folder.planvm(['run', file])).toMatchObject({
    code: 0,
    stdout: '[\n  "tandem"\n]\n',
  });
  const shown = await folder.planvm(['compile', file, '--diff']);
  const [title, first, second] = shown.stdout.split('\n');
  expect(title).toBe('Desk.Main');
  expect(first).toMatch(
    /^ {2}12 Look up the \$bikes that are free on \$day +01:QUE {2}\$bikes = free/,
  );
  expect(second).toMatch(/^ {2}13 Return \$bikes +02:RET {2}Return \$bikes$/);
});

test('a file of another version of the playbook is not used, and said', async () => {
  await using server = await startModelServer(inOrder(good, good));
  using folder = new Folder({ [file]: text });
  const { env } = { env: server.env.openai };
  await folder.planvm(compile, { env });
  folder.write(file, text.replace('Look up', 'Find'));
  const checked = await folder.planvm(['check', file]);
  expect(checked.stdout).toContain(`${file}: a valid program (playbook), 1 formal line, 1 open`);
  expect(checked.stderr).toContain(`trip.pbasm is not used: it is not of ${file} as that is now`);
  expect(await folder.planvm(compile, { env })).toMatchObject({ code: 0 });
});

test('a file that a person has changed is used, and replaced only with --force', async () => {
  await using server = await startModelServer(inOrder(good));
  using folder = new Folder({ [file]: text });
  const { env } = { env: server.env.openai };
  await folder.planvm(compile, { env });
  const mine = folder.read('trip.pbasm').replace('02:RET Return $bikes', '02:RET Return 7');
  folder.write('trip.pbasm', mine);
  expect(await folder.planvm(['run', file])).toMatchObject({ stdout: '7\n' });
  const refused = await folder.planvm(compile, { env });
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('PV6014');
  expect(folder.read('trip.pbasm')).toBe(mine);
  expect(await folder.planvm([...compile, '--force'], { env })).toMatchObject({ code: 0 });
  expect(folder.read('trip.pbasm')).not.toBe(mine);
});

test('a line whose steps do not hold stays as it is written, after two rounds', async () => {
  await using server = await startModelServer(inOrder(wrong, wrong));
  using folder = new Folder({ [file]: text });
  const made = await folder.planvm(compile, { env: server.env.openai });
  expect(made.stderr).toContain('stays as it is written: Desk.Main:01: there is no playbook');
  expect(made.stdout).toContain('- 01:EXE? Look up the $bikes that are free on $day');
  expect(server.requests).toHaveLength(2);
});

test('playbooks whose lines are all formal are written without a model', async () => {
  using folder = new Folder({ [file]: text.replace('Look up the $bikes that are', '$bikes =') });
  folder.write(file, '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Return 1\n');
  const made = await folder.planvm(['compile', file, '--ask']);
  expect(made).toMatchObject({ code: 0, stdout: folder.read('trip.pbasm') });
});

test('what is not a playbook in words cannot be asked about', async () => {
  using folder = new Folder({ 'a.pbasm': '# Desk\n## Main\n### Steps\n- 01:EXE Greet\n' });
  const refused = await folder.planvm(['compile', 'a.pbasm', '--ask']);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('got a.pbasm, which is not a playbook in words');
});

test('a run that was killed prints what the model proposes when it goes on, and writes no file', async () => {
  let die: (() => void) | undefined;
  await using server = await startModelServer(() => {
    const isFirst = die !== undefined;
    die?.();
    die = undefined;
    return isFirst ? { hang: true } : good;
  });
  using folder = new Folder({ [file]: text });
  const env = server.env.openai;
  const call = folder.start(compile, { env });
  die = () => call.process.kill('SIGKILL');
  expect(await call.ended).toMatchObject({ signal: 'SIGKILL' });
  const { code, stdout } = await folder.planvm(['resume', 'last'], { env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    compiled: expect.stringContaining('- 01:QUE $bikes = free($day)'),
    problems: [],
  });
  expect(existsSync(`${folder.path}/trip.pbasm`)).toBe(false);
});
