/** `Return F(x)`: what a call gives is returned, however a reply says so; and what has failed is not. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const desk = (steps: string, rest = ''): string =>
  `# Desk\n\n\`\`\`tools\ndef Root(x):\n    return math.sqrt(x)\n\ndef Square(x):\n    return x * x\n` +
  `\`\`\`\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

const root = { call: 'Root', args: { x: 81 }, into: 'root_1' };
const square = { call: 'Square', args: { x: '$root_1' } };

/** `Return Square(Root(81))` has a line for each of both. */
const begun = ops({ step: '01' }, root, { step: '02' });

const written: Readonly<Record<string, string>> = {
  'a yield behind the call': `${begun}\n${ops(square, { yield: 'call' })}`,
  'nothing behind it': `${begun}\n${ops(square)}`,
  'a return of nothing': `${begun}\n${ops(square, { return: null })}`,
  'a variable for it': `${begun}\n${ops({ ...square, into: 'all' }, { return: '$all' })}`,
  $_: `${begun}\n${ops(square, { return: '$_' })}`,
  'its text': `${begun}\n${ops({ return: 'Square($root_1)' })}`,
  'an object': `${begun}\n${ops({ return: square })}`,
  'a name that its line has without a dollar': `${begun}\n${ops({ return: 'Square(root_1)' })}`,
  'the same in the call': `${begun}\n${ops({ ...square, args: { x: 'root_1' } })}`,
  'a trace': JSON.stringify({
    trace: [
      { 'Main:01:QUE': [{ call: { fn: 'Root', args: [81] } }] },
      { 'Main:02:RET': [{ call: { fn: 'Square', args: ['$root_1'] } }] },
    ],
  }),
  'lines of a log':
    '`Step["Main:01:QUE"]`\n`$root_1 = Root(81)`\n`Step["Main:02:RET"]`\n`Return[Square($root_1)]`',
  Python:
    '```python\nawait self.Step("Main:01:QUE")\nroot_1 = await Root(81)\n' +
    'await self.Step("Main:02:RET")\nawait self.Return(await Square(root_1))\n```',
};

describe('a call whose result is returned', () => {
  test.each(Object.entries(written))('by %s', async (_, reply) => {
    const { result, prompts } = await played(desk('- Return Square(Root(81))'), {
      replies: [reply],
    });
    expect(result.error).toBeUndefined();
    expect(result.answer).toBe(81);
    expect(prompts).toHaveLength(1);
  });

  test('Python that returns as functions do', async () => {
    const replies = ['```python\nself.state.x = 81\nreturn self.state.x\n```'];
    const { result } = await played(desk('- $x = 81\n- Return $x'), { replies });
    expect([result.error, result.answer]).toEqual([undefined, 81]);
    const call = '```python\nroot_1 = await Root(81)\nreturn await Square(root_1)\n```';
    const called = await played(desk('- Return Square(Root(81))'), { replies: [call] });
    expect([called.result.error, called.result.answer]).toEqual([undefined, 81]);
  });

  test('what a model is told of it is enough to know', async () => {
    const { prompts } = await played(desk('- Return Square(Root(81))'), {
      replies: [written['nothing behind it'] ?? ''],
    });
    expect(prompts[0]).toContain('02:RET Square(root_1)');
    expect(prompts[0]).toMatch(/RET: return; where a call stands there,\s+queue it and yield/);
  });

  test('a tool gives it as well, and it waits for nothing else', async () => {
    const find = quickTool('find', () => 'a map', { effect: 'read' });
    const { result, prompts } = await played(desk('- Return find()'), {
      tools: [find],
      replies: [ops({ step: '01' }, { call: 'find' }, { yield: 'call' })],
    });
    expect(result.answer).toBe('a map');
    expect(prompts).toHaveLength(1);
  });

  test('of a playbook, nobody comes back to the caller', async () => {
    const { result, prompts } = await played(
      desk('- Return Half(9)', '## Half(n)\n### Steps\n- Return n\n'),
      {
        replies: ['```python\nawait self.Return(await Half(9))\n```', ops({ return: '$n' })],
      },
    );
    expect(result.answer).toBe(9);
    expect(prompts).toHaveLength(2);
  });

  test('a text that only looks like a call is a text', async () => {
    const way = 'Root(81) is nine';
    const { result, prompts } = await played(desk('- $way = find the way\n- Return $way'), {
      replies: [ops({ set: { way } }, { step: '02' }, { return: way })],
    });
    expect([result.answer, prompts.length]).toEqual([way, 1]);
  });
});

