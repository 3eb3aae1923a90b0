/** Taking programs apart into steps, and putting other steps in their place. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stackvm2 } from '../../src/dialects/stackvm/index.ts';
import { starlark } from '../../src/dialects/starlark/index.ts';

const step = (number: number, name: string): string =>
  `{"seq_no": ${number}, "type": "assign", "parameters": {"${name}": ${number}}}`;
const listOf = (...texts: string[]): string =>
  `[\n${texts.map((one) => `  ${one}`).join(',\n')}\n]\n`;
const plan = listOf(step(0, 'a'), step(1, 'b'), step(2, 'final_answer'));

describe('a plan', () => {
  const { of, replace } = stackvm2.parts ?? {};
  if (!of || !replace) throw new Error('a plan has parts');

  test('is its instructions, in the order of their numbers', () => {
    const mixed = `Here:\n\`\`\`json\n[${step(2, 'c')}, ${step(0, 'a')}]\n\`\`\``;
    expect(of(mixed)).toMatchObject([
      { label: '0', text: step(0, 'a') },
      { label: '2', text: step(2, 'c') },
    ]);
    expect(of('no list')).toEqual([]);
  });

  test.each([
    ['step', step(1, 'x'), listOf(step(0, 'a'), step(1, 'x'), step(2, 'final_answer'))],
    ['step', `[${step(1, 'x')}]`, listOf(step(0, 'a'), step(1, 'x'), step(2, 'final_answer'))],
    [
      'step',
      '{"type": "reasoning"}',
      listOf(step(0, 'a'), '{"seq_no": 1, "type": "reasoning"}', step(2, 'final_answer')),
    ],
    ['rest', `[${step(1, 'final_answer')}]`, listOf(step(0, 'a'), step(1, 'final_answer'))],
    // The steps before may be repeated, whatever their spaces.
    [
      'rest',
      `[{"type":"assign","seq_no":0,"parameters":{"a":0}}, ${step(1, 'final_answer')}]`,
      listOf(step(0, 'a'), step(1, 'final_answer')),
    ],
  ] as const)('takes a %s: %s', (scope, written, text) => {
    expect(replace(plan, { at: '1', scope, written })).toEqual({ text });
  });

  test.each([
    ['step', `[${step(1, 'x')}, ${step(2, 'y')}]`, 'want one instruction with seq_no 1'],
    ['step', step(2, 'x'), 'want one instruction with seq_no 1'],
    ['rest', `[${step(0, 'x')}, ${step(1, 'y')}]`, 'step 0 is changed'],
    ['rest', `[${step(0, 'a')}]`, 'nothing in it in place of step 1'],
    ['rest', `[${step(2, 'x')}]`, 'the lowest seq_no in it has to be 1'],
    ['rest', 'nothing', 'no JSON list'],
  ] as const)('refuses a %s: %s', (scope, written, problem) => {
    const found = replace(plan, { at: '1', scope, written });
    expect(found).toEqual({ problem: expect.stringContaining(problem) });
  });

  test('keeps what it does not replace, for any plan', () => {
    const names = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(names, fc.nat(), fc.constantFrom('step', 'rest'), (all, pick, scope) => {
        const steps = all.map((name, i) => step(i, name));
        const at = pick % steps.length;
        const found = replace(listOf(...steps), {
          ...{ at: String(at), scope, written: step(at, 'other') },
        });
        const behind = scope === 'step' ? steps.slice(at + 1) : [];
        expect(found).toEqual({
          text: listOf(...steps.slice(0, at), step(at, 'other'), ...behind),
        });
      }),
    );
  });
});

const program = `# Two facts.
a = search(query = "a")
b = search(
    query = "b",
)

def both():
    return a + b

# What is asked.
answer(both())
`;

describe('a Starlark program', () => {
  const { of, replace } = starlark.parts ?? {};
  if (!of || !replace) throw new Error('a program has parts');

  test('is its statements, each with the comment above it', () => {
    expect(of(program)).toMatchObject([
      { label: '2', text: '# Two facts.\na = search(query = "a")' },
      { label: '3', text: 'b = search(\n    query = "b",\n)' },
      { label: '7', text: 'def both():\n    return a + b' },
      { label: '11', text: '# What is asked.\nanswer(both())' },
    ]);
    expect(of('a = 1; b = 2\n')).toMatchObject([{ label: '1', text: 'a = 1; b = 2' }]);
  });

  test('takes a step in place of another', () => {
    const written = 'b = 1\nc = 2\n';
    expect(replace(program, { at: '3', scope: 'step', written })).toEqual({
      text: program.replace('b = search(\n    query = "b",\n)\n\n', 'b = 1\nc = 2\n'),
    });
  });

  test.each([
    ['answer(a)', 'behind what stays'],
    ['# Two facts.\na = search(query = "a")\nanswer(a)', 'after a repetition of what stays'],
  ])('takes a rest %s', (written) => {
    expect(replace(program, { at: '3', scope: 'rest', written })).toEqual({
      text: '# Two facts.\na = search(query = "a")\nanswer(a)\n',
    });
  });

  test.each([
    ['without a comment', '11', 'answer(1)', '\n\nanswer(1)\n'],
    ['with as long a comment', '11', '# One.\nanswer(1)', '\n# One.\nanswer(1)\n'],
    ['with a longer one', '11', '# One.\n# Two.\nanswer(1)', '# One.\n# Two.\nanswer(1)\n'],
    ['with a comment and no room', '3', '# One.\nb = 1\nanswer(b)', 'b = 1\n# One.\n\nanswer(b)\n'],
  ])('keeps the line of a step that is written %s', (_, at, written, end) => {
    const found = replace(program, { at, scope: 'rest', written });
    if (!('text' in found)) throw new Error(found.problem);
    expect(found.text.endsWith(end)).toBe(true);
    expect(of(found.text).map(({ label }) => label)).toContain(at);
    expect(found.text.startsWith(program.split('\n').slice(0, 2).join('\n'))).toBe(true);
  });

  test('keeps the files that it loads', () => {
    const text = 'load("f.star", "f")\nanswer(f())\n#: file "f.star"\ndef f():\n    return 1\n';
    expect(replace(text, { at: '2', scope: 'rest', written: 'answer(2)' })).toEqual({
      text: text.replace('answer(f())', 'answer(2)'),
    });
  });

  test('refuses a program that was changed from its beginning', () => {
    const written = '# Two facts.\na = search(query = "a")\nb = 2\nanswer(b)';
    expect(replace(program, { at: '11', scope: 'rest', written })).toEqual({
      problem: 'it begins with line 2; lines before 11 stay as they are',
    });
  });
});
