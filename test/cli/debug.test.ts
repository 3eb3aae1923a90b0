/** `planvm show --at`, `--diff` and `planvm debug`, through a pipe and at a terminal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { hasTerminal, Terminal } from '../support/terminal.ts';

const program = `def twice(x):
    y = calculate(expression = "%d * 2" % x)
    return y if y > 0 else 0

first = calculate(expression = "6 * 7")
notes = {"first": first}
if first > 40:
    notes["large"] = True
found = [twice(n) for n in [1, 2, 3]]
notes["found"] = found
print("notes are taken")
answer(notes)
`;

let folder: Folder;

beforeAll(async () => {
  folder = new Folder({ 'a.star': program });
  expect(await folder.planvm(['run', 'a.star', '-q'])).toMatchObject({ code: 0 });
});

afterAll(() => folder[Symbol.dispose]());

async function debug(...lines: readonly string[]) {
  const { stdout, stderr, code } = await folder.planvm(['debug', 'last'], {
    input: `${lines.join('\n')}\n`,
  });
  const [, ...said] = stderr.split('\n');
  return { shown: stdout.trimEnd().split('\n'), stderr: said.join('\n'), code };
}

describe('show --at', () => {
  test('says where it stands, what there is and what is still to come', async () => {
    const { stdout, code } = await folder.planvm(['show', 'last', '--at', '7']);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(1)).toEqual([
      'step 7 was entered, and nothing of it done',
      'step 7 if',
      '     4',
      '     5 first = calculate(expression = "6 * 7")',
      '     6 notes = {"first": first}',
      '▶    7 if first > 40:',
      '     8     notes["large"] = True',
      '     9 found = [twice(n) for n in [1, 2, 3]]',
      '    10 notes["found"] = found',
      '',
      'variables',
      '  first  pending  42  (not there yet at this moment)',
      '  notes  dict 1   {"first":42}  (not there yet at this moment)',
      '',
      'pending',
      '  ◐ 0#1 calculate  step 5  → later 42',
      '',
    ]);
  });

  test('--json is a document; frames show functions, an event what waits', async () => {
    const asked = await folder.planvm(['show', 'last', '--at', 'event:5', '--json']);
    const { status, step, lines, variables } = JSON.parse(asked.stdout);
    expect({ status, step: step.id }).toEqual({ status: 'waiting', step: '9' });
    expect(variables.notes).toEqual({
      type: 'dict',
      size: 2,
      value: { first: 42, large: true },
      text: '{"first": 42, "large": true}',
    });
    const [{ frames, waits }] = lines;
    expect(frames.map(({ name, line }: Record<string, unknown>) => [name, line])).toEqual([
      ['<toplevel>', 9],
      ['twice', 3],
    ]);
    expect(frames[1].locals.x).toEqual({ type: 'int', value: 1, text: '1' });
    expect(waits).toMatchObject({ on: 'value', for: { name: 'calculate', step: '9' } });
  });

  test('--diff says what has changed between two places', async () => {
    const { stdout } = await folder.planvm(['show', 'last', '--diff', '9', '12']);
    expect(stdout.split('\n')).toEqual([
      '9 → 12',
      '',
      'variables',
      '  + notes.found = [2, 4, 6]',
      '  + found = [2, 4, 6]',
      '',
      'outcomes between them',
      '  0#2 calculate  step 9',
      '  0#3 calculate  step 9',
      '  0#4 calculate  step 9',
      '',
    ]);
  });

  test('says which places there are', async () => {
    const wrong = await folder.planvm(['show', 'last', '--at', '8']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/PV5110: run \w+ has not entered a step 8/);
    expect(wrong.stderr).toContain('its steps: 1, 5, 6, 7, 9, 10, 11, 12');
    const one = await folder.planvm(['show', 'last', '--diff', '9']);
    expect(one.stderr).toContain('PV6002: --diff: got 1 places, want two');
  });
});

describe('debug', () => {
  test('goes forward and back by steps and outcomes', async () => {
    const { shown, stderr, code } = await debug('s 3', 's', '', 'e', 'b', 'back effect', 'go end');
    expect([stderr, code]).toEqual(['', 0]);
    expect(shown).toEqual([
      '[0] start',
      '[3] step 6 assign',
      '▶    6 notes = {"first": first}',
      '[4] step 7 if',
      '▶    7 if first > 40:',
      '[6] step 9 assign',
      '▶    9 found = [twice(n) for n in [1, 2, 3]]',
      '[7] 0#2 calculate gave 2',
      '▶    3     return y if y > 0 else 0',
      '[6] step 9 assign',
      '▶    9 found = [twice(n) for n in [1, 2, 3]]',
      '[5] 0#1 calculate gave 42',
      '▶    7 if first > 40:',
      '[13] end: done',
    ]);
  });

  test('stops at steps, effects, changes and conditions, forward and back', async () => {
    const { shown } = await debug(
      ...['break step 10', 'break effect 0#3', 'break change found', 'break if first > 40'],
      ...['c', 'c', 'c', 'c', 'r', 'r', 'r', 'delete 1', 'breaks'],
    );
    const heads = shown.filter((line) => !line.startsWith('▶'));
    expect(heads).toEqual([
      '[0] start',
      '1  break step 10',
      '2  break effect 0#3',
      '3  break change found',
      '4  break if first > 40',
      'if first > 40',
      '[5] 0#1 calculate gave 42',
      'effect 0#3',
      '[8] 0#3 calculate gave 4',
      'step 10, change found',
      '[10] step 10 assign',
      'print: notes are taken',
      'answer: {"first":42,"large":true,"found":[2,4,6]}',
      '[13] end: done',
      '[10] step 10 assign',
      '[8] 0#3 calculate gave 4',
      '[5] 0#1 calculate gave 42',
      '1  break effect 0#3',
      '2  break change found',
      '3  break if first > 40',
    ]);
  });

  test('goes by lines, into functions and back', async () => {
    const { shown } = await debug('go 9', 'n', 'n 2', 'back line', 'back line', 'e', 'n 3');
    expect(shown).toEqual([
      '[0] start',
      '[6] step 9 assign',
      '▶    9 found = [twice(n) for n in [1, 2, 3]]',
      '[6+1] twice line 2',
      '▶    2     y = calculate(expression = "%d * 2" % x)',
      '[7] 0#2 calculate gave 2',
      '▶    3     return y if y > 0 else 0',
      '[6+2] twice line 3',
      '▶    3     return y if y > 0 else 0',
      '[6+1] twice line 2',
      '▶    2     y = calculate(expression = "%d * 2" % x)',
      '[7] 0#2 calculate gave 2',
      '▶    3     return y if y > 0 else 0',
      '[7+3] twice line 3',
      '▶    3     return y if y > 0 else 0',
    ]);
  });

  test('shows values, frames, what is pending, outcomes and answers', async () => {
    const { shown, code } = await debug(
      ...['go 0#2', 'p x + 1', 'w len(notes)', 'vars', 'where', 'pending', 'effects'],
      ...['answers', 'list 2'],
    );
    expect(code).toBe(0);
    const at = (text: string): number => shown.findIndex((line) => line.startsWith(text));
    expect(shown[at('[7]') + 2]).toBe('2');
    expect(shown).toContain('len(notes) = 2');
    expect(shown).toContain('x      int     1');
    expect(shown).toContain('▶ twice line 3');
    expect(shown).toContain('    y  int  2');
    expect(shown).toContain('0#1 calculate gave 42');
    expect(shown).toContain('none');
    expect(shown).toContain('▶    2     y = calculate(expression = "%d * 2" % x)');
  });

  test('looking changes nothing, and what is to come is said', async () => {
    const { shown, stderr, code } = await debug(
      ...['go 7', 'p notes', 'p nobody', 'p twice(2)', 'e', 'p notes.update({"first": 0})'],
      ...['p notes', 'foo', 'break', 'back x', 's zero'],
    );
    expect(shown.at(-1)).toBe('{"first": 42}');
    expect(stderr.split('\n').filter((line) => line !== '')).toEqual([
      'notes waits for 0#1 calculate',
      'PV2321 undefined: nobody',
      'twice is or holds a function, which only the program can use',
      'there is no command foo; help lists them',
      'break: got nothing, want step ID [if EXPRESSION] | effect NAME | change VARIABLE | if EXPRESSION',
      'back: got x, want [line | effect] [N]',
      'got zero, want a number from 1 on',
    ]);
    expect(code).toBe(1);
  });

  test('begins at a place; a run that failed ends with why', async () => {
    using other = new Folder({
      'plan.json': [calling(0, 'calculate', { expression: '1 / 0' }, 'x'), answering(1, ref('x'))],
    });
    await other.planvm(['run', 'plan.json', '-q']);
    const { stdout } = await other.planvm(['debug', 'last', '--at', 'end'], { input: 'b\n' });
    expect(stdout).toMatch(/end: failed: PV\d+ .+\n\[\d\] step 1/);
  });

  test('goes by the lines of fibers, with their variables', async () => {
    using other = new Folder({
      'a.star': `def half(x):
    y = calculate(expression = "%d / 2" % x)
    return y + 1

found = parallel(half, [4, 8])
answer(found)
`,
    });
    await other.planvm(['run', 'a.star', '-q']);
    const lines = ['go 6', 'n', 'p x', 'n', 'n', 'p x', 'b line', 'go 0.2#1', 'p [x, y]', 'where'];
    const { stdout } = await other.planvm(['debug', 'last'], { input: `${lines.join('\n')}\n` });
    const shown = stdout.split('\n');
    expect(shown.filter((line) => !line.startsWith('▶')).slice(1, 10)).toEqual([
      '[3] step 6 expression',
      '[3+1] 0.1 half line 2',
      '4',
      '[3+2] 0.1 half line 3',
      '[3+3] 0.2 half line 2',
      '8',
      '[3+2] 0.1 half line 3',
      '[5] 0.2#1 calculate gave 4',
      '[8, 4]',
    ]);
    expect(shown).toContain('fiber 0.2');
  });

  test('results of tasks go by the names that plans have for them', async () => {
    const plan = [
      ...['Thought: a', '1. calculate[6 * 7]', 'Thought: b', '2. calculate["{$1} / 0"]'],
      ...['Thought: c', '3. calculate[$1 + 1]', 'Thought: d', '4. join($3)'],
    ];
    using other = new Folder({});
    other.write('plan.llmcompiler', plan.join('\n'));
    await other.planvm(['run', 'plan.llmcompiler', '-q']);
    const lines = [
      'go end',
      'p $1 + $3',
      'p "$1"',
      'p $2.error.code',
      'p $7',
      'break change $3',
      'breaks',
    ];
    const { stdout, stderr } = await other.planvm(['debug', 'last'], {
      input: `${lines.join('\n')}\n`,
    });
    const shown = stdout.trimEnd().split('\n');
    expect(shown).toEqual(expect.arrayContaining(['85', '"$1"', '"PV4205"']));
    expect(stdout + stderr).toContain('$7 has no value here');
    expect(shown.at(-1)).toContain('change $3');
  });
});

/** Writes down what it is told to; one that is told to wait never answers. */
const notes = `import { appendFileSync } from 'node:fs';
const parameters = { type: 'object', properties: { text: {} }, required: ['text'] };
export default [
  {
    name: 'note',
    description: 'Writes a note.',
    parameters,
    effect: 'write',
    run({ text }) {
      appendFileSync('notes.txt', \`\${text}\\n\`);
      return text;
    },
  },
  { name: 'spin', description: 'Spins.', parameters, effect: 'read', run: () => { for (;;); } },
  { name: 'hang', description: 'Waits.', parameters, effect: 'read', run: () => new Promise(() => {}) },
];
`;