describe('what a call sets is returned as it is then', () => {
  const puts = (result: string, put = '$q = v') =>
    desk(`- Put(5)\n- Return ${result}`, `## Put(v)\n### Steps\n- ${put}\n- Say("put {v}")\n`);
  const put = (result: string) =>
    ops({ step: '01' }, { call: 'Put', args: { v: 5 } }, { step: '02' }, { return: result });
  const said = { say: 'put {$v}' };

  test.each([
    ['$q', 5],
    ['q is {$q}', 'q is 5'],
  ])('%s, which had no value before', async (result, answer) => {
    const program = puts(result.includes(' ') ? `"${result}"` : result);
    const { result: came, prompts } = await played(program, {
      replies: [put(result), ops({ step: '01' }, { set: { q: '$v' } }, { step: '02' }, said)],
    });
    expect([came.error, came.answer, came.warnings]).toEqual([undefined, answer, []]);
    expect(prompts).toHaveLength(2);
  });

  test('where it sets nothing, whoever goes on is told', async () => {
    const { result, prompts } = await played(puts('$q', 'Say("nothing")'), {
      replies: [
        put('$q'),
        ops({ step: '01' }, { say: 'nothing' }, { step: '02' }, said),
        ops({ step: '02' }, { return: 7 }),
      ],
      strictness: 'advise',
    });
    expect([result.error, result.answer]).toEqual([undefined, 7]);
    expect(prompts[2]).toContain('Line 02 needs what has no value');
    expect(prompts[2]).toContain('Go on at line 02.');
  });
});

describe('what has failed', () => {
  const failing = desk('- $r = Root("x")\n- Return Square($r)');
  const call = { call: 'Root', args: { x: 'x' }, into: 'r' };

  test('is not passed on: the line that needs it is done anew', async () => {
    const { result, prompts } = await played(failing, {
      replies: [
        ops({ step: '01' }, call, { step: '02' }, { call: 'Square', args: { x: '$r' } }),
        ops({ step: '02' }, { call: 'Square', args: { x: 3 } }),
      ],
    });
    expect(result.error).toBeUndefined();
    expect(result.answer).toBe(9);
    expect(prompts[1]).toContain('Root into $r failed: PV3101');
    expect(prompts[1]).toContain('Line 02 needs what has failed');
    expect(prompts[1]).not.toContain('Square failed');
  });

  test('is not returned, and the loop does not fail for it', async () => {
    const { result, prompts } = await played(desk('- $r = Root("x")\n- Return $r'), {
      replies: [
        ops({ step: '01' }, call, { step: '02' }, { return: '$r' }),
        ops({ step: '02' }, { return: 'unknown' }),
      ],
    });
    expect(result.error).toBeUndefined();
    expect(result.answer).toBe('unknown');
    expect(prompts[1]).toContain('Go on at line 02.');
  });

  test('is not said, nor what comes behind it', async () => {
    const { result, said } = await played(
      desk('- r = Root("x")\n- Say("Root: {r}")\n- Say("Bye")'),
      {
        strictness: 'advise',
        replies: [
          ops({ step: '01' }, call, { step: '03' }, { say: 'Root: {$r}' }, { say: 'Bye' }),
          ops({ say: 'No root' }, { say: 'Bye' }, { return: null }),
        ],
      },
    );
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['No root', 'Bye']);
  });
});

const [one, two] = [3, 4].map((x) => ({ call: 'Square', args: { x }, into: `square_${x - 2}` }));
const none = 'PV7303 line 01 calls Square, and no call was reported';

