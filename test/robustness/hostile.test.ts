/**
 * Programs that would take all time or all memory, or break what reads them, through the command
 * line: each ends with an error that has a place, or meets a budget and can be resumed.
 */
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';

/** A stackvm-2 plan that looks at step 0 again and again. */
const round = [
  { seq_no: 0, type: 'assign', execution_objective: 'Grow.', parameters: { a: 'aa' } },
  { seq_no: 1, type: 'jmp', execution_objective: 'Again.', parameters: { target_seq: 0 } },
  { seq_no: 2, type: 'assign', execution_objective: 'Never.', parameters: { final_answer: 'x' } },
];

/** Steps that double a text until it is too large. */
const doubling = [
  { seq_no: 0, type: 'assign', execution_objective: 'Begin.', parameters: { v0: 'x'.repeat(64) } },
  ...Array.from({ length: 40 }, (_, i) => ({
    seq_no: i + 1,
    type: 'assign',
    execution_objective: 'Double.',
    parameters: { [`v${i + 1}`]: `${ref(`v${i}`)}${ref(`v${i}`)}` },
  })),
  answering(41, ref('v40')),
];

const shared = 'x = [1]\nfor i in range(60): x = [x, x]\n';
const deep = 'x = ()\nfor i in range(3000): x = (x,)\n';

/** Files, and the code, the place and the words of the error that each ends in. */
const failing: readonly (readonly [name: string, text: unknown, says: RegExp])[] = [
  ['repeat.star', 'y = 1\nx = "x" * 1000000000', /2:9: error PV3012: excessive repeat/],
  ['range.star', 'x = list(range(1000000000000))', /1:9: error PV3012: a value of \d+ bytes/],
  ['spread.star', 'def f(*a): pass\nf(*range(1000000000))', /2:2: error PV3012/],
  ['in-place.star', 'x = []\nx += range(1000000000)', /2:3: error PV3012/],
  ['pow.star', 'x = 10 ** 10000000000', /1:8: error PV3012: an int of about \d+ bits/],
  ['square.star', 'x = 3\nfor i in range(99): x = x * x', /2:27: error PV3012: an int/],
  ['shift.star', 'x = 1\nfor i in range(9999): x = x << 511', /2:29: error PV3012: an int/],
  ['width.star', 'x = "%999999999d" % 1', /1:19: error PV3012/],
  ['recursion.star', 'def f(n): return f(n + 1)\nf(0)', /1:19: error PV3013: .*calls nest deeper/],
  ['cycle.star', 'x = []\nx.append(x)\nanswer(x)', /3:7: error PV3017: values nest deeper/],
  [
    'equal.star',
    `${shared}${shared.replaceAll('x', 'y')}z = x == y`,
    /error PV3012: a comparison looks at more than/,
  ],
  ['text.star', `${shared}y = str(x)`, /3:8: error PV3012/],
  ['json.star', `${shared}y = json.encode(x)`, /3:16: error PV3012/],
  ['answer.star', `${shared}answer(x)`, /3:7: error PV3012/],
  ['key.star', `${deep}y = {x: 1}`, /3:\d+: error PV3017/],
  ['decode.star', 'x = json.decode("[" * 100000)', /1:16: error PV3017/],
  ['fail.star', 'fail("x" * 500000)', /1:5: error PV3105: fail: x+… and \d+ characters more/],
  ['argument.star', 'x = int("9" * 900000)', /1:8: error PV3012/],
  ['visits.json', round, /error PV3014: step \d was entered 1000 times/],
  ['doubling.json', doubling, /error PV3012: a value of \d+ bytes or more/],
];