const noting = `total = 0
for n in range(start, start + 3):
    if note(text = n) == n:
        total += n
note(text = "end")
answer(total)
`;

describe('debug FILE', () => {
  const made = (): Folder => new Folder({ 'a.star': noting, 'tools.ts': notes });
  const through = async (other: Folder, ...lines: readonly string[]) => {
    const args = ['debug', 'a.star', '--tools', './tools.ts', '--input', 'start=1'];
    const { stdout, stderr, code } = await other.planvm(args, { input: `${lines.join('\n')}\n` });
    return { heads: stdout.split('\n').filter((line) => line.startsWith('[')), stderr, code };
  };

  test('performs what one has come to, and nothing else, also before a breakpoint', async () => {
    using other = made();
    const { heads, stderr, code } = await through(other, 'break if total == 3', 'c');
    expect([heads, code]).toEqual([['[0] start', '[4+2] <toplevel> line 2'], 0]);
    expect(stderr).toMatch(/^run (\w+) {2}a\.star .+\nrun \1 {2}suspended\n +planvm resume \1/);
    expect(other.read('notes.txt')).toBe('1\n2\n');
    const resumed = await other.planvm(['resume', 'last', '--tools', './tools.ts', '-q']);
    expect(resumed).toMatchObject({ code: 0, stdout: '6\n' });
    expect(other.read('notes.txt')).toBe('1\n2\n3\nend\n');
  });

  test('goes back without performing anything again, and on to the end', async () => {
    using other = made();
    const { heads, stderr } = await through(other, 's 2', 'e 2', 'b', 'go start', 'c');
    expect(heads).toEqual([
      '[0] start',
      '[2] step 2 for',
      '[4] 0#2 note gave 2',
      '[2] step 2 for',
      '[0] start',
      expect.stringMatching(/^\[\d+\] end: done/),
    ]);
    expect(stderr).toMatch(/run \w+ {2}done/);
    expect(other.read('notes.txt')).toBe('1\n2\n3\nend\n');
    expect(await other.planvm(['replay', 'last'])).toMatchObject({ code: 0 });
  });

  test('refuses what only a file has a use for, and files that are no programs', async () => {
    using other = made();
    const wrong = await other.planvm(['debug', 'last', '--input', 'a=1']);
    expect(wrong.stderr).toContain('PV6002: --input: got the run last, want the file of a program');
    const missing = await other.planvm(['debug', 'b.star']);
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('b.star');
    const invalid = await other.planvm(['debug', 'a.star']);
    expect(invalid).toMatchObject({ code: 3, stdout: '' });
    expect(invalid.stderr).toContain('note');
  });
});

