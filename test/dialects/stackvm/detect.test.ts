/** Which dialect a plan is in, decided by the plan as a whole. */
import { describe, expect, test } from 'vitest';
import { checkProgram, detect } from '../../../src/dialects/index.ts';
import { check, codesIn, environment, run, step } from './plans.ts';

const old = (type: string, parameters: unknown) => ({ seq_no: 0, type, parameters });
const pair = old('assign', { value: 1, var_name: 'final_answer' });
const jump = old('jmp_if', { condition_prompt: 'p', context: 'c', jump_if_true: 1 });

const nameOf = (plan: unknown, dialect?: string): string => {
  const found = detect(JSON.stringify(plan), dialect === undefined ? {} : { dialect });
  return 'name' in found ? found.name : found.code;
};

describe('a plan', () => {
  test.each([
    ['with a condition', [old('condition', {})], 'stackvm-1'],
    ['with llm_generate as type', [old('llm_generate', { prompt: '${x}' })], 'stackvm-1'],
    ['with a retrieval as type', [old('retrieve_knowledge_graph', {})], 'stackvm-1'],
    ['with output_var', [old('vector_search', { output_var: 'x' })], 'stackvm-1'],
    ['with {{x}}', [old('assign', { a: ['{{x}}'] })], 'stackvm-1'],
    ['with {"var": "x"}', [old('assign', { a: { var: 'x' } })], 'stackvm-1'],
    ['with value and var_name alone', [pair], 'stackvm-1'],
    [
      'with value, var_name and ${x}',
      [old('assign', { value: '${x}', var_name: 'y' })],
      'stackvm-1',
    ],
    ['with jmp_if and value, var_name', [jump, pair], 'stackvm-1'],
    ['with jmp_if alone', [jump], 'stackvm-2'],
    ['with calling', [pair, old('calling', {})], 'stackvm-2'],
    ['with calling and output_var', [old('calling', { output_var: 'x' })], 'stackvm-2'],
    ['with an objective', [step(0, 'assign', { value: 1, var_name: 'x' })], 'stackvm-2'],
    ['without a marker', [old('assign', { final_answer: 1 })], 'stackvm-2'],
    ['of reasoning alone', [old('reasoning', {})], 'stackvm-2'],
    ['in a wrapper', { plan: [pair] }, 'stackvm-1'],
    ['of one instruction', pair, 'stackvm-1'],
    ['that hides in a branch', [old('x', { true_branch: [old('calling', {})] })], 'stackvm-2'],
  ])('%s', (_, plan, dialect) => expect(nameOf(plan)).toBe(dialect));

  test('is what the override says', () => {
    expect(nameOf([pair], 'stackvm-2')).toBe('stackvm-2');
    const plan = JSON.stringify([pair, step(1, 'assign', { final_answer: 1 })]);
    const checked = checkProgram(plan, environment(), { dialect: 'stackvm-2' });
    expect(checked).toMatchObject({ ok: true, dialect: 'stackvm-2' });
    expect(codesIn(checked)).toContain('PV2118');
  });

  test('means what its dialect says: two variables in stackvm-2, one in stackvm-1', () => {
    const noted = step(0, 'assign', { value: 1, var_name: 'x' });
    const last = step(1, 'assign', { final_answer: '${value} ${var_name}' });
    expect(run([noted, last]).answer).toBe('1 x');
    expect(run([pair]).answer).toBe(1);
  });
});

describe('what is none', () => {
  test.each([
    ['', 'the text is empty'],
    ['   \n', 'the text is empty'],
    ['Hello there', 'the text is not a program in any known dialect'],
    [
      '{"name": "a", "keywords": [], "type": "module"}',
      'the text is not a program in any known dialect',
    ],
    ['{"name": "a", "type": "commonjs"}', 'the text is not a program in any known dialect'],
    ['I have [no] plan', 'the text is not a program in any known dialect'],
  ])('%j', (text, message) => {
    expect(check(text)).toMatchObject({ ok: false, diagnostics: [{ code: 'PV2002', message }] });
  });

  test.each(['[', '[{"seq_no": 0, "type": "assi', '{"plan": [', '[1, 2]', '{}'])(
    '%s is a plan gone wrong',
    (text) => {
      const { ok, dialect, diagnostics } = check(text);
      expect({ ok, dialect }).toEqual({ ok: false, dialect: 'stackvm-2' });
      expect(
        diagnostics.filter(({ severity, line }) => severity === 'error' && line > 0),
      ).not.toEqual([]);
    },
  );

  test('an unknown dialect has a hint', () => {
    const found = detect('[]', { dialect: 'stackvm2' });
    expect(found).toMatchObject({ code: 'PV2001', hint: 'did you mean stackvm-2?' });
  });
});
