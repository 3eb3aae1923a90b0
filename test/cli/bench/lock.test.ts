/** `planvm bench qa`: one process at a time writes a log. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';

test('while one is under way, another keeps away from its log', async () => {
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  await using models = await startModelServer(async () => {
    asked.resolve();
    await goOn.promise;
    return '```starlark\nanswer("yes")\n```';
  });
  const questions = ['a', 'b'].map((id) => ({ id, question: `Is it ${id}?`, answer: 'yes' }));
  using folder = new Folder({ 'q.json': questions });
  const bench = ['bench', 'qa', '--dataset', 'q.json', '--method', 'starlark'];
  const logged = [...bench, '--model', 'openai/test', '--out', 'log.ndjson'];
  const { openai: env } = models.env;
  const first = folder.planvm(logged, { env });
  await asked.promise;
  const second = await folder.planvm([...logged, '--resume'], { env });
  expect(second).toMatchObject({ code: 2, stdout: '' });
  expect(second.stderr).toMatch(/PV6802: the log log\.ndjson is being written by process \d+ on /);
  expect(second.stderr).toContain('remove log.ndjson.lock');
  goOn.resolve();
  expect((await first).code).toBe(0);
  expect(existsSync(join(folder.path, 'log.ndjson.lock'))).toBe(false);
  expect(folder.read('log.ndjson').trim().split('\n')).toHaveLength(3);
});
