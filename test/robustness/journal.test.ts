/** Journals that cannot be opened, read or written: a sentence that helps, and nothing lost. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { root } from '../support/repo.ts';

const tools = `
  import { appendFileSync } from 'node:fs';
  const parameters = { type: 'object', properties: { n: {} } };
  export default [
    { name: 'read', description: 'Reads.', effect: 'read', parameters,
      run: ({ n }) => 'z'.repeat(50_000) + n },
    { name: 'write', description: 'Writes.', effect: 'write', parameters,
      run({ n }) { appendFileSync('ledger', n + '\\n'); return 'wrote ' + n; } },
  ];`;
const steps = 30;
const plan = [
  ...Array.from({ length: steps }, (_, n) =>
    calling(n, n % 5 === 4 ? 'write' : 'read', { n }, `v${n}`),
  ),
  answering(steps, ref(`v${steps - 1}`)),
];

const workshop = (): Folder => new Folder({ 'plan.json': plan, 'tools.mjs': tools, ledger: '' });
const run = ['run', 'plan.json', '--tools', 'tools.mjs', '--json'];
const journalOf = (folder: Folder): string => join(folder.path, '.planvm/runs.db');
const errorOf = (stdout: string): { code: string; message: string; hint: string | null } =>
  JSON.parse(stdout).error;

describe('a place that cannot hold a journal is a usage error, before anything runs', () => {
  test.each<[what: string, home: string, code: string]>([
    ['a folder where the file should be', 'folder', 'PV5017'],
    ['another program’s database', 'foreign', 'PV5011'],
    ['the journal of a newer planvm', 'newer', 'PV5012'],
  ])('%s', async (_what, home, code) => {
    using folder = workshop();
    folder.write('folder/runs.db/file', '');
    await folder.planvm(run, { env: { PLANVM_HOME: 'newer' } });
    edit(join(folder.path, 'newer/runs.db'), 'pragma user_version = 99');
    folder.write('foreign/note', '');
    edit(join(folder.path, 'foreign/runs.db'), 'create table notes (text)');
    folder.write('ledger', '');
    const files = ['newer', 'foreign'].map((name) => join(folder.path, name, 'runs.db'));
    const before = files.map((file) => readFileSync(file));
    for (const args of [run, ['runs', '--json'], ['resume', 'last', '--json']]) {
      const ended = await folder.planvm(args, { env: { PLANVM_HOME: home } });
      expect(errorOf(ended.stdout)).toMatchObject({ code });
      expect(ended.code).toBe(2);
    }
    expect(folder.read('ledger')).toBe('');
    expect(files.map((file) => readFileSync(file))).toEqual(before);
  });

  test('a file where the folder should be', async () => {
    using folder = workshop();
    const { code, stdout } = await folder.planvm(run, { env: { PLANVM_HOME: 'plan.json' } });
    expect({ code, error: errorOf(stdout).code }).toEqual({ code: 2, error: 'PV5017' });
    expect(folder.read('ledger')).toBe('');
  });

  // Whoever may do anything may write everywhere.
  test.skipIf(process.getuid?.() === 0)('a folder without permission to write', async () => {
    using folder = workshop();
    folder.write('.planvm/note', '');
    chmodSync(join(folder.path, '.planvm'), 0o500);
    const { code, stdout } = await folder.planvm(run);
    chmodSync(join(folder.path, '.planvm'), 0o700);
    expect({ code, error: errorOf(stdout).code }).toEqual({ code: 2, error: 'PV5015' });
    expect(folder.read('ledger')).toBe('');
  });
});

describe.skipIf(process.platform === 'win32')('a disk that is full', () => {
  /** Runs planvm in a shell that lets no file grow beyond this. */
  async function limited(folder: Folder, kibibytes: number, args: readonly string[]) {
    const planvm = `"${process.execPath}" "${join(root, 'bin/planvm.js')}"`;
    const line = `trap '' XFSZ; ulimit -f ${kibibytes}; ${planvm} ${args.join(' ')}`;
    const shell = spawn('bash', ['-c', line], { cwd: folder.path });
    let stdout = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    shell.stderr.resume();
    const [code] = await once(shell, 'close');
    return { code, stdout };
  }

  // The log of a new journal, through which its tables are made, takes more than two hundred.
  test.each([250, 300, 600, 900])(
    'after %i KiB stops the run, which goes on later',
    async (size) => {
      using folder = workshop();
      const { code, stdout } = await limited(folder, size, run);
      expect(code).toBe(1);
      const { code: got, hint } = errorOf(stdout);
      expect(['PV5016', 'PV5017']).toContain(got);
      const [, id = ''] = /^planvm resume (\w+) goes on from here$/.exec(hint ?? '') ?? [];

      const resumed = await folder.planvm(['resume', id, '--json']);
      let { status } = JSON.parse(resumed.stdout);
      if (status === 'suspended') {
        // The write whose outcome found no room: it is in the ledger, or it never began.
        const { effects } = JSON.parse((await folder.planvm(['show', id, '--json'])).stdout);
        const { request } = effects.find((one: { status: string }) => one.status === 'unknown');
        const happened = folder.read('ledger').split('\n').includes(String(request.n));
        const assume = happened ? `done:"wrote ${request.n}"` : 'retry';
        const ended = await folder.planvm(['resume', id, '--json', '--assume', assume]);
        ({ status } = JSON.parse(ended.stdout));
      }
      expect(status).toBe('done');
      expect(folder.read('ledger')).toBe('4\n9\n14\n19\n24\n29\n');
    },
  );
});

