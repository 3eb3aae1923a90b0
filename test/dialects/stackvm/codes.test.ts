/**
 * Each code of the stackvm dialects on the smallest plan that has it. `‹PV2105!›` stands where the
 * diagnostic points, with an exclamation mark for errors; a plan has no others than those shown.
 */
import { describe, expect, test } from 'vitest';
import { codes } from '../../../src/dialects/stackvm/codes.ts';
import { namedMax } from '../../../src/program/opcodes.ts';
import { brief, check, step } from './plans.ts';

/** Names of instructions that are always the same; the rest of a plan is written out. */
const shorthand: Readonly<Record<string, string>> = {
  why: '"execution_objective": "w"',
  end: '"type": "assign", "parameters": {"final_answer": "a"}, "execution_objective": "w"}',
  old: '"type": "assign", "parameters": {"value": "a", "var_name": "final_answer"}}',
};

/** `@why`; and `@end1`, `@old1`: the step 1 that ends a plan of stackvm-2, of stackvm-1. */
const expand = (plan: string): string =>
  plan.replace(/@([a-z]+)(\d*)/g, (_, name: string, number: string) => {
    const text = shorthand[name] ?? '';
    return number === '' ? text : `{"seq_no": ${number}, ${text}`;
  });

/** The plan without its markers, and what they say. */
function read(marked: string): { plan: string; expected: string[] } {
  const expected: string[] = [];
  let plan = '';
  for (const piece of expand(marked).split(/(‹[^›]*›)/)) {
    if (!piece.startsWith('‹')) {
      plan += piece;
      continue;
    }
    const lines = plan.split('\n');
    const place = `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
    for (const code of piece.slice(1, -1).split(' ')) expected.push(`${code}@${place}`);
  }
  return { plan, expected };
}

const cases: readonly (readonly [string, string, ...string[]])[] = [
  ['a scalar', '‹PV2101!›{"steps": 5}'],
  ['nothing', '‹PV2102!›[]'],
  ['one instruction', '‹PV2103›@end0'],
  ['a list of texts', '[‹PV2104!›"assign", ‹PV2104!›null, @end0]'],
  ['no type', '[‹PV2105!›{"seq_no": 0, "parameters": {}, @why}, @end1]'],
  ['a type that is no text', '[{"seq_no": 0, "type": ‹PV2105!›7, @why}, @end1]'],
  ['an unknown type', '[{"seq_no": 0, "type": ‹PV2106!›"asign", "parameters": {}, @why}, @end1]'],
  [
    'a condition in stackvm-2',
    `[{"seq_no": 0, "type": ‹PV2107›"condition", "parameters": {"prompt": "p", "context": "c",
       "true_branch": [{"seq_no": 1, "type": "calling", "parameters": {"tool": "anything"}, @why}],
       "false_branch": []}, @why}, @end2]`,
  ],
  [
    'a tool as type',
    '[{"seq_no": 0, "type": ‹PV2108›"weather", "parameters": {"place": "x"}, @why}, @end1]',
  ],
  [
    'a type of older plans',
    `[{"seq_no": 0, "type": ‹PV2109›"retrieve_knowledge_embedded_chunks", "parameters":
       {"embedding_query": "q", "output_var": "x"}}, @old1]`,
  ],
  [
    'parameters of older plans',
    `[{"seq_no": 0, "type": "condition", "parameters": {‹PV2109›"condition": "p", "context": "c",
       ‹PV2109›"if_true": [], ‹PV2109›"if_false": []}}, @old1]`,
  ],
  ['no parameters', '[{"seq_no": 0, "type": ‹PV2110!›"calling", @why}, @end1]'],
  [
    'parameters that are a list',
    '[{"seq_no": 0, "type": "calling", "parameters": ‹PV2110!›[], @why}, @end1]',
  ],
  [
    'no tool',
    '[{"seq_no": 0, "type": ‹PV2111!›"calling", "parameters": {"params": {}}, @why}, @end1]',
  ],
  [
    'no target',
    '[{"seq_no": 0, "type": ‹PV2111!›"jmp", "parameters": {"target_seq": null}, @why}, @end1]',
  ],
  [
    'no condition_prompt',
    '[{"seq_no": 0, "type": ‹PV2111!›"jmp", "parameters": {"jump_if_true": 1}, @why}, @end1]',
  ],
  [
    'no var_name',
    '[{"seq_no": 0, "type": ‹PV2111!›"assign", "parameters": {"value": "{{x}}"}}, @old1]',
    'x',
  ],
  [
    'no branch',
    '[{"seq_no": 0, "type": ‹PV2111!›"condition", "parameters": {"prompt": "p {{x}}"}}, @old1]',
    'x',
  ],
  [
    'wrong types',
    `[{"seq_no": 0, "type": "calling", "parameters": {"tool": ‹PV2112!›["weather"],
       "params": ‹PV2112!›"x", "output_vars": ‹PV2112!›{"a": "b"}}, @why},
      {"seq_no": 1, "type": "reasoning", "parameters": {}, "execution_objective": ‹PV2112!›[]}, @end2]`,
  ],
  [
    'names that are empty',
    `[{"seq_no": 0, "type": "assign", "parameters": {‹PV2112!›"": 1}, @why},
      {"seq_no": 1, "type": "calling", "parameters": {"tool": "anything",
       "output_vars": ["a", ‹PV2112!›"", ‹PV2112!›5]}, @why}, @end2]`,
  ],
  [
    'an unknown parameter',
    '[{"seq_no": 0, "type": "jmp", "parameters": {"target_seq": 1, ‹PV2113›"traget": 9}, @why}, @end1]',
  ],
  [
    'an unknown key',
    '[{"seq_no": 0, "type": "reasoning", "parameters": {}, ‹PV2114›"comment": "c"}, @end1]',
  ],
  [
    'parameters outside',
    '[{"seq_no": 0, "type": "calling", ‹PV2115›"tool": "anything", ‹PV2115›"params": {}, @why}, @end1]',
  ],
  [
    'a key twice',
    '[{"seq_no": 0, "type": "assign", "parameters": {"a": 1, ‹PV2116›"a": 2}, @why}, @end1]',
  ],
  [
    'two names for one thing',
    `[{"seq_no": 0, "type": "calling", "parameters": {"tool": "anything",
       ‹PV2117!›"tool_name": "weather"}, @why}, @end1]`,
  ],
  [
    'the assign of stackvm-1',
    '[{"seq_no": 0, "type": ‹PV2118›"assign", "parameters": {"value": 1, "var_name": "x"}, @why}, @end1]',
  ],
  [
    'the assign of stackvm-2',
    '[{"seq_no": 0, "type": ‹PV2118›"assign", "parameters": {"x": 1}}, @old1]',
  ],
  [
    'a name with a space',
    '[{"seq_no": 0, "type": "assign", "parameters": {‹PV2119›"my town": 1}, @why}, @end1]',
  ],
  [
    'a reference where a variable is set',
    `[{"seq_no": 0, "type": "calling", "parameters": {"tool": "anything", "params": {},
       "output_vars": ["a", ‹PV2154›"\${b}"]}, @why},
      {"seq_no": 1, "type": "assign", "parameters": {‹PV2154›"{{ c }}": "\${b}"}, @why}, @end2]`,
  ],
  [
    'arguments beside the tool',
    `[{"seq_no": 0, "type": "calling", "parameters": {"tool": "anything",
       ‹PV2113!›"arguments": {"x": 1}}, @why}, @end1]`,
  ],
  [
    'a variable that no text can spell, spelt',
    `[{"seq_no": 0, "type": "assign", "parameters":
       {‹PV2119›"my town": 1, "a": "‹PV2142!›\${my town}"}, @why}, @end1]`,
  ],
  [
    'an instruction in place of a branch',
    `[{"seq_no": 0, "type": "condition", "parameters": {"prompt": "p {{x}}",
       "true_branch": ‹PV2103›{"seq_no": 1, "type": "reasoning"}, "false_branch": []}}, @old2]`,
    'x',
  ],
  ['an unknown type alone', '[{"seq_no": 0, "type": ‹PV2106!›"start", @why}, @end1]'],
  [
    'one branch',
    '[{"seq_no": 0, "type": ‹PV2120›"condition", "parameters": {"prompt": "p {{x}}", "true_branch": []}}, @old1]',
    'x',
  ],
  ['one number missing', '[‹PV2121!›{"type": "reasoning", "parameters": {}}, @end0]'],
  [
    'no numbers',
    `[‹PV2122›{"type": "reasoning", "parameters": {}},
      {"type": "assign", "parameters": {"final_answer": 1}, @why}]`,
  ],
  [
    'numbers that are none',
    `[{"seq_no": ‹PV2123!›-1, "type": "reasoning"}, {"seq_no": ‹PV2123!›1.5, "type": "reasoning"},
      {"seq_no": ‹PV2123!›"two", "type": "reasoning"}, {"seq_no": ‹PV2123!›[3], "type": "reasoning"},
      {"seq_no": 0, "type": "jmp", "parameters": {"target_seq": ‹PV2123!›"\${x}"}, @why}, @end1]`,
  ],
  [
    'numbers as text',
    `[{"seq_no": ‹PV2124›"0", "type": "reasoning"}, {"seq_no": 1, "type": "jmp",
       "parameters": {"target_seq": ‹PV2124›2.0}, "on_error": ‹PV2124›"2.0", @why}, @end2]`,
  ],
  [
    'a number twice',
    '[{"seq_no": 0, "type": "reasoning"}, {"seq_no": 0, "type": ‹PV2125!›"reasoning"}, @end1]',
  ],
  [
    'a number twice across branches of stackvm-2',
    `[{"seq_no": 0, "type": ‹PV2107›"condition", "parameters": {"prompt": "p", "context": "c",
       "true_branch": [{"seq_no": 1, "type": "calling", "parameters": {"tool": "anything"}, @why}],
       "false_branch": [{"seq_no": 1, "type": ‹PV2125!›"reasoning"}]}, @why}, @end2]`,
  ],
  [
    'out of order',
    '[{"seq_no": 1, "type": "reasoning"}, {"seq_no": 0, "type": ‹PV2126›"reasoning"}, @end2]',
  ],
  [
    'a gap',
    '[{"seq_no": 0, "type": "reasoning"}, {"seq_no": 2, "type": ‹PV2127›"reasoning"}, @end3]',
  ],
  [
    'a target that is not there',
    '[{"seq_no": 0, "type": "jmp", "parameters": {"target_seq": ‹PV2128!›55}, "on_error": ‹PV2128!›54, @why}, @end1]',
  ],
  [
    'a jump into a branch',
    `[{"seq_no": 0, "type": "jmp", "parameters": {"target_seq": ‹PV2129!›2}},
      {"seq_no": 1, "type": "condition", "parameters": {"prompt": "p", "context": "c",
       "true_branch": [{"seq_no": 2, "type": "reasoning"}], "false_branch": []}}, @old3]`,
  ],
  [
    'no jump_if_false',
    `[{"seq_no": 0, "type": ‹PV2130›"jmp", "parameters":
       {"condition_prompt": "p \${x}", "jump_if_true": 1}, @why}, @end1]`,
    'x',
  ],
  [
    'targets without use',
    `[{"seq_no": 0, "type": "jmp", "parameters": {"target_seq": 1, ‹PV2131›"jump_if_true": 2}, @why},
      {"seq_no": 1, "type": "jmp", "parameters": {"condition_prompt": "p \${x}", "jump_if_true": 2,
       "jump_if_false": 2, ‹PV2131›"target_seq": 2}, @why}, @end2]`,
    'x',
  ],
  [
    'an unknown tool',
    '[{"seq_no": 0, "type": "calling", "parameters": {"tool": ‹PV2132!›"wether"}, @why}, @end1]',
  ],
  [
    'a type in another spelling',
    `[{"seq_no": 0, "type": ‹PV2109›"Calling", "parameters": {"tool": "weather", "params":
       {"place": "x"}}, @why}, {"seq_no": 1, "type": ‹PV2109›"ASSIGN", "parameters":
       {"final_answer": 1}, @why}]`,
  ],
  [
    'an empty prompt',
    `[{"seq_no": 0, "type": "calling", "parameters": {"tool": "llm_generate",
       "params": {"prompt": ‹PV2135!›""}, "output_vars": "x"}, @why}, @end1]`,
  ],
  [
    'a missing argument',
    `[{"seq_no": 0, "type": "calling", "parameters": {"tool": ‹PV2133!›"weather"}, @why},
      {"seq_no": 1, "type": "calling", "parameters": {"tool": "weather",
       "params": {"place": ‹PV2135!›null, "days": null}}, @why}, @end2]`,
  ],
  [
    'an unknown argument',
    `[{"seq_no": 0, "type": "calling", "parameters": {"tool": "weather",
       "params": {"place": "x", ‹PV2134!›"dys": 1}}, @why},
      {"seq_no": 1, "type": "calling", "parameters": {"tool": "send",
       "params": {"text": "x", ‹PV2134›"to": "y"}}, @why}, @end2]`,
  ],
  [
    'an argument of a wrong type',
    `[{"seq_no": 0, "type": "calling", "parameters": {"tool": "weather", "params": {
       "place": ‹PV2135!›["x"], "days": ‹PV2135›"3", "unit": ‹PV2135!›"K",
       "filters": {"years": [2020, ‹PV2135!›"a \${x}", "\${x}"], ‹PV2135!›"town": 1}}}, @why}, @end1]`,
    'x',
  ],
  [
    'an unknown variable',
    '[{"seq_no": 0, "type": "assign", "parameters": {"a": ["‹PV2137!›${b.c}", "${b}"]}, @why}, @end1]',
  ],
  [
    'a variable before it is written',
    `[{"seq_no": 0, "type": "assign", "parameters": {"a": "‹PV2138!›\${b}"}, @why},
      {"seq_no": 1, "type": "assign", "parameters": {"b": 1}, @why}, @end2]`,
  ],
  [
    'a variable that only some paths write',
    `[{"seq_no": 0, "type": "jmp", "parameters":
       {"condition_prompt": "p \${x}", "jump_if_true": 1, "jump_if_false": 2}, @why},
      {"seq_no": 1, "type": "assign", "parameters": {"a": 1}, @why},
      {"seq_no": 2, "type": "assign", "parameters": {"b": "‹PV2139›\${a}"}, @why}, @end3]`,
    'x',
  ],
  [
    'references of the other dialect',
    `[{"seq_no": 0, "type": "assign", "parameters": {"a": "‹PV2140›{{x}}", "b": {"var": "x"}}, @why},
      @end1]`,
    'x',
  ],
  [
    'text like references of the other dialect',
    '[{"seq_no": 0, "type": "assign", "parameters": {"a": "‹PV2141›{{y}}", "b": "{{z}}"}, @why}, @end1]',
  ],
  [
    'a reference that cannot be read',
    `[{"seq_no": 0, "type": "assign", "parameters":
       {"a": "‹PV2142!›\${x | upper}", "b": "‹PV2142!›\${x + 1}"}, @why}, @end1]`,
    'x',
  ],
  [
    'braces',
    '[{"seq_no": 0, "type": "assign", "parameters": {"a": "‹PV2143›${HOME:-none}"}, @why}, @end1]',
  ],
  [
    'a dollar sign before a reference',
    '[{"seq_no": 0, "type": "assign", "parameters": {"a": "costs $‹PV2144›${x}"}, @why}, @end1]',
    'x',
  ],
  [
    'var and more',
    `[{"seq_no": 0, "type": "assign", "parameters":
       {"value": ‹PV2145›{"var": "x", "default": 1}, "var_name": "y"}}, @old1]`,
    'x',
  ],
  [
    'arithmetic without tool_name',
    '[{"seq_no": 0, "type": "assign", "parameters": {"a": ‹PV2146›"${x} + 1"}, @why}, @end1]',
    'x',
  ],
  [
    'keys of a text',
    `[{"seq_no": 0, "type": "calling", "parameters": {"tool": "llm_generate", "params": {"prompt": "p",
       "response_format": ‹PV2147›"text"}, "output_vars": ["a", "b"]}, @why}, @end1]`,
  ],
  [
    'steps that nothing leads to',
    `[{"seq_no": 0, "type": "jmp", "parameters": {"target_seq": 3}, @why},
      {"seq_no": 1, "type": ‹PV2148›"reasoning"},
      {"seq_no": 2, "type": "assign", "parameters": {"b": 1}, @why},
      {"seq_no": 3, "type": "reasoning"}, @end4]`,
  ],
  [
    'a jump in a foreach',
    `[{"seq_no": 0, "type": "foreach", "parameters": {"items": [1], "instructions": [
       {"seq_no": 1, "type": ‹PV2156!›"jmp", "parameters": {"target_seq": 1}, @why}]}, @why}, @end2]`,
  ],
  [
    'no final_answer',
    '[{"seq_no": 0, "type": ‹PV2149!›"assign", "parameters": {"result": 1}, @why}]',
  ],
  [
    'a last step without final_answer',
    `[{"seq_no": 0, "type": "jmp", "parameters":
       {"condition_prompt": "p \${x}", "jump_if_true": 2, "jump_if_false": 3}, @why},
      {"seq_no": 1, "type": "reasoning"}, @end2,
      {"seq_no": 3, "type": ‹PV2150›"assign", "parameters": {"b": 1}, @why}]`,
    'x',
  ],
  [
    'a condition without data',
    `[{"seq_no": 0, "type": "jmp", "parameters": {"condition_prompt": ‹PV2151›"Is it so?",
       "context": "", "jump_if_true": 1, "jump_if_false": 1}, @why}, @end1]`,
  ],
  [
    'an instruction without objective',
    '[{"seq_no": 0, "type": ‹PV2152›"assign", "parameters": {"a": 1}}, @end1]',
  ],
];

describe('each code', () => {
  test.each(cases)('%s', (_, marked, ...inputs) => {
    const { plan, expected } = read(marked);
    expect(brief(check(plan, ...inputs))).toEqual(expected);
  });

  test('has a case here', () => {
    const shown = new Set(cases.flatMap(([, plan]) => plan.match(/PV\d{4}/g) ?? []));
    const elsewhere = new Set(['PV3050', 'PV2136', 'PV2153']);
    expect([...shown].sort()).toEqual(
      Object.keys(codes)
        .filter((code) => !elsewhere.has(code))
        .sort(),
    );
  });

  test('PV2136: more parameters than a call can carry', () => {
    const params = Object.fromEntries(Array.from({ length: namedMax + 1 }, (_, i) => [`p${i}`, i]));
    const plan = [step(0, 'calling', { tool: 'anything', params, output_vars: 'final_answer' })];
    expect(check(plan).diagnostics).toMatchObject([
      { code: 'PV2136', message: 'got 32768 parameters, want at most 32767' },
    ]);
  });

  test('PV2153: of the same mistake a few are listed, and how many there are', () => {
    const wrong = Array.from({ length: 1000 }, (_, i) => step(i, 'assign', { a: '${b}' }));
    const { diagnostics } = check([...wrong, step(1000, 'assign', { final_answer: 1 })]);
    expect(diagnostics.filter(({ code }) => code === 'PV2137')).toHaveLength(20);
    expect(diagnostics.at(-1)).toMatchObject({
      code: 'PV2153',
      severity: 'error',
      message: '980 more like the PV2137 here',
    });
  });

  test('PV2153: behind very many mistakes nothing more is read', () => {
    const { diagnostics } = check(Array.from({ length: 20_000 }, () => ({})));
    expect(diagnostics.at(-1)).toMatchObject({
      code: 'PV2153',
      message: '9980 more like the PV2105 here; nothing was read behind them',
    });
  });

  test('has a meaning that is a sentence', () => {
    expect(Object.values(codes).filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
  });
});
