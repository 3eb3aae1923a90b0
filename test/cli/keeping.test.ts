/** Commands that decide what is kept: delete and gc. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { answering, Folder } from '../support/cli.ts';
import { hasTerminal, Terminal } from '../support/terminal.ts';

/** A folder with this many runs that have ended, and their ids, oldest first. */
async function withRuns(count: number, value: unknown = 'done'): Promise<[Folder, string[]]> {
  const folder = new Folder({ 'plan.json': [answering(0, value)] });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { stdout } = await folder.planvm(['run', 'plan.json', '--json']);
    ids.push(JSON.parse(stdout).run);
  }
  return [folder, ids];
}

const listed = async (folder: Folder): Promise<string[]> =>
  JSON.parse((await folder.planvm(['runs', '--json'])).stdout).map(
    ({ run }: { run: string }) => run,
  );

/** Makes runs look as if nothing had happened to them for some days. */
function age(folder: Folder, days: number, ids: readonly string[]): void {
  const database = new DatabaseSync(join(folder.path, '.planvm/runs.db'));
  const update = database.prepare('update runs set updated_at = updated_at - ? where id = ?');
  for (const id of ids) update.run(days * 86_400_000, id);
  database.close();
}

describe('delete', () => {
  test('takes runs out of every list, and --undo brings them back', async () => {
    const [folder, [first = '', second = '', third = '']] = await withRuns(3);
    using _ = folder;
    const { code, stdout, stderr } = await folder.planvm(['delete', first, 'last']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`deleted ${first}, ${third}\n`);
    expect(stderr).toContain(`undo: planvm delete --undo ${first} ${third}\n`);
    expect(await listed(folder)).toEqual([second]);
    expect((await folder.planvm(['show', first])).stderr).toContain(`there is no run ${first}`);
    const undone = await folder.planvm(['delete', '--undo', first, '--json']);
    expect(JSON.parse(undone.stdout)).toEqual({ restored: [first] });
    expect(await listed(folder)).toEqual([second, first]);
    expect((await folder.planvm(['show', first])).stdout).toContain('answer\ndone\n');
  });

  test('that is not undone before a gc is for good', async () => {
    const [folder, [first = '']] = await withRuns(1);
    using _ = folder;
    const deleted = await folder.planvm(['delete', 'last', '--json']);
    expect(JSON.parse(deleted.stdout)).toEqual({ deleted: [first] });
    expect((await folder.planvm(['gc'])).stdout).toMatch(/^dropped 1 run, \d events, \d large/);
    const { code, stderr } = await folder.planvm(['delete', '--undo', 'last']);
    expect(code).toBe(2);
    expect(stderr).toContain('error PV6012: there is no deleted run last');
  });

  test('deletes all or none of those that are named', async () => {
    const [folder, ids] = await withRuns(1);
    using _ = folder;
    const { code, stderr } = await folder.planvm(['delete', 'last', 'nothing']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: /no run nothing/ });
    expect(await listed(folder)).toEqual(ids);
  });

  test('refuses a run that a process has', async () => {
    const folder = new Folder({
      'plan.json': [
        {
          seq_no: 0,
          type: 'calling',
          parameters: { tool_name: 'wait', tool_params: {}, output_vars: 'final_answer' },
        },
      ],
      'tools.mjs': `export default [{ name: 'wait', description: 'Waits.', effect: 'read',
        run: () => new Promise((done) => setInterval(() => {}, 1 << 30)) }];`,
    });
    using _ = folder;
    const running = folder.start(['run', 'plan.json', '--tools', 'tools.mjs', '--verbose']);
    await running.said('wait');
    const { code, stderr } = await folder.planvm(['delete', 'last', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /error PV6030: run r\w+ is running.*nothing was deleted\n.*planvm cancel/,
    );
    expect((await folder.planvm(['gc', '--keep', '0', '--status', 'running'])).stdout).toContain(
      'dropped 0 runs',
    );
    running.process.kill('SIGINT');
    await running.ended;
    expect(await listed(folder)).toHaveLength(1);
  });

  test.runIf(hasTerminal)('asks at a terminal, and no is no', async () => {
    const [folder, ids] = await withRuns(1);
    using _ = folder;
    await using terminal = new Terminal('delete last', folder.path);
    await terminal.shows('Delete 1 run?');
    terminal.type('n');
    await terminal.shows('nothing was deleted');
    expect(await terminal.ended()).toBe(130);
    expect(await listed(folder)).toEqual(ids);
  });
});

