/** `planvm run`: a reply that is put right is a warning of the run, and no effect among the others. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const text =
  '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Greet them\n- Thank them\n';
const bad = ops({ say: 'one' }, { at: '07' });
const good = ops({ at: '02' }, { say: 'two' });

test('once it is told and put right, twice it ends the run', async () => {
  await using models = await startModelServer(inOrder(bad, good, bad, bad, `${bad}\n${good}`));
  using folder = new Folder({ 'x.playbook.md': text });
  const { env } = { env: models.env.openai };
  const run = ['run', 'x.playbook.md', '--model', 'openai/test'];
  const mended = await folder.planvm(run, { env });
  expect(mended).toMatchObject({ code: 0, stdout: 'one\ntwo\n' });
  expect(mended.stderr).toMatch(
    /warning: step Main:\S+ PV7302 at Desk.Main:01: got the line 07.*: it is asked once more/,
  );
  expect(mended.stderr).not.toContain('warn_of');
  expect(mended.stderr).not.toContain('at once');
  const { code, stderr, stdout } = await folder.planvm(run, { env });
  expect([code, stdout]).toEqual([1, 'one\none\n']);
  expect(stderr).toContain('error PV7302: at Desk.Main:');
  expect(stderr).toContain('It was told so once before. Its last reply:');
  // With advice alone nothing is asked again, and nothing passes without a word.
  const advised = await folder.planvm([...run, '--strictness', 'advise', '--json'], { env });
  expect(advised.code).toBe(0);
  const { warnings } = JSON.parse(advised.stdout);
  expect(warnings.map(({ message }: { message: string }) => message)).toContainEqual(
    expect.stringMatching(/^PV7302 at Desk.Main:\d+: got the line 07/),
  );
  expect(models.requests).toHaveLength(5);
});
