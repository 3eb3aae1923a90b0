/** Plans that cannot be run, or that would never end: each meets an error with its place. */
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';

interface Broken {
  readonly plan: unknown;
  readonly code: string;
  /** The text that the error points at. */
  readonly at: string;
  /** What the message or its hint has to say. */
  readonly says: string;
}

const jump = (seq_no: number, parameters: Record<string, unknown>): unknown => ({
  seq_no,
  type: 'jmp',
  execution_objective: 'Go on.',
  parameters,
});

const broken: Readonly<Record<string, Broken>> = {
  'an empty text': { plan: '', code: 'PV2002', at: '', says: 'empty' },
  'a refusal': {
    plan: 'I am sorry, but I cannot help with that.',
    code: 'PV2002',
    at: 'I am sorry',
    says: 'not a program in any known dialect',
  },
  'JSON cut in a string': {
    plan: '[{"seq_no": 0, "type": "assign",\n "parameters": {"final_answer": "The capi',
    code: 'PV1010',
    at: '"The capi',
    says: 'cut short is never run',
  },
  'JSON cut between two steps': {
    plan: `[${JSON.stringify(answering(0, 'a'))},\n`,
    code: 'PV1010',
    at: '[',
    says: 'ends before the list here is closed',
  },
  'an object that is no plan': {
    plan: '{"instructions": 7}',
    code: 'PV2101',
    at: '{',
    says: 'got an object, want a list of instructions',
  },
  'elements that are no instructions': {
    plan: '[1,\n null]',
    code: 'PV2104',
    at: '1,',
    says: 'got 1, want an instruction',
  },
  'a seq_no of the wrong type': {
    plan: '[{"seq_no": "zero",\n"type": "assign", "parameters": {"final_answer": 1}}]',
    code: 'PV2123',
    at: '"zero"',
    says: 'got the text "zero", want an integer from 0',
  },
  'a type of the wrong type': {
    plan: '[{"seq_no": 0,\n"type": 5, "parameters": {}}]',
    code: 'PV2105',
    at: '5',
    says: 'got 5, want the type of the instruction',
  },
  'parameters of the wrong type': {
    plan: '[{"seq_no": 0, "type": "assign",\n"parameters": [1]}]',
    code: 'PV2110',
    at: '[1]',
    says: 'got a list, want an object',
  },
  'an unknown instruction': {
    plan: '[{"seq_no": 0,\n"type": "asign", "parameters": {"final_answer": 1}}]',
    code: 'PV2106',
    at: '"asign"',
    says: 'did you mean assign?',
  },
  'a number that two steps have': {
    plan: `[${JSON.stringify(answering(7, 1))},\n${JSON.stringify(answering(7, 2))}]`,
    code: 'PV2125',
    at: '"assign","execution_objective":"Answer.","parameters":{"final_answer":2}',
    says: 'got seq_no 7 a second time',
  },
  'a jump out of range': {
    plan: [jump(0, { target_seq: 9 }), answering(1, 'a')],
    code: 'PV2128',
    at: '9}',
    says: 'got 9, want the seq_no of a step',
  },
  'an unknown tool': {
    plan: [calling(0, 'calcluate', { expression: '1' }, 'a'), answering(1, ref('a'))],
    code: 'PV2132',
    at: '"calcluate"',
    says: 'did you mean calculate?',
  },
  'brackets and nothing else': {
    plan: '['.repeat(100_000),
    code: 'PV1001',
    at: '[',
    says: 'want a JSON list',
  },
  'values that nest without end': {
    plan: `[{"seq_no": 0, "type": "assign", "parameters": {"final_answer": ${'['.repeat(9999)}`,
    code: 'PV1003',
    at: '[[[[',
    says: 'nesting deeper than 200',
  },
};

test.each(Object.entries(broken))('%s is refused before anything runs', async (_what, wanted) => {
  const { plan, code, at, says } = wanted;
  using folder = new Folder({ 'plan.json': plan });
  const checked = await folder.planvm(['check', 'plan.json', '--json']);
  const ran = await folder.planvm(['run', 'plan.json', '--json']);
  expect([checked.code, ran.code]).toEqual([3, 3]);
  const { ok, diagnostics } = JSON.parse(checked.stdout);
  const first = diagnostics.find((one: { severity: string }) => one.severity === 'error');
  expect({ ok, first }).toMatchObject({ ok: false, first: { code } });
  expect(`${first.message} ${first.hint}`).toContain(says);
  const { line, column, message } = first;
  const pointedAt = folder
    .read('plan.json')
    .split('\n')
    [line - 1]?.slice(column - 1);
  expect(pointedAt?.slice(0, at.length)).toBe(at);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    run: null,
    status: 'invalid',
    error: { code, message, line, column },
  });
  expect(ran.stderr).toContain(`plan.json:${line}:${column}: error ${code}: ${message}`);
  expect(JSON.parse((await folder.planvm(['runs', '--json'])).stdout)).toEqual([]);
});

