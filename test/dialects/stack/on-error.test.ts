/** What becomes of elements of a foreach whose statement fails: src/dialects/stack/lower-foreach.ts. */
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/program/effect.ts';
import { drive } from '../../golden/drive.ts';
import { check, environment, said } from './tools.ts';

const each = (onError: string, body = 'function_call(web.get(stack_pop(1)))'): string =>
  `foreach(data(["a", "b", "c"]), ${body}${onError})\nanswer(stack())`;

/** Runs a program in which requests fail as often as `failures` says of their arguments. */
function run(source: string, failures: Record<string, number>, pick = 0) {
  const { program, diagnostics } = check(source);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const left = new Map(Object.entries(failures));
  const asked: string[] = [];
  const outcome = ({ tool, args }: { tool: string; args: string }): Outcome => {
    const said = Object.values(JSON.parse(args)).flat().join(' ');
    asked.push(`${tool} ${said}`);
    const key = [...left.keys()].find((part) => `${tool} ${said}`.includes(part));
    const count = key === undefined ? 0 : (left.get(key) ?? 0);
    if (key === undefined || count === 0) return { ok: true, value: JSON.stringify(`<${said}>`) };
    left.set(key, count - 1);
    return { ok: false, error: { code: 'PV4202', message: `no ${said}` } };
  };
  const script = { tools: environment().tools, inputs: new Map(), outcome };
  const policy = {
    fuel: () => 100_000,
    pick: (count: number) => (pick * 7) % count,
    eager: () => false,
  };
  const { result } = drive([program], script, policy);
  const answers = result
    .split('\n')
    .flatMap((line) => /^answer (.*) at step/.exec(line)?.[1] ?? []);
  return { result, asked, answers };
}

describe('the statement around a failed element', () => {
  test.each([0, 1, 2])('passes it over, and says so (order %i)', (pick) => {
    const { answers, result } = run(each(', on_error="skip"'), { 'get b': 9 }, pick);
    expect(answers).toEqual(['["<a>","<c>"]']);
    expect(result).toContain('foreach passed over element 2');
    expect(result).toContain('no b');
  });

  test('does it again, as often as it says, and then fails at its place', () => {
    const again = run(each(', on_error="retry 2"'), { 'get b': 2 });
    expect(again.answers).toEqual(['["<a>","<b>","<c>"]']);
    expect(again.asked.filter((one) => one.includes('get b'))).toHaveLength(3);
    const spent = run(each(', on_error="retry"'), { 'get b': 9 });
    expect(spent.result).toMatch(/^failed/);
    expect(spent.result).toContain('no b');
    expect(spent.asked.filter((one) => one.includes('get b'))).toHaveLength(2);
  });

  test('does it again, then passes it over', () => {
    const { answers, asked } = run(each(', "retry, skip"'), { 'get b': 9, 'get c': 1 });
    expect(answers).toEqual(['["<a>","<c>"]']);
    expect(asked.filter((one) => one.includes('get b'))).toHaveLength(2);
  });

  test('has another statement stand in, which sees the element', () => {
    const { answers } = run(each(', on_error=llm_call("Guess")'), { 'get b': 9 });
    expect(answers).toEqual(['["<a>","<b Guess element 2>","<c>"]']);
  });

  test('catches what fails in a part of the statement', () => {
    const body = 'llm_call(function_call(web.get(stack_pop(1))), "Sum up")';
    expect(run(each(', on_error="skip"', body), { 'get b': 9 }).answers[0]).not.toContain('<b>');
  });

  test('all elements are asked for before any has come', () => {
    const { program } = check(each(', on_error="skip"'));
    if (!program) throw new Error('no program');
    const open: number[] = [];
    const script = {
      tools: environment().tools,
      inputs: new Map(),
      outcome: () => ({ ok: true as const, value: '"x"' }),
    };
    const pick = (count: number): number => {
      open.push(count);
      return 0;
    };
    drive([program], script, { fuel: () => 100_000, pick, eager: () => false });
    expect(open[0]).toBe(3);
  });

  test('writes are made one after the other', () => {
    const body = 'function_call(mail.send(stack_pop(1), "hello"))';
    const { answers, asked } = run(each(', on_error="skip"', body), { 'send b': 9 });
    expect(asked.map((one) => one.split(' ')[1])).toEqual(['a', 'b', 'c']);
    expect(answers).toEqual(['["<a hello>","<c hello>"]']);
  });
});

test.each([
  ['on_error="later"', 'PV2702'],
  ['on_error=3', 'PV2702'],
  ['on_error=answer("x")', 'PV2702'],
  ['other="skip"', 'PV2702'],
])('%s is refused', (argument, code) => {
  expect(said(each(`, ${argument}`)).some((one) => one.startsWith(code))).toBe(true);
});

test('what cannot be taken back is refused in it', () => {
  const text = check(each(', on_error="skip"', 'answer(stack_pop(1))')).diagnostics;
  expect(text.map(({ message }) => message).join()).toContain(
    'want a statement that pushes values',
  );
});

describe('values of foreach that are left over or half taken are warned of', () => {
  const all = 'data("a, b")\nforeach(stack_pop(1), llm_call("t"))\n';
  test.each<[string, string[]]>([
    [`${all}answer(stack())`, []],
    [`${all}answer("done")`, ['PV2729 2:1']],
    [`${all}answer(stack_pop(1))`, ['PV2730 3:8']],
    [
      `${all}llm_call(stack_pop(1), "Put all of them together")\nanswer(stack_pop(1))`,
      ['PV2730 3:10'],
    ],
    [`${all}data("x")\nanswer(stack_pop(1))`, ['PV2729 2:1']],
    [`${all}data("x")\nanswer(stack_pop(2))`, ['PV2730 4:8']],
    ['foreach(["a", "b"], llm_call("t"))\nanswer(stack_pop(2))', []],
    ['foreach(["a", "b"], llm_call("t"))\nanswer(stack_pop(1))', ['PV2730 2:8']],
    ['foreach(["a"], llm_call("t"))\nanswer(stack_pop(1))', []],
    ['foreach(["a", "b"], llm_call("t"))\ndata(stack())\nanswer(stack_pop(1))', []],
  ])('%j', (source, warnings) => {
    expect(said(source).filter((one) => /^PV27(29|30)/.test(one))).toEqual(warnings);
  });
});
