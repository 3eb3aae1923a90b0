/**
 * A process that is killed at a line that the model decides, behind a call that writes: whoever goes
 * on and calls it in other words is asked once whether that is meant.
 */
import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { type ServedReply, startModelServer } from '../../support/model-server.ts';
import { noteTool } from './note-tool.ts';
import { ops } from './ops.ts';

const program = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- Say("A note.")
- Note for the customers when we come
- Return "done"
`;

const call = (n: number) => ({ call: 'note', args: { n } });
const said = { say: 'A note.' };

/** Kills the run in the midst of a reply that has noted 1, goes on with the others, and tells what came of it. */
async function killedBehindOne(text: string, first: readonly object[], replies: readonly string[]) {
  using folder = new Folder({ 'x.playbook.md': text, 'tools.ts': noteTool('write') });
  const begun = `${ops(...first, call(1))}\n`;
  await using models = await startModelServer(({ index, abandoned }): ServedReply | string =>
    index === 0
      ? { text: `${begun}${ops(call(9))}`, pieces: [begun, ops(call(9))], gate: abandoned }
      : (replies[index - 1] ?? 'no more replies'),
  );
  const env = models.env.openai;
  const args = ['run', 'x.playbook.md', '--model', 'openai/test', '--yes', 'note'];
  const run = folder.start([...args, '--tools', './tools.ts'], { env });
  await Promise.race([wholeLine(run.process), run.ended]);
  run.process.kill('SIGKILL');
  await run.ended;
  const done = await folder.planvm(['resume', 'last', '--tools', './tools.ts'], { env });
  const notes = readFileSync(join(folder.path, 'notes'), 'utf8').trim();
  return { ...done, notes, prompts: models.requests.map(({ prompt }) => prompt) };
}

/** What is said streams; behind its last character, all that came with it is in the journal. */
async function wholeLine({ stdout }: ChildProcess): Promise<void> {
  for await (const piece of stdout ? on(stdout, 'data') : []) {
    if (String(piece).includes('\n')) return;
  }
}

const asked =
  'line 02 had called note(n = 1) when the reply was cut off: leave out what is done, or write it ' +
  'again where it is meant once more';
const end = [{ step: '03' }, { return: 'done' }];

describe('a line that is the model’s to decide', () => {
  const killed = (...replies: readonly string[]) =>
    killedBehindOne(program, [{ step: '01' }, said, { step: '02' }], replies);

  test('calls nothing in other words that stands', async () => {
    const again = ops({ step: '02' }, call(2), ...end);
    const done = await killed(again, ops(...end));
    expect(done, done.stderr).toMatchObject({ code: 0, notes: '1' });
    expect(done.prompts[2]).toContain(asked);
    expect(done.stderr).toContain(`PV7330 ${asked}: it is asked`);
  });

  test.each([
    ['from that line on', []],
    ['from the beginning on', [{ step: '01' }, said]],
  ])('calls it again where the model says so again %s, and asks no more', async (_, before) => {
    const all = ops(...before, { step: '02' }, call(2), call(3), ...end);
    const done = await killed(all, all);
    expect(done, done.stderr).toMatchObject({ code: 0, notes: '1 2 3' });
    expect(done.prompts).toHaveLength(3);
  });

  test('is not asked where the model tells what is done before it goes on', async () => {
    const done = await killed(ops({ step: '02' }, call(1), call(2), ...end));
    expect(done, done.stderr).toMatchObject({ code: 0, notes: '1 2' });
    expect(done.prompts).toHaveLength(2);
  });
});

test('a playbook without lines is asked, too', async () => {
  const text = '# Desk\n## Main\n### Triggers\n- At the beginning\n\nNote when we come.\n';
  const done = await killedBehindOne(text, [said], [ops(call(2)), ops({ return: 'done' })]);
  expect(done, done.stderr).toMatchObject({ code: 0, notes: '1' });
  expect(done.prompts[2]).toContain(
    'you had said "A note.", called note(n = 1) when the reply was cut off',
  );
});