describe('a plan of 10 MB', () => {
  const text = 'x'.repeat(10_000_000);
  const plan = [{ ...answering(0, ''), parameters: { a: text } }, answering(1, `${ref('a')}!`)];

  test('is over the limit, which says how to raise it', async () => {
    using folder = new Folder({ 'plan.json': plan });
    const { code, stdout } = await folder.planvm(['run', 'plan.json', '--json'], lean);
    expect(code).toBe(3);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'PV1002',
      message: expect.stringMatching(/^got a text of 100\d{5} bytes, want at most 4194304$/),
      hint: expect.stringContaining('--source-bytes'),
    });
  });

  test('runs with a larger limit, in bounded memory', async () => {
    using folder = new Folder({ 'plan.json': plan });
    const args = ['run', 'plan.json', '--source-bytes', '20MB', '--quiet'];
    const { code, stdout } = await folder.planvm(args, lean);
    expect({ code, answer: stdout.length }).toEqual({ code: 0, answer: text.length + 2 });
  });

  test('of ten thousands of mistakes is answered with a few of each', async () => {
    const steps = Array.from({ length: 20_000 }, (_, i) => ({
      ...answering(i, ''),
      parameters: { [`variable_${i}`]: `${ref(`variabel_${i}`)} and ${'y'.repeat(400)}` },
    }));
    using folder = new Folder({ 'plan.json': steps });
    const args = ['check', 'plan.json', '--json', '--source-bytes', '20MB'];
    const { code, stdout } = await folder.planvm(args, lean);
    expect(code).toBe(3);
    const { diagnostics } = JSON.parse(stdout);
    expect(diagnostics.length).toBeLessThan(60);
    const [first] = diagnostics;
    expect(first).toMatchObject({ code: 'PV2137', hint: 'did you mean variable_0?' });
    const messages = diagnostics.map(({ message }: { message: string }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/^199\d\d more like the PV2137 here$/));
  });

  /** A heap that a few copies of the plan fit in, and no more. */
  const lean = { env: { NODE_OPTIONS: '--max-old-space-size=400' } };
});

describe('a loop without end', () => {
  test('meets the limit of visits, at the step that it enters', async () => {
    using folder = new Folder({
      'plan.json': [
        { ...answering(0, ''), parameters: { a: 1 } },
        jump(1, { target_seq: 0 }),
        answering(2, ref('a')),
      ],
    });
    const { code, stdout } = await folder.planvm(['run', 'plan.json', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'failed',
      error: {
        code: 'PV3014',
        step: '0@1000',
        line: 1,
        hint: expect.stringContaining('--step-vis'),
      },
    });
  });

  test('of calls is stopped by the first limit that it meets, and the run resumes', async () => {
    using folder = new Folder({
      'plan.json': [
        calling(0, 'calculate', { expression: '1 + 1' }, 'a'),
        jump(1, { target_seq: 0 }),
        answering(2, ref('a')),
      ],
    });
    const limited = await folder.planvm(['run', 'plan.json', '--json', '--effects', '50']);
    expect(limited.code).toBe(5);
    const { run, error } = JSON.parse(limited.stdout);
    expect(error).toMatchObject({ code: 'PV5101', hint: expect.stringContaining('--effects 100') });
    const args = ['resume', run, '--json', '--effects', '2000'];
    const resumed = await folder.planvm(args);
    expect(resumed.code).toBe(1);
    expect(JSON.parse(resumed.stdout).error).toMatchObject({ code: 'PV3014', step: '0@1000' });
    const shown = JSON.parse((await folder.planvm(['show', run, '--json'])).stdout);
    expect(shown.effects).toHaveLength(1000);
    expect(shown.effects.every((one: { attempts: number }) => one.attempts === 1)).toBe(true);
  });
});
