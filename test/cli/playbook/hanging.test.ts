/**
 * A provider that hangs in the midst of a playbook, by the command line: before the first byte, and
 * behind a line that a model has come to. It is tried anew, then named; the run can be resumed, and
 * nothing is done twice.
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
- Say("One: {$a}")
- Return $a
`;

const first = ops(
  ...[{ step: '01' }, { call: 'note', args: { n: 1 }, into: 'a' }],
  ...[{ step: '02' }, { yield: 'call' }],
);
const second = ops(...[{ step: '03' }, { say: 'One: {$a}' }, { step: '04' }, { return: '$a' }]);

const behindALine: ServedReply = {
  text: second,
  pieces: ['{"step":"03"}\n', second.slice('{"step":"03"}\n'.length)],
  gate: new Promise(() => {}),
};

test('what a provider has a person wait for is said while they wait', async () => {
  using folder = new Folder({ 'x.playbook.md': program, 'tools.ts': noteTool('write') });
  const busy = { status: 429, headers: { 'retry-after': '60' }, message: 'too many' };
  await using server = await startModelServer(inOrder(busy));
  const args = ['run', 'x.playbook.md', '--tools', './tools.ts', '--model', 'openai/test'];
  const call = folder.start(args, { env: server.env.openai });
  await call.said('Main:01 turn attempt 1 failed: openai/test met its rate limit (429): too many');
  await call.said('; again in 1m 00s');
  call.process.kill('SIGINT');
  expect(await call.ended).toMatchObject({ code: 130, stdout: '' });
  const { stdout } = await folder.planvm(['show', 'last']);
  expect(stdout).toContain('suspended (interrupted)');
});

test.each<[string, ServedReply]>([
  ['before the first byte', { hang: true }],
  ['behind a line that it has come to', behindALine],
])('%s', async (_, hangs) => {
  using folder = new Folder({ 'x.playbook.md': program, 'tools.ts': noteTool('write') });
  await using hanging = await startModelServer(inOrder(first, hangs));
  const limits = ['--timeout', '2s', '--attempts', '2'];
  const args = ['run', 'x.playbook.md', '--tools', './tools.ts', '--yes', 'note', ...limits];
  const stopped = await folder.planvm([...args, '--model', 'openai/test'], {
    env: hanging.env.openai,
  });
  expect(stopped).toMatchObject({ code: 1, stdout: '' });
  expect(stopped.stderr).toContain(
    'error PV4005: turn got no answer of openai/test within 2000 ms (2 attempts)',
  );
  expect(hanging.requests).toHaveLength(3);
  await using models = await startModelServer(inOrder(second));
  const resume = ['resume', 'last', '--tools', './tools.ts'];
  const done = await folder.planvm(resume, { env: models.env.openai });
  expect(done, done.stderr).toMatchObject({ code: 0, stdout: 'One: noted 1\nnoted 1\n' });
  expect(done.stderr).not.toContain('PV7308');
  expect(readFileSync(join(folder.path, 'notes'), 'utf8')).toBe('1 ');
});
