/**
 * A process that is killed in the midst of one reply after the other: that is no fault of the model,
 * which is told what of each stands, and goes on behind it.
 */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
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
- $b = note(2)
- $c = note(3)
- Return "{$a}, {$b}, {$c}"
`;

/** A reply that never comes further than its call. */
function held(n: number): ServedReply {
  const begun = `${ops({ step: `0${n}` }, { call: 'note', args: { n }, into: '$abc'[n] ?? '' })}\n`;
  const end = ops({ step: '04' }, { return: '{$a}, {$b}, {$c}' });
  return { text: begun + end, pieces: [begun, end], gate: new Promise(() => {}) };
}

test('what a line that is the model’s to decide has set is not set again behind a death', async () => {
  using folder = new Folder({
    'x.playbook.md': [
      ...['# Desk', '## Main', '### Triggers', '- At the beginning', '### Steps'],
      ...['- $words = ["sea"]', '- Add the word of the day to $words', '- Return $words'],
    ].join('\n'),
  });
  const set = (words: string): string => `      - updated_vars:\n          "$words": ${words}\n`;
  const say = '      - call: {"fn": "Say", "args": ["Added."]}\n';
  const first = `trace:\n  - "Main:01:EXE":\n${set('["sea"]')}`;
  const begun = `${first}  - "Main:02:EXE":\n${set('["sea","sky"]')}${say}  - "Main:03:RET":\n`;
  const end = 'trace:\n  - "Main:03:RET":\n      - return: "$words"\n';
  const again = `trace:\n  - "Main:02:EXE":\n${set('["sea","sky","sky"]')}`;
  await using models = await startModelServer(({ index, abandoned }) => {
    if (index === 0) return { text: begun, pieces: [begun, end], gate: abandoned };
    return index === 1 ? again : end;
  });
  const env = models.env.openai;
  const args = ['run', 'x.playbook.md', '--model', 'openai/test'];
  const call = folder.start(args, { env });
  const { stdout } = call.process;
  if (stdout) await once(stdout, 'data');
  call.process.kill('SIGKILL');
  await call.ended;
  const done = await folder.planvm(['resume', 'last', '--json'], { env });
  expect(JSON.parse(done.stdout), done.stderr).toMatchObject({ answer: ['sea', 'sky'] });
  const [, second = '', third = ''] = models.requests.map(({ prompt }) => prompt);
  expect(second).toContain(
    '- at line 02: set $words to ["sea", "sky"]\n- at line 02: said "Added."',
  );
  expect(second).toContain('Go on at line 02 where something of it is left to do, else behind it.');
  expect(third).toContain(
    'line 02 had set $words to ["sea","sky"], said "Added." when the reply was cut off',
  );
  expect(third).toContain('Go on at line 02 where something of it is left to do, else behind it.');
});

test('three deaths in a row are no slips of the model', async () => {
  using folder = new Folder({ 'x.playbook.md': program, 'tools.ts': noteTool('read') });
  const last = ops({ step: '04' }, { yield: 'call' });
  const end = ops({ step: '04' }, { return: '{$a}, {$b}, {$c}' });
  const replies = inOrder(...[1, 2, 3].map(held), last, end);
  await using models = await startModelServer(replies);
  const env = models.env.openai;
  const noted = (): string => {
    const file = join(folder.path, 'notes');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  let args = ['run', 'x.playbook.md', '--model', 'openai/test', '--tools', './tools.ts'];
  for (const n of [1, 2, 3]) {
    const call = folder.start(args, { env });
    await vi.waitUntil(() => noted().includes(`${n} `), { timeout: 20_000 });
    call.process.kill('SIGKILL');
    expect(await call.ended).toMatchObject({ signal: 'SIGKILL' });
    args = ['resume', 'last', '--tools', './tools.ts'];
  }
  const done = await folder.planvm(args, { env });
  expect(done, done.stderr).toMatchObject({ code: 0, stdout: 'noted 1, noted 2, noted 3\n' });
  expect(done.stderr).not.toContain('told so once before');
});
