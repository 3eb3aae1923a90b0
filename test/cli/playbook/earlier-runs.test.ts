/** Runs of versions that played lines otherwise: they are shown, and nothing goes on with them. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';

const text =
  '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n' +
  '- $n = 2\n- $day = Ask(user, "Which day?")\n- Return $day\n';

test('are shown, and neither resumed nor forked', async () => {
  using folder = new Folder({ 'x.playbook.md': text });
  expect(await folder.planvm(['run', 'x.playbook.md'])).toMatchObject({ code: 4 });
  {
    using database = new DatabaseSync(join(folder.path, '.planvm/runs.db'));
    database.exec(
      String.raw`update records set record = replace(record, '\"version\":2', '\"version\":1')`,
    );
  }
  const shown = await folder.planvm(['show', 'last']);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('Main:02 QUE') });
  const state = await folder.planvm(['show', 'last', '--at', 'Main:02']);
  expect(state).toMatchObject({ code: 0, stdout: expect.stringMatching(/\$n +int +2/) });
  for (const args of [
    ['resume', 'last'],
    ['answer', 'last', 'Friday'],
    ['fork', 'last', '--at', 'Main:01'],
  ]) {
    const refused = await folder.planvm(args);
    expect([1, 2]).toContain(refused.code);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toContain('PV7210: the run was made by a version that played lines');
  }
});