/** What ends in a budget, with the flags that make it end soon. */
const endless: readonly (readonly [name: string, text: unknown, flags: readonly string[]])[] = [
  ['loop.star', 'while True: pass', ['--instructions', '100000']],
  ['long.star', 'for i in range(1000000000000): pass', ['--instructions', '100000']],
  ['member.star', 'x = [0] * 100000\nwhile True: y = 1 in x', ['--instructions', '1000000']],
  ['hash.star', 'x = "a" * 1000000\nwhile True: y = hash(x)', ['--instructions', '1e7']],
  ['product.star', 'x = 3 ** 200000\nwhile True: y = x * x', ['--instructions', '1e6']],
  ['digits.star', 'x = 3 ** 200000\nwhile True: y = str(x)', ['--instructions', '1e6']],
  ['attempt.star', 'def f(): return 1 // 0\nwhile True: attempt(f)', ['--instructions', '1e5']],
  ['lists.star', 'x = []\nwhile True: x.append([])', ['--memory-bytes', '1000000']],
  [
    'variables.star',
    'x = [""] * 1000\nwhile True:\n    for i in range(1000): x[i] += "abcdefgh"',
    ['--memory-bytes', '1000000'],
  ],
  [
    'texts.star',
    'x = []\nwhile True: x.append(("a" * 10000).upper() + str(len(x)))',
    ['--memory-bytes', '1000000'],
  ],
  ['answers.star', 'while True: answer("x" * 1000)', ['--memory-bytes', '1000000']],
  ['prints.star', 'while True: print("x" * 10000)', ['--instructions', '100000']],
];

describe('ends in an error', () => {
  test.each(failing)('%s', async (name, text, says) => {
    using folder = new Folder({ [name]: text });
    const { code, stderr } = await folder.planvm(['run', name, '--value-bytes', '1000000']);
    expect(stderr).toMatch(says);
    expect([1, 3]).toContain(code);
    expect(stderr.length).toBeLessThan(60_000);
  });
});

describe('meets a budget', () => {
  test.each(endless)('%s', async (name, text, flags) => {
    using folder = new Folder({ [name]: text });
    const { code, stderr, stdout } = await folder.planvm(['run', name, '--json', ...flags]);
    const { status, error, run } = JSON.parse(stdout);
    expect({ code, status, error }).toMatchObject({
      code: 5,
      status: 'suspended',
      error: { code: 'PV5101', hint: expect.stringContaining(`${flags[0]} `) },
    });
    expect(stderr).toContain(`planvm resume ${run} ${flags[0]} `);
  });
});

test('a run that has filled its memory goes on with more of it, and keeps what was paid for', async () => {
  const tools = `
    import { appendFileSync } from 'node:fs';
    export default [{ name: 'look', description: 'Looks.', effect: 'read',
      parameters: { type: 'object', properties: { n: {} } },
      run({ n }) { appendFileSync('calls.log', n + ' '); return n; } }];`;
  const source = 'a = look(n = 1) + 0\nx = [[i] for i in range(20000)]\nanswer(look(n = len(x)))';
  using folder = new Folder({ 'tools.mjs': tools, 'grow.star': source });
  const args = ['run', 'grow.star', '--tools', 'tools.mjs', '--memory-bytes', '500000'];
  const first = await folder.planvm(args);
  expect(first.code).toBe(5);
  const [, line = ''] = /^ {2}planvm (resume .+)$/m.exec(first.stderr) ?? [];
  const second = await folder.planvm(line.replace(/\d+$/, '100000000').split(' '));
  expect({ code: second.code, answer: second.stdout.trim() }).toEqual({ code: 0, answer: '20000' });
  expect(folder.read('calls.log')).toBe('1 20000 ');
});

test('a plan in JSON that calls itself into the ground meets the same limits', async () => {
  const steps = Array.from({ length: 30 }, (_, i) =>
    calling(i, 'calculate', { expression: i === 0 ? '9' : `${ref(`v${i - 1}`)} ** 9` }, `v${i}`),
  );
  using folder = new Folder({ 'powers.json': [...steps, answering(30, ref('v29'))] });
  const { code, stderr } = await folder.planvm(['run', 'powers.json']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/error PV4\d+: .*digits/);
});
