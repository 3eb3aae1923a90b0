/** `planvm repl`, through a pipe and at a terminal. */
import { describe, expect, test } from 'vitest';
import { EntryReader } from '../../src/cli/repl/entry-reader.ts';
import { complete } from '../../src/cli/repl/names.ts';
import { Folder } from '../support/cli.ts';
import { hasTerminal, Terminal } from '../support/terminal.ts';

const tools = `
const parameters = { type: 'object', properties: { n: { type: 'integer' } } };
let written = 0;
export default [
  { name: 'look', description: 'Looks.', parameters, effect: 'read', run: ({ n }) => n + 1 },
  { name: 'write', description: 'Writes.', parameters, effect: 'write', run: () => ++written },
  { name: 'broken', description: 'Breaks.', parameters, effect: 'read', idempotent: false,
    run() { throw new Error('the shelf is empty'); } },
  { name: 'hang', description: 'Hangs.', parameters, effect: 'read',
    run: () => new Promise(() => {}) },
];`;

async function piped(...lines: readonly string[]) {
  using folder = new Folder({ 'tools.mjs': tools });
  return await folder.planvm(['repl', '--tools', 'tools.mjs', '-q'], {
    input: `${lines.join('\n')}\n`,
  });
}

test.each([
  [[], true],
  [['--mode', 'code'], false],
  [['--model', 'openai/any'], false],
])('without a model it says what the prompt takes: %j', async (args, isSaid) => {
  using folder = new Folder();
  const { stderr } = await folder.planvm(['repl', ...args], { input: '' });
  expect(stderr.includes('no model is configured, so this prompt takes Starlark')).toBe(isSaid);
});

describe('through a pipe', () => {
  test('values go to stdout, prints to stderr; variables and functions stay', async () => {
    const done = await piped(
      'x = look(n = 2)',
      'x * 2',
      '_ + 1',
      'def f(a):',
      '    y = a + x',
      '',
      '    return y',
      'f(10)',
      'None',
      'print("seen")',
      '[f(1),',
      ' "é"]',
      'max([1, 3], key = lambda n: -n)',
      'answer({"a": 1})',
    );
    expect(done).toMatchObject({ code: 0, stderr: 'seen\n' });
    expect(done.stdout).toBe('6\n7\n13\n[4, "é"]\n1\n{\n  "a": 1\n}\n');
  });

  test('an entry that fails changes nothing, says where, and the next one runs', async () => {
    const done = await piped(
      'xs = [1]',
      'def last(xs):',
      '    return xs[5]',
      'for x in [0]:',
      '    xs.append(2)',
      '    last(xs)',
      'xs',
      'broken(n = 1)',
      'broken(n = 1) == 2',
      'x =',
      'undefinde',
      '"still " + "there"',
    );
    expect(done).toMatchObject({ code: 1, stdout: '[1]\n"still there"\n' });
    expect(done.stderr).toContain('<2>:2:14: error PV3004');
    expect(done.stderr).toContain('    return xs[5]');
    expect(done.stderr).toContain('<5>:1:7: error PV4202: broken: the shelf is empty');
    expect(done.stderr).toContain('<8>:1:1: error PV2321: undefined: undefinde');
  });

  test('lines of a block that cannot be read are passed over', async () => {
    const done = await piped('try:', '    x = 1', 'except:', '    x = 2', '1 + 1');
    expect(done).toMatchObject({ code: 1, stdout: '2\n' });
    expect(done.stderr.match(/error/g)).toHaveLength(2);
  });

  test('a write happens once; after a failure its next call is a new one', async () => {
    const done = await piped('write(n = 1)', 'a = [write(n = 1), 1 // 0]', 'write(n = 1)');
    expect(done.stdout).toMatch(/^1\n[23]\n$/);
  });

  test('budgets hold', async () => {
    using folder = new Folder();
    const input = 'while True:\n    pass\n1 + 1\n';
    const done = await folder.planvm(['repl', '--instructions', '1000'], { input });
    expect(done).toMatchObject({ code: 1, stdout: '2\n' });
    expect(done.stderr).toContain(
      'has used up the 1000 instructions that there are, by the limit instructions (--instructions)',
    );
  });

  test('commands begin with a slash', async () => {
    const done = await piped('x = "a"', 'def f(a, b): return a', '/vars', '/tools', '/hlep');
    expect(done.stdout).toContain('x  a\nf  def f(a, b)\n');
    expect(done.stdout).toContain('look(n: integer = …)');
    expect(done.stderr).toContain('there is no command /hlep; did you mean /help?');
  });
});

