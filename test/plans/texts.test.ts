/** What stands around a plan and inside its JSON, and plans that are none. */
import { describe, expect, test } from 'vitest';
import { answer, look, play, set } from './stage.ts';

const plan = JSON.stringify([answer(0, 'A')]);
const other = JSON.stringify([answer(0, 'B')]);
const fence = (text: string): string => `\`\`\`json\n${text}\n\`\`\``;

describe('a plan is found', () => {
  test.each<[string, string, ...string[]]>([
    ['behind thinking', `<think>Perhaps [{"seq_no": 9}] or {x}?</think>\n${plan}`],
    ['behind the end of thinking alone', `so [1, 2] it is\n</think>\n${plan}`],
    ['in an answer', `<think>t</think><answer>\n${fence(plan)}\n</answer>`],
    ['in the answer, not in the thinking', `<think>${other}</think><answer>${plan}</answer>`],
    ['in prose with braces', `Here is {the plan} for [you]:\n${plan}\nHope {it} helps [1].`],
    ['in a fence', `Sure!\n\n${fence(plan)}\n\nAnything else?`],
    ['in a fence without a language', `\`\`\`\n${plan}\n\`\`\``],
    ['behind a byte order mark', `\ufeff${plan}`],
    ['with line ends of two characters', plan.replaceAll(',', ',\r\n')],
    ['with its last bracket twice', `${plan}]`],
    ['in a fence that never closes', `\`\`\`json\n${plan}`, 'PV1025'],
    ['in an object', `{"plan": ${plan}}`, 'PV1024'],
    ['in an object with more', `{"goal": "g", "steps": ${plan}, "note": [1]}`, 'PV1024'],
    ['in an object in an object', `{"result": {"plan": ${plan}}}`, 'PV1024'],
    ['with commas too many', plan.replace('"}', '",}').replace(']', ',]'), 'PV1013', 'PV1013'],
    ['with comments', `[ // first\n${plan.slice(1, -1)} /* last */\n]`, 'PV1015', 'PV1015'],
    ['without its list', plan.slice(1, -1), 'PV2103'],
    ['beside another list', `${fence(plan)}\nOr:\n${fence(other)}`, 'PV1026'],
  ])('%s', async (_, text, ...warnings) => {
    const played = await play(text);
    expect(played).toMatchObject({ answer: 'A', checked: warnings });
    expect(played.warnings.map(({ code }) => code)).toEqual(warnings);
  });

  test('one object a line', async () => {
    const lines = [set(0, { a: 'A' }), answer(1, '${a}')].map((one) => JSON.stringify(one));
    expect(await play(lines.join('\n'))).toMatchObject({ answer: 'A', checked: ['PV1027'] });
  });

  test('in the spelling of Python', async () => {
    const text =
      "[{'seq_no': 0, 'type': 'assign', 'parameters': {'yes': True, 'none': None, " +
      "'final_answer': 'it is ${yes} and ${none}'}, 'execution_objective': 'o'}]";
    const played = await play(text);
    expect(played.answer).toBe('it is true and null');
    expect(new Set(played.checked)).toEqual(new Set(['PV1016', 'PV1018']));
  });

  test('with quotes, line breaks and fences inside its texts', async () => {
    const of = async (text: string) =>
      (await play(`[{"seq_no":0,"type":"assign","parameters":{"final_answer":"${text}"}}]`)).answer;
    expect(await of('say \\"hi\\" now')).toBe('say "hi" now');
    expect(await of('two\nlines')).toBe('two\nlines');
    expect(await of('\\u00fc \\ud83c\\udf89 ]}')).toBe('ü 🎉 ]}');
    expect(await of('```js\\nlet x = {};\\n```')).toBe('```js\nlet x = {};\n```');
  });
});

describe('no plan', () => {
  const refusal = (text: string) => {
    const { ok, diagnostics } = look(text);
    expect(ok).toBe(false);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    for (const { line, column } of errors) expect(Math.min(line, column)).toBeGreaterThan(0);
    return errors.map(({ code }) => code);
  };

  test.each<[string, string, string]>([
    ['nothing', '', 'PV2002'],
    ['words', 'I have no tool for that.', 'PV2002'],
    ['markup', '<plan><step>1</step></plan>', 'PV2002'],
    ['a list cut in a text', plan.slice(0, -12), 'PV1010'],
    ['a list without its end', plan.slice(0, -1), 'PV1010'],
    ['an empty list', '[]', 'PV2102'],
    ['a list in a list', `[${plan}]`, 'PV2104'],
    ['null in the list', `[null, ${plan.slice(1)}`, 'PV2104'],
    ['a number in the list', `[5, ${plan.slice(1)}`, 'PV2104'],
    ['an object without a list', '{"a": 1}', 'PV2101'],
    ['parameters that are null', '[{"seq_no":0,"type":"assign","parameters":null}]', 'PV2110'],
    ['parameters that are text', '[{"seq_no":0,"type":"assign","parameters":"x"}]', 'PV2110'],
    ['no type', '[{"seq_no":0,"type":null,"parameters":{}}]', 'PV2105'],
    [
      'an unknown type',
      `[${plan.slice(1, -1)},{"seq_no":1,"type":"while","parameters":{}}]`,
      'PV2106',
    ],
    ['NaN', '[{"seq_no":0,"type":"assign","parameters":{"final_answer":NaN}}]', 'PV1005'],
    ['two answers', `<answer>${plan}</answer> or <answer>${other}</answer>`, 'PV1009'],
    ['thinking without an end', `<think>Let me see\n${plan}`, 'PV1007'],
  ])('%s', (_, text, code) => expect(refusal(text)).toEqual([code]));

  test('that is ten megabytes is refused for its size, whatever it is made of', () => {
    const text = JSON.stringify([answer(0, 'x'.repeat(10 * 2 ** 20))]);
    expect(refusal(text)).toEqual(['PV1002']);
    expect(refusal('[{"seq_no": '.repeat(2 ** 20))).toEqual(['PV1002']);
    expect(look(text).diagnostics[0]?.hint).toContain('the limit sourceBytes');
  });

  test('but brackets without end is refused at its start', () => {
    expect(refusal('['.repeat(100_000))).toEqual(['PV1001']);
    expect(refusal('[{"a": '.repeat(100_000))).toEqual(['PV1003']);
  });
});

test('a plan of 5000 steps is checked and run', async () => {
  const steps = Array.from({ length: 4998 }, (_, i) =>
    set(i + 1, { [`v${i + 1}`]: `\${v${i}}`, last: i }),
  );
  const played = await play([set(0, { v0: 'first' }), ...steps, answer(4999, '${v4998} ${last}')]);
  expect(played).toMatchObject({ status: 'done', answer: 'first 4997', checked: [] });
  expect(played.steps).toHaveLength(5000);
});

test('a plan of 5000 jumps, each with its own variable, is checked', () => {
  const steps = Array.from({ length: 2499 }, (_, i) => [
    set(2 * i + 1, { [`v${i}`]: '${x}' }),
    {
      ...set(2 * i + 2, {}),
      type: 'jmp',
      parameters: {
        condition_prompt: `Enough with \${v${i}}?`,
        jump_if_true: 1,
        jump_if_false: 2 * i + 3,
      },
    },
  ]).flat();
  const { ok, checked } = look([set(0, { x: 1 }), ...steps, answer(4999, '${v0}')]);
  expect({ ok, checked }).toEqual({ ok: true, checked: [] });
});
