/** Tools of MCP servers in programs, by the command line. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { oddServer, reference } from '../support/mcp.ts';
import { hasTerminal, Terminal } from '../support/terminal.ts';

/** A folder whose server `odd` notes its starts in `starts`. */
function workshop(files: Readonly<Record<string, unknown>> = {}, env = {}): Folder {
  const folder = new Folder({
    'fine.star': 'answer(odd.fine())\n',
    'none.star': 'answer(1)\n',
    'unknown.star': 'answer(odd.fne())\n',
    'asks.star': 'answer(ask("Which?"))\n',
    ...files,
  });
  const odd = { command: process.execPath, args: [oddServer], env: { ODD_MARK: 'starts', ...env } };
  folder.write('.mcp.json', { mcpServers: { odd } });
  return folder;
}

const starts = (folder: Folder): number =>
  existsSync(join(folder.path, 'starts'))
    ? folder
        .read('starts')
        .split('\n')
        .filter((line) => line === 'start').length
    : 0;

describe('a server', () => {
  test('is listed once, and only where a program may use one of its tools', async () => {
    using folder = workshop();
    expect((await folder.planvm(['run', 'none.star'])).stdout).toBe('1\n');
    expect(starts(folder)).toBe(0);
    expect((await folder.planvm(['run', 'fine.star'])).stdout).toBe('fine it is\n');
    expect(starts(folder)).toBe(2);
    expect((await folder.planvm(['run', 'fine.star'])).stdout).toBe('fine it is\n');
    expect(starts(folder)).toBe(3);
  });

  test('is never started by check, which says what it does not know', async () => {
    using folder = workshop();
    const unlisted = await folder.planvm(['check', 'fine.star']);
    expect(unlisted.stdout).toContain('mcp:odd may declare it');
    expect(unlisted.code).toBe(0);
    expect(starts(folder)).toBe(0);
    const unasked = await folder.planvm(['mcp', 'ls', 'odd']);
    expect(unasked.stdout).toBe('odd was not asked yet: planvm mcp refresh odd\n');
    expect((await folder.planvm(['mcp', 'refresh'])).stdout).toMatch(/^✔ odd: 15 tools/);
    const offers = await folder.planvm(['mcp', 'ls', 'odd']);
    expect(offers.stdout).toMatch(/^server +offers +named +what it is\nodd +tool +/);
    expect(offers.stdout).toMatch(/^odd +tool +odd\.fine +/m);
    expect((await folder.planvm(['check', 'fine.star'])).code).toBe(0);
    const misspelt = await folder.planvm(['check', 'unknown.star']);
    expect(misspelt.code).toBe(3);
    expect(misspelt.stdout).toContain('did you mean odd.fine?');
    expect(starts(folder)).toBe(1);
  });

  test('that does not start fails nothing that does without it', async () => {
    using folder = workshop({}, { ODD: 'dies' });
    const ran = await folder.planvm(['run', 'none.star']);
    expect(ran).toMatchObject({ code: 0, stdout: '1\n' });
    expect(ran.stderr).not.toContain('MCP server');
    const asked = await folder.planvm(['run', 'asks.star']);
    expect(asked.code).toBe(4);
    const resumed = await folder.planvm(['answer', 'last', 'this']);
    expect(resumed).toMatchObject({ code: 0, stdout: 'this\n' });
    expect(asked.stderr + resumed.stderr).not.toContain('MCP server');
    expect(starts(folder)).toBe(0);
    const wanted = await folder.planvm(['run', 'fine.star']);
    expect(wanted.code).not.toBe(0);
    expect(wanted.stderr).toContain('its tools are missing: MCP server odd: it cannot be started');
    expect(wanted.stderr).toContain('no licence found');
    const refreshed = await folder.planvm(['mcp', 'refresh', '--json']);
    expect(refreshed.code).toBe(1);
    expect(JSON.parse(refreshed.stdout)).toMatchObject([
      { server: 'odd', error: { code: 'PV4803' } },
    ]);
  });

  test('that crashes fails its call, and a program may go on without', async () => {
    using folder = workshop({
      'crash.star': 'r = try_call(odd.crash)\nanswer([r.ok, r.error.code, odd.fine()])\n',
    });
    const { stdout } = await folder.planvm(['run', 'crash.star']);
    expect(JSON.parse(stdout)).toStrictEqual([false, 'PV4804', 'fine it is']);
  });

  test('that crashes once is started again, and the call is made again', async () => {
    using folder = workshop({ 'once.star': 'answer(odd.crash_once())\n' });
    expect((await folder.planvm(['run', 'once.star'])).stdout).toBe('back again\n');
    expect(starts(folder)).toBe(3);
  });

  test('that hangs is cut off by the time of the call', async () => {
    using folder = workshop({ 'hang.star': 'answer(odd.hang())\n' });
    const limit = ['--tool-limit', 'odd.hang.timeoutMs=200', '--tool-limit', 'odd.hang.attempts=1'];
    const ran = await folder.planvm(['run', 'hang.star', ...limit]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('PV4005');
    expect(ran.stderr).toContain('odd.hang gave no answer within 200 ms');
  });

  test('is as if it were not there with --no-mcp, by settings and by a variable', async () => {
    using folder = workshop({
      'planvm.config.json': JSON.stringify({ mcp: { odd: { allow: [] } } }),
    });
    expect((await folder.planvm(['tools', '--no-mcp'])).stdout).not.toContain('odd.');
    expect(starts(folder)).toBe(0);
    const off = { env: { PLANVM_MCP: 'off' } };
    expect((await folder.planvm(['tools'], off)).stdout).not.toContain('odd.');
    expect(starts(folder)).toBe(0);
    expect((await folder.planvm(['tools'])).stdout).not.toContain('odd.');
    folder.write('planvm.config.json', '{ "mcp": { "od": {} } }');
    const misspelt = await folder.planvm(['tools']);
    expect(misspelt.code).toBe(2);
    expect(misspelt.stderr).toContain('did you mean odd?');
  });

  test('does what cannot be undone when a person has said so', async () => {
    using folder = workshop({ 'write.star': 'answer(odd.undeclared())\n' });
    const asked = await folder.planvm(['run', 'write.star']);
    expect(asked.code).toBe(4);
    expect(asked.stderr).toContain('odd.undeclared');
    expect((await folder.planvm(['approve', 'last'])).stdout).toBe('undeclared it is\n');
  });
});

test('a secret that a server gives back is in no answer and no journal', async () => {
  const key = 'Zx81-very-secret';
  using folder = workshop(
    { 'leak.star': 'answer(odd.leak())\n' },
    { ODD_API_KEY: ref('MY_API_KEY') },
  );
  const env = { env: { MY_API_KEY: key } };
  expect((await folder.planvm(['run', 'leak.star'], env)).stdout).toBe('the key is ***\n');
  const exported = (await folder.planvm(['export', 'last', '-o', '-'], env)).stdout;
  expect(exported).toContain('the key is ***');
  expect(exported).not.toContain(key);
});

test('a secret that stands in .mcp.json itself is one, too', async () => {
  const key = 'Zx81-very-secret';
  using folder = workshop({ 'leak.star': 'answer(odd.leak())\n' }, { ODD_API_KEY: key });
  expect((await folder.planvm(['run', 'leak.star'])).stdout).toBe('the key is ***\n');
  expect((await folder.planvm(['mcp', 'ls', '--json'])).stdout).not.toContain(key);
});

test('a plan calls the tools of several servers, bare and by their namespace', async () => {
  using folder = new Folder({
    'plan.json': [
      calling(0, 'files.read_text_file', { path: ref('path') }, 'text'),
      calling(
        1,
        'create_entities',
        { entities: [{ name: 'a', entityType: 'b', observations: [] }] },
        'made',
      ),
      answering(2, `${ref('text.content')} ${ref('made.entities[0].name')}`),
    ],
    'a.txt': 'seven',
  });
  const server = (name: string, ...args: string[]): object => ({
    command: process.execPath,
    args: [reference(name), ...args],
    env: { MEMORY_FILE_PATH: join(folder.path, 'memory.jsonl') },
  });
  const mcpServers = { files: server('filesystem', folder.path), memory: server('memory') };
  folder.write('.mcp.json', { mcpServers });
  const ran = await folder.planvm([
    'run',
    'plan.json',
    '--input',
    `path=${join(folder.path, 'a.txt')}`,
  ]);
  expect(ran).toMatchObject({ code: 0, stdout: 'seven a\n' });
});

test('a file that names servers in a wrong way is said with its place', async () => {
  using folder = new Folder({ '.mcp.json': '{ "mcpServers": { "a": { "command": 1 } } }' });
  const wrong = await folder.planvm(['tools']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('PV4801: .mcp.json:1:37: a.command: got 1, want a text');
});

describe('a question that a server asks', () => {
  const book = { 'book.star': 'answer(odd.book(title = "Tosca"))\n' };
  const notes = (folder: Folder): string[] =>
    folder
      .read('starts')
      .trim()
      .split('\n')
      .filter((line) => line !== 'start');

  test('makes the run wait; the answer goes to the call that is made again', async () => {
    using folder = workshop(book);
    const asked = await folder.planvm(['run', 'book.star', '--json']);
    expect(asked.code).toBe(4);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      ...{ status: 'waiting', reason: 'person' },
      waits: [
        {
          ...{ kind: 'question', effect: '0#1', tool: 'odd.book' },
          question: 'MCP server odd asks: How many seats for Tosca? (null declines) seats',
          schema: { type: ['integer', 'null'], minimum: 1, maximum: 9 },
        },
      ],
    });
    expect((await folder.planvm(['show', 'last'])).stdout).toContain('waiting');
    const wrong = await folder.planvm(['answer', 'last', '12']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('PV5144');
    const answered = await folder.planvm(['answer', 'last', '3']);
    expect(answered).toMatchObject({ code: 0, stdout: 'booked Tosca: {"seats":3}\n' });
    expect(notes(folder)).toStrictEqual(['not booked: cancel', 'booked {"seats":3}']);
    expect((await folder.planvm(['replay', 'last'])).code).toBe(0);
  });

  test('survives that its process dies, and a reply that is only left', async () => {
    using folder = workshop(book);
    await folder.planvm(['run', 'book.star']);
    expect((await folder.planvm(['resume', 'last'])).code).toBe(4);
    expect((await folder.planvm(['answer', 'last', '2', '--no-run'])).code).toBe(0);
    expect((await folder.planvm(['resume', 'last'])).stdout).toBe('booked Tosca: {"seats":2}\n');
    const exported = (await folder.planvm(['export', 'last', '-o', '-'])).stdout;
    expect(exported).toContain('effect.answered');
  });

  test('can be declined, which the server makes something of', async () => {
    using folder = workshop(book);
    await folder.planvm(['run', 'book.star']);
    const declined = await folder.planvm(['answer', 'last', 'null']);
    expect(declined).toMatchObject({ code: 0, stdout: 'nothing was booked (decline)\n' });
  });

  test('is answered by nobody where a tool is called by hand', async () => {
    using folder = workshop();
    const called = await folder.planvm(['tools', 'call', 'odd.book', '--arg', 'title=Aida']);
    expect(called.code).toBe(1);
    expect(called.stderr).toContain('PV4811: MCP server odd asks: How many seats for Aida?');
  });

  test.skipIf(!hasTerminal)('is put at a terminal at once', async () => {
    using folder = workshop(book);
    await folder.planvm(['mcp', 'refresh']);
    await using terminal = new Terminal('run book.star', folder.path);
    await terminal.shows('How many seats for Tosca?');
    await terminal.shows('> ');
    terminal.type('4\r');
    await terminal.shows('booked Tosca: {"seats":4}');
    expect(await terminal.ended()).toBe(0);
  });
});