describe('reading entries', () => {
  const entries = (isTyped: boolean, ...lines: readonly string[]): string[] => {
    const reader = new EntryReader(isTyped);
    return [...lines.flatMap((line) => reader.push(line)), ...reader.end()];
  };

  test.each([
    ['an empty line ends a typed block', true, ['if x:', '  y', '', 'z'], 2],
    ['else goes on with it', true, ['if x:', '  y', 'else:', '  z', ''], 1],
    ['a line at the margin ends it', false, ['def f():', '  a', '', '  b', 'f()'], 2],
    ['brackets and strings stay open', true, ['f(', '', '1)', 's = """a', 'b"""'], 2],
    ['a backslash goes on', true, ['x = 1 + \\', '2'], 1],
    ['two empty lines give up', true, ['f(', '', ''], 1],
  ] as const)('%s', (_what, isTyped, lines, count) => {
    expect(entries(isTyped, ...lines)).toHaveLength(count);
  });
});

test('completion knows names, tools, attributes and commands', () => {
  const names = {
    variables: new Map([['town', 'Oslo']]),
    tools: ['look'],
    commands: ['/help'],
  };
  expect(complete('x = lo', names)).toEqual([['locals(', 'look('], 'lo']);
  expect(complete('tow', names)[0]).toEqual(['town']);
  expect(complete('town.up', names)).toEqual([['town.upper'], 'town.up']);
  expect(complete('json.enc', names)[0]).toEqual(['json.encode', 'json.encode_indent']);
  expect(complete('/h', names)[0]).toEqual(['/help']);
  expect(complete('  ', names)[0]).toEqual(['      ']);
});

describe.skipIf(!hasTerminal)('at a terminal', () => {
  test('blocks over several lines, Tab, history, Ctrl-C and Ctrl-D', async () => {
    using folder = new Folder({ 'tools.mjs': tools });
    {
      await using terminal = new Terminal('repl --tools tools.mjs', folder.path);
      const enter = async (keys: string, shown: string): Promise<void> => {
        terminal.type(keys);
        await terminal.shows(shown);
      };
      await terminal.shows('>>> ');
      await enter('x = look(n = 2)\r', '✔ look');
      await enter('def f():\r', '... ');
      await enter('    return x * 7\r', '... ');
      await enter('\r', '>>> ');
      await enter('f()\r', '21\r\n>>> ');
      // A call that does not end, and a loop that does not: both stop, the session stays.
      terminal.type('hang(n = 1) == 1\r');
      await terminal.shows('== 1\r');
      await enter('\u0003', 'stopped\r\n>>> ');
      await enter('while True: pass\r', '... ');
      await enter('\r', '\r\n');
      await enter('\u0003', 'stopped\r\n>>> ');
      await enter('x + (1\r', '... ');
      await enter('\u0003', '>>> ');
      // Pasted: an empty line in it ends nothing.
      await enter('def g():\r    a = 4\r\r    return a * 11\rg()\r', '44\r\n>>> ');
      await enter('revers', 'revers');
      await enter('\t', 'ed(');
      await enter('[1, 2])\r', '[2, 1]\r\n>>> ');
      terminal.type('\u0004');
      expect(await terminal.ended()).toBe(1);
    }
    expect(folder.read('.planvm/repl-history')).toContain('    return x * 7\nf()\n');
    await using again = new Terminal('repl', folder.path);
    await again.shows('>>> ');
    again.type('\u001b[A');
    await again.shows('reversed([1, 2])');
    again.type('\r');
    await again.shows('[2, 1]\r\n');
    again.type('/quit\r');
    expect(await again.ended()).toBe(0);
  });
});