describe('gc', () => {
  test('without a rule drops no run', async () => {
    const [folder, ids] = await withRuns(2);
    using _ = folder;
    age(folder, 1000, ids);
    expect((await folder.planvm(['gc'])).stdout).toMatch(/^dropped 0 runs, 0 events/);
    expect(await listed(folder)).toHaveLength(2);
  });

  test('drops what is old, unless it is among the newest', async () => {
    const [folder, ids] = await withRuns(4);
    using _ = folder;
    age(folder, 40, ids.slice(0, 3));
    const rule = ['gc', '--older-than', '30d', '--keep', '2'];
    const dry = await folder.planvm([...rule, '--dry-run', '--json']);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      dryRun: true,
      ids: [ids[0], ids[1]],
      runs: 2,
      events: 8,
    });
    expect(await listed(folder)).toHaveLength(4);
    const { stdout, stderr } = await folder.planvm(rule);
    expect(stdout).toMatch(/^dropped 2 runs, 8 events, \d large values?, 0 snapshots: /);
    expect(stderr).toContain(`${ids[0]}  done`);
    expect((await listed(folder)).sort()).toEqual(ids.slice(2));
  });

  test('takes its rules from the settings, too, and options come first', async () => {
    const [folder, ids] = await withRuns(3);
    using _ = folder;
    folder.write('planvm.config.json', { gcKeep: 1 });
    const kept = async (...args: string[]): Promise<number> =>
      3 - JSON.parse((await folder.planvm(['gc', '--dry-run', '--json', ...args])).stdout).runs;
    expect(await kept()).toBe(1);
    expect(await kept('--keep', '2')).toBe(2);
    age(folder, 3, ids.slice(0, 1));
    expect(await kept('--older-than', '2d')).toBe(2);
  });

  test('brings the journal down to a size, the oldest first', async () => {
    const [folder, ids] = await withRuns(3, 'x'.repeat(300_000));
    using _ = folder;
    folder.write('plan.json', [answering(0, 'short')]);
    await folder.planvm(['run', 'plan.json']);
    // The same value in each run: only with the last of them does it go.
    await folder.planvm(['gc', '--max-size', '200KB', '--yes']);
    expect(statSync(join(folder.path, '.planvm/runs.db')).size).toBeLessThan(200_000);
    expect(await listed(folder)).toHaveLength(1);
    expect(await listed(folder)).not.toContain(ids[2]);
  });

  test.each([
    [['--older-than', 'soon'], 'PV6002: --older-than: got soon, want an age such as'],
    [['--keep', '-1'], 'PV6002: --keep: got -1, want a whole number'],
    [['--max-size', '1XB'], 'PV6002: --max-size: got 1XB, want bytes'],
  ])('%s is refused before anything is dropped', async (args, message) => {
    using folder = new Folder();
    const { code, stderr } = await folder.planvm(['gc', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('says so where a setting cannot be read', async () => {
    using folder = new Folder({ 'planvm.config.json': { gcOlderThan: 'a year' } });
    const { code, stderr } = await folder.planvm(['gc']);
    expect(code).toBe(2);
    expect(stderr).toContain('PV6004: planvm.config.json: got a year, want an age');
  });
});

describe('runs', () => {
  const found = async (folder: Folder, ...args: string[]): Promise<string[]> => {
    const { stdout } = await folder.planvm(['runs', '--json', ...args]);
    return JSON.parse(stdout).map(({ run }: { run: string }) => run);
  };

  test('finds them by what is known of them', async () => {
    const [folder, [first = '', second = '']] = await withRuns(2);
    using _ = folder;
    folder.write('lakes.star', 'answer(1 // 0)\n');
    const { stdout } = await folder.planvm(['run', 'lakes.star', '--json']);
    const { run: failed } = JSON.parse(stdout);
    expect(await found(folder, '--status', 'failed')).toEqual([failed]);
    expect(await found(folder, '--title', 'LAKE')).toEqual([failed]);
    expect(await found(folder, '--since', '1h', '--title', 'plan')).toEqual([second, first]);
    expect(await found(folder, '--status', 'done', '--reason', 'limit')).toEqual([]);
    expect((await folder.planvm(['runs', '--status', 'waiting'])).stderr).toBe('no such run\n');
    using empty = new Folder();
    expect((await empty.planvm(['runs'])).stderr).toMatch(/^no runs; planvm run FILE/);
    const { code, stderr } = await folder.planvm(['runs', '--since', 'lately']);
    expect(code).toBe(2);
    expect(stderr).toContain('PV6002: --since: got lately, want an age such as 2d, or a time');
  });

  test('lists what is deleted, on demand', async () => {
    const [folder, [first = '', second = '']] = await withRuns(2);
    using _ = folder;
    await folder.planvm(['delete', first]);
    expect(await found(folder)).toEqual([second]);
    expect(await found(folder, '--deleted')).toEqual([first]);
  });
});