/** A file system of so many bytes; undefined where this user may mount none. */
function smallDisk(bytes: number): (Disposable & { readonly path: string }) | undefined {
  const path = mkdtempSync(join(tmpdir(), 'planvm-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path]);
  const remove = (): void => rmSync(path, { recursive: true });
  if (mounted.status !== 0) {
    remove();
    return undefined;
  }
  return {
    path,
    [Symbol.dispose]() {
      spawnSync('umount', [path]);
      remove();
    },
  };
}

test('gc makes room on a disk that is full to the last byte', async ({ skip }) => {
  using disk = smallDisk(12_000_000);
  if (!disk) {
    skip('this user may not mount a small disk');
    return;
  }
  using folder = workshop();
  const env = { PLANVM_HOME: disk.path };
  for (let i = 0; i < 2; i++) expect((await folder.planvm(run, { env })).code).toBe(0);
  const filling = join(disk.path, 'filling');
  spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=1k', 'count=20000']);
  const refused = await folder.planvm(run, { env });
  expect(['PV5016', 'PV5017']).toContain(errorOf(refused.stdout).code);
  const swept = await folder.planvm(['gc', '--keep', '1', '--yes', '--json'], { env });
  expect(swept.code, swept.stderr).toBe(0);
  expect(JSON.parse(swept.stdout).runs).toBe(1);
  expect(JSON.parse(swept.stdout).bytes).toBeGreaterThan(1_000_000);
  folder.write('small.json', JSON.stringify([answering(0, 'there is room')]));
  expect((await folder.planvm(['run', 'small.json'], { env })).code).toBe(0);
});

test('a journal that was damaged says so, and is not made worse', async () => {
  using folder = workshop();
  await folder.planvm(run);
  edit(journalOf(folder), 'pragma wal_checkpoint(truncate)');
  const bytes = readFileSync(journalOf(folder));
  bytes.fill(0xa5, 4096, 8 * 4096);
  writeFileSync(journalOf(folder), bytes);
  for (const args of [run, ['runs', '--json'], ['show', 'last', '--json']]) {
    const { code, stdout } = await folder.planvm(args);
    expect({ args, code, error: errorOf(stdout).code }).toEqual({ args, code: 1, error: 'PV5013' });
  }
  expect(readdirSync(join(folder.path, '.planvm'))).toContain('runs.db');
});

test('a run whose journal was taken away while it ran is told of it', async () => {
  using folder = workshop();
  await folder.planvm([...run, '--effects', '3']);
  edit(journalOf(folder), 'delete from content');
  const { code, stdout } = await folder.planvm(['resume', 'last', '--json', '--effects', '99']);
  expect({ code, error: errorOf(stdout).code }).toEqual({ code: 1, error: 'PV5013' });
});

/** Changes a database from outside. */
function edit(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
