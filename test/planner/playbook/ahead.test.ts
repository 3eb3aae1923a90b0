/** What a reply does ahead of the functions and playbooks it has queued, and what it does not. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, type PlayOptions, played } from './played.ts';
import { slowTool, takesWhat } from './slow-tool.ts';

const code = `def Find(what):
    return look(what = what)

def Twice(what):
    return what + what

def Known():
    return state["n"]

def Up():
    state["n"] = "up"

def Add(xs, what):
    xs.append(what)`;

const desk = (steps: string, rest = ''): string =>
  `# Desk\n\n\`\`\`tools\n${code}\n\`\`\`\n\n` +
  `## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

const call = (callee: string, what: string, into: string) => ({
  ...{ call: callee, args: { what }, into },
});

const playing = async (program: string, ...reply: readonly object[]) =>
  await playingSo(program, {}, ...reply);

const playingSo = async (
  program: string,
  so: Pick<PlayOptions, 'oneByOne'>,
  ...reply: readonly object[]
) => {
  const { tool, log } = slowTool();
  const options = { ...so, tools: [tool], replies: [ops(...reply)], inline: 8 };
  const { result, prompts } = await played(program, options);
  expect(result.error).toBeUndefined();
  expect(prompts).toHaveLength(1);
  return { answer: result.answer, log };
};

describe('it overlaps', () => {
  test('a tool with a function that was called before it', async () => {
    const program = desk('- $a = Find("a")\n- $b = look("b")\n- Return [$a, $b]');
    const { log } = await playing(program, call('Find', 'a', '$a'), call('look', 'b', '$b'), {
      return: ['$a', '$b'],
    });
    expect(log.slice(0, 2).toSorted()).toEqual(['a begins', 'b begins']);
  });

  test('but not where each line is to be stopped at before anything of it is done', async () => {
    const program = desk('- $a = Find("a")\n- $b = look("b")\n- Return [$a, $b]');
    const reply = [call('Find', 'a', '$a'), call('look', 'b', '$b'), { return: ['$a', '$b'] }];
    const { log } = await playingSo(program, { oneByOne: true }, ...reply);
    expect(log.slice(0, 2)).toEqual(['a begins', 'a ends']);
  });

  test('functions on both sides of a local variable, with the tool that takes it', async () => {
    const steps = '- $a = Find("a")\n- n = "b"\n- $b = look(n)\n- $c = Find("c")\n- Return $c';
    const { answer, log } = await playing(
      desk(steps),
      call('Find', 'a', '$a'),
      { set: { n: 'b' } },
      call('look', '$n', '$b'),
      call('Find', 'c', '$c'),
      { return: '$c' },
    );
    expect(answer).toBe('found c');
    expect(log.slice(0, 3).toSorted()).toEqual(['a begins', 'b begins', 'c begins']);
  });

  test('playbooks that stand in the place of their calls', async () => {
    const steps = '- $a = Seek("a")\n- $b = Seek("b")\n- Return $b';
    const { answer, log } = await playing(
      desk(steps, '## Seek(what)\n### Steps\n- x = look(what)\n- Return x\n'),
      { set: { what: 'a' } },
      call('look', '$what', 'x'),
      { set: { $a: '$x' } },
      { set: { seek_02_what: 'b' } },
      call('look', '$seek_02_what', 'seek_02_x'),
      { set: { $b: '$seek_02_x' } },
      { return: '$b' },
    );
    expect(answer).toBe('found b');
    expect(log.slice(0, 2)).toEqual(['a begins', 'b begins']);
  });
});

describe('it is as if each had waited for the one before it', () => {
  const pair = { return: ['$a', '$x'] };
  test.each([
    [
      'where a tool gives anew what a function was called with',
      '- x = "0"\n- $a = Twice(x)\n- x = look("b")\n- Return [$a, x]',
      [{ set: { x: '0' } }, call('Twice', '$x', '$a'), call('look', 'b', 'x'), pair],
      ['00', 'found b'],
    ],
    [
      'where a local variable is set anew that a function was called with',
      '- x = "0"\n- $a = Twice(x)\n- x = "1"\n- Return [$a, x]',
      [{ set: { x: '0' } }, call('Twice', '$x', '$a'), { set: { x: '1' } }, pair],
      ['00', '1'],
    ],
    [
      'where both give the same variable',
      '- x = Twice("0")\n- x = look("b")\n- $a = 1\n- Return [$a, x]',
      [call('Twice', '0', 'x'), call('look', 'b', 'x'), { set: { $a: 1 } }, pair],
      [1, 'found b'],
    ],
    [
      'where a function reads by itself what a tool gives',
      '- $n = "0"\n- $a = Known()\n- $n = look("b")\n- x = 2\n- Return [$a, x]',
      [
        { set: { $n: '0' } },
        { call: 'Known', into: '$a' },
        call('look', 'b', '$n'),
        { set: { x: 2 } },
        pair,
      ],
      ['0', 2],
    ],
    [
      'where a function sets what a local variable takes',
      '- $n = "0"\n- x = Set()\n- $a = 1\n- Return [$a, x]\n\n## Set\n### Steps\n- Up()\n- Return $n',
      [{ set: { $n: '0' } }, { call: 'Up' }, { set: { x: '$n' } }, { set: { $a: 1 } }, pair],
      [1, 'up'],
    ],
    [
      'where a function changes the list that a tool is given',
      '- x = []\n- Fill(x)\n- y = look(x)\n- Return y\n\n## Fill(x)\n### Steps\n- Add(x, "b")',
      [
        { set: { x: [] } },
        { call: 'Add', args: { xs: '$x', what: 'b' } },
        call('look', '$x', 'y'),
        { return: '$y' },
      ],
      'found b',
    ],
  ])('%s', async (_, steps, reply, answer) => {
    expect((await playing(desk(steps), ...reply)).answer).toEqual(answer);
  });

  test.each([
    ['a function', 'Put("b")', { call: 'Put', args: { what: 'b' } }],
    ['a playbook', 'Store("b")', { call: 'Store', args: { what: 'b' } }],
    ['a function that plays one', 'Both("b")', { call: 'Both', args: { what: 'b' } }],
  ])('where %s writes what a tool reads behind it', async (_, line, first) => {
    const all: unknown[] = [];
    const put = quickTool('put', ({ what }) => all.push(what), {
      ...{ effect: 'write', idempotent: false, parameters: takesWhat },
    });
    const count = quickTool('count', () => all.length, {
      parameters: { type: 'object', properties: {} },
    });
    const text = `# Desk

\`\`\`tools
def Put(what):
    put(what = what)

def Both(what):
    Store(what)
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- ${line}
- $n = count()
- Return $n

## Store(what)
### Steps
- put(what)
`;
    const { result } = await played(text, {
      tools: [put, count],
      replies: ({ prompt }) =>
        prompt.includes('called as Store(')
          ? ops({ step: '01' }, { call: 'put', args: { what: '$what' } })
          : ops(
              { step: '01' },
              first,
              { step: '02' },
              { call: 'count', into: '$n' },
              { return: '$n' },
            ),
    });
    expect(result.error).toBeUndefined();
    expect(result.answer).toBe(1);
  });

  test('where a reply has to be mended behind it', async () => {
    const { tool, log } = slowTool();
    const steps = '- m = "0"\n- n = "1"\n- $a = Twice(5)\n- m = n\n- n = "2"\n- Return [$a, m, n]';
    const { result } = await played(desk(steps), {
      tools: [tool],
      replies: [
        ops(
          { set: { m: '0' } },
          { set: { n: '1' } },
          { call: 'Twice', args: { what: 5, much: 1 }, into: '$a' },
          { set: { m: '$n' } },
          { set: { n: '2' } },
          { return: ['$a', '$m', '$n'] },
        ),
        ops(
          { call: 'Twice', args: { what: 5 }, into: '$a' },
          { set: { m: '$n' } },
          { set: { n: '2' } },
          { return: ['$a', '$m', '$n'] },
        ),
      ],
    });
    expect(log).toEqual([]);
    expect(result).toMatchObject({ status: 'done', answer: [10, '1', '2'] });
  });
});
