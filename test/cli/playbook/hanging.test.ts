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
