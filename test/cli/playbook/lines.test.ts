/** `planvm compile --ask`: what the compiler leaves open is asked about once, and kept. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';

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

test('without --ask nobody is asked', async () => {
  using folder = new Folder({ 'hello.playbook.md': text });
  const done = await folder.planvm(['compile', 'hello.playbook.md']);
  expect(done.stdout).toContain('- 01:EXE? Something nice for the visitor');
});
