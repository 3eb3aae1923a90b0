/**
 * A provider that hangs within a playbook: before the first byte, and after a line of its reply. It
 * is tried again, then named; the run can be resumed, and nothing is done twice.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, type ServedReply, startModelServer } from '../../support/model-server.ts';
import { noteTool } from './note-tool.ts';
import { ops } from './ops.ts';

const program = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $a = note(1)
- Say what comes first
- Return $a
`;

const reply = ops({ at: '02' }, { say: 'One: {$a}' });

const afterALine: ServedReply = {
  text: reply,
  pieces: ['{"at":"02"}\n', ops({ say: 'One: {$a}' })],
  gate: new Promise(() => {}),
};

const run = [
  ...['run', 'x.playbook.md', '--tools', './tools.ts', '--yes', 'note'],
  ...['--model', 'openai/test'],
];
const limits = ['--timeout', '1500ms', '--attempts', '2'];

test('what a provider has a person wait for is said while they wait', async () => {
  using folder = new Folder({ 'x.playbook.md': program, 'tools.ts': noteTool('read') });
  const busy = { status: 429, headers: { 'retry-after': '60' }, message: 'too many' };
  await using server = await startModelServer(inOrder(busy));
  const call = folder.start(run, { env: server.env.openai });
  await call.said('Main:02 turn attempt 1 failed: openai/test met its rate limit (429): too many');
  await call.said('; again in 1m 00s');
  call.process.kill('SIGINT');
  expect(await call.ended).toMatchObject({ code: 130, stdout: '' });
  const { stdout } = await folder.planvm(['show', 'last']);
  expect(stdout).toContain('suspended (interrupted)');
});

test('a hanging reply is asked for again, then the provider is named; a resumed run goes on', async () => {
  using folder = new Folder({ 'x.playbook.md': program, 'tools.ts': noteTool('write') });
  await using hanging = await startModelServer(inOrder({ hang: true }));
  const stopped = await folder.planvm([...run, ...limits], { env: hanging.env.openai });
  expect(stopped).toMatchObject({ code: 1, stdout: '' });
  expect(stopped.stderr).toContain(
    'error PV4005: turn got no answer of openai/test within 1500 ms (2 attempts)',
  );
  expect(hanging.requests).toHaveLength(2);
  await using models = await startModelServer(inOrder(reply));
  const resume = ['resume', 'last', '--tools', './tools.ts'];
  const done = await folder.planvm(resume, { env: models.env.openai });
  expect(done, done.stderr).toMatchObject({ code: 0, stdout: 'One: noted 1\nnoted 1\n' });
  expect(done.stderr).not.toContain('PV7308');
  expect(readFileSync(join(folder.path, 'notes'), 'utf8')).toBe('1 ');
});

test('where it always hangs after a line of the reply, the run ends', async () => {
  using folder = new Folder({ 'x.playbook.md': program, 'tools.ts': noteTool('write') });
  await using models = await startModelServer(() => afterALine);
  const ended = await folder.planvm([...run, ...limits], { env: models.env.openai });
  expect(ended, ended.stderr).toMatchObject({ code: 1, stderr: expect.stringContaining('PV7322') });
  expect(readFileSync(join(folder.path, 'notes'), 'utf8')).toBe('1 ');
});