describe.skipIf(!hasTerminal)('at a terminal', () => {
  test('Ctrl-C ends the waiting for an effect; the run goes on, and is suspended at the end', async () => {
    using other = new Folder({ 'a.star': 'x = hang(text = 1)\nif x: pass\n', 'tools.ts': notes });
    await using terminal = new Terminal('debug a.star --tools ./tools.ts', other.path);
    await terminal.shows('(debug) ');
    terminal.type('go end\r');
    await terminal.shows('go end');
    terminal.type('\u0003');
    await terminal.shows('end: waits for 0#1 hang');
    terminal.type('\u0004');
    await terminal.shows('suspended');
    expect(await terminal.ended()).toBe(0);
  });

  test('Ctrl-C ends a tool that hears nothing, with the process; the run can be resumed', async () => {
    using other = new Folder({ 'a.star': 'x = spin(text = 1)\nif x: pass\n', 'tools.ts': notes });
    await using terminal = new Terminal('debug a.star --tools ./tools.ts', other.path);
    await terminal.shows('(debug) ');
    terminal.type('go end\r');
    await terminal.shows('spin (effect 0#1) computes without a pause and hears nothing');
    terminal.type('\u0003');
    expect(await terminal.ended()).toBe(130);
    const [run] = JSON.parse((await other.planvm(['runs', '--json'])).stdout);
    expect(run).toMatchObject({ status: 'running', owned: false });
  });

  test('there is a prompt; Ctrl-C forgets what is typed, Ctrl-D leaves', async () => {
    await using terminal = new Terminal('debug last', folder.path);
    const after = async (keys: string, shown: string): Promise<void> => {
      terminal.type(keys);
      await terminal.shows(shown);
    };
    await terminal.shows('(debug) ');
    await after('step\r', '[1] step 1 def');
    await after('\r', '[2] step 5 assign');
    await after('fo\u0003', '(debug) ');
    await after('p 1 + 1\r', '2');
    await after('\u0003', 'quit or Ctrl-D leaves');
    terminal.type('\u0004');
    expect(await terminal.ended()).toBe(0);
  });
});