test.each([
  ['no line and no call', ops({ return: [9, 16] }), none],
  ['no call', ops({ step: '01' }, { step: '02' }, { step: '03' }, { return: [9, 16] }), none],
  [
    'one call',
    ops({ step: '01' }, { ...one }, { step: '02' }, { step: '03' }, { return: ['$square_1', 16] }),
    'PV7303 line 02 calls Square, and no call was reported',
  ],
  [
    'other values than the calls give',
    ops({ step: '01' }, { ...one }, { step: '02' }, { ...two }, { step: '03' }, { return: [1, 2] }),
    'PV7316',
  ],
])('a list of results is not made up: %s', async (_, reply, problem) => {
  const all = ops(
    { step: '02' },
    { ...two },
    { step: '03' },
    { return: ['$square_1', '$square_2'] },
  );
  const { result, prompts } = await played(desk('- Return [Square(3), Square(4)]'), {
    replies: [reply, `${ops({ step: '01' }, { ...one })}\n${all}`],
  });
  expect(result.warnings[0]?.message).toContain(problem);
  expect([result.answer, prompts.length]).toEqual([[9, 16], 2]);
});

test.each([
  ['a value of its own', { return: 5 }, '5'],
  ['another variable', { return: '$a' }, '9'],
  ['words', { return: 'nine: {$a}' }, '"nine: 9"'],
  ['a list', { return: [9] }, '[9]'],
])('what a call gives is returned, and not %s', async (_, end, got) => {
  const call = { call: 'Square', args: { x: '$a' }, into: 'all' };
  for (const made of [call, { ...call, into: undefined }]) {
    const { result, prompts } = await played(desk('- $a = 9\n- Return Square($a)'), {
      replies: [
        ops({ step: '01' }, { set: { a: 9 } }, { step: '02' }, made, end),
        ops(made, { return: null }),
      ],
    });
    const text = `PV7316 line 02 returns what Square gives, got ${got}`;
    expect(result.warnings[0]?.message).toContain(text);
    expect([result.error, result.answer, prompts.length]).toEqual([undefined, 81, 2]);
  }
});

test('what a call sets fires its trigger also where the next call is the last', async () => {
  const text = desk(
    '- $n = Square(3)\n- Return Half($n)',
    '## Half(n)\n### Steps\n- Return n\n\n## Nine\n### Triggers\n- When $n == 9\n### Steps\n- Say("nine")\n',
  );
  const { result, said } = await played(text, {
    replies: [
      ops(
        { step: '01' },
        { call: 'Square', args: { x: 3 }, into: '$n' },
        { step: '02' },
        { call: 'Half', args: { n: '$n' } },
      ),
      ops({ say: 'nine' }, { return: null }),
      // Of the reply that the trigger has cut, the call behind it is not done.
      ops({ step: '02' }, { call: 'Half', args: { n: '$n' } }),
      ops({ return: '$n' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(said).toEqual(['nine']);
  expect(result.answer).toBe(9);
});

describe('nothing in place of what a call gives', () => {
  const text = desk('- Return Square("a")');
  const nothing = ops({ step: '01' }, { return: null });

  test('where it was not made, also by a reply that begins there', async () => {
    const { result, prompts } = await played(text, { replies: [nothing, nothing] });
    expect(result.error?.code).toBe('PV7303');
    expect(prompts[1]).toContain('line 01 returns what Square gives, and no call was reported');
  });

  test.each([null, 'no root'])('but where it has failed: %j', async (answer) => {
    const call = ops({ step: '01' }, { call: 'Square', args: ['a'] });
    const { result } = await played(text, { replies: [call, ops({ return: answer })] });
    expect([result.error, result.answer]).toEqual([undefined, answer]);
  });
});

describe('a line that returns what is there, in forms that do not say what is returned', () => {
  const silent: Readonly<Record<string, string>> = {
    'a trace': JSON.stringify({
      trace: [{ 'Main:01:EXE': [{ updated_vars: { $n: 4 } }] }, { 'Main:02:RET': [] }],
    }),
    'lines of a log':
      '`Step["Main:01:EXE"]`\n`Var[$n, 4]`\n`Step["Main:02:RET"]` Return $n\nyld return',
    'operations, ended': ops({ step: '01' }, { set: { $n: 4 } }, { step: '02' }),
  };

  test.each(Object.entries(silent))('%s', async (_, reply) => {
    const replies = [reply];
    const { result } = await played(desk('- $n = 4\n- Return $n'), { replies });
    expect([result.error, result.answer, result.warnings]).toEqual([undefined, 4, []]);
  });
});
