/** Texts on which a reader that looks back or ahead without bounds would take hours. */
import { describe, expect, test } from 'vitest';
import { checkActions } from '../../../src/dialects/llmcompiler/check.ts';
import { detectActions, findActions } from '../../../src/dialects/llmcompiler/detect.ts';
import { planForm } from '../../../src/dialects/llmcompiler/form.ts';
import { planOf, readPlan } from '../../../src/dialects/llmcompiler/plan.ts';
import { PlanReader } from '../../../src/dialects/llmcompiler/reader.ts';
import { environment } from './tools.ts';

const size = 9_000;

describe('a hostile text is read in linear time', () => {
  test.each([
    ...[
      '[',
      '[\n',
      '[]',
      '(]',
      '$',
      '$1',
      `\${1`,
      '$1["',
      '"',
      '" ',
      "',",
      '\\',
      '\\u12',
      ' ',
      '*',
    ],
    ...[')<', '<', '< ', '</', '#', ' #', ',', ', ', 'a:', 'a=', '\r', '\n', '1+', '(1', 'x '],
    ...['1. any(\n', '1. any("\n', '1. any("a\n2. any("b\n', '1. any(1), ', 'join()\n', '1. do\n'],
    ...['Thought: x\n', 'Observation: x\n 1. any(1)\n', '<think>', '<END_OF_PLAN>', '```\n'],
    ...['Action: any\n', 'Action Input: {\n', 'Action ID: 1\n', '- * ', 'Action ', '1. a', 'a.'],
  ])('%j', (part) => {
    const many = part.repeat(size / part.length);
    const calls = [`any(${many})`, `any("${many}")`, `TemperatureRange(${many})`];
    for (const text of [many, ...calls.map((call) => `1. ${call}\n2. join()`)]) {
      detectActions(text);
      findActions(text);
      const tree = readPlan(text);
      checkActions(tree, environment, planForm);
      const reader = new PlanReader();
      let count = 0;
      for (let i = 0; i < text.length; i += 3) count += reader.feed(text.slice(i, i + 3)).length;
      expect(count + reader.end().length).toBe(tree.items.length);
    }
  });

  test('ten thousand brackets are an error, not a failure of the host', () => {
    const text = `1. any(${'['.repeat(10_000)}1${']'.repeat(10_000)})`;
    const found = checkActions(readPlan(text), environment, planForm);
    expect(found.map(({ code }) => code)).toContain('PV1223');
  });
});

test('a call of many lines takes no more time for each than one of few', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `  "text\n ${i}", bare\n text ${i},`);
  const { tasks } = readPlan(`1. any([\n${rows.join('\n')}\n])\n2. join()\n`);
  const [list] = tasks[0]?.call.args ?? [];
  expect(list?.value.kind === 'list' && list.value.items.length).toBe(40_000);
});

test('thirty thousand lines', () => {
  const lines = Array.from({ length: 30_000 }, (_, i) => `${i + 1}. any("$${i}")`);
  const tree = readPlan(['1. any("x")', ...lines.slice(1)].join('\n'));
  expect(planOf(tree, environment).inOrder).toHaveLength(30_000);
});

describe('many tasks', () => {
  const count = 10_000;
  const line = (i: number, what: string): string => `Thought: t\n${i}. any(${what})`;
  const shapes: readonly (readonly [string, (i: number) => string, string])[] = [
    ['a chain that begins at its end', (i) => (i === count ? '1' : `$${i + 1}`), 'PV2610'],
    ['a circle', (i) => `$${(i % count) + 1}`, 'PV2609'],
    ['references to nothing', (i) => `$${i + count}`, 'PV2607'],
    ['one number', () => '1', ''],
  ];

  test.each(shapes)('%s', (_, what, code) => {
    const text = Array.from({ length: count }, (_, i) => line(i + 1, what(i + 1))).join('\n');
    const tree = readPlan(`${text}\n${count + 1}. join()`);
    expect(tree.tasks).toHaveLength(count);
    const codes = checkActions(tree, environment, planForm).map((one) => one.code);
    if (code === '') expect(codes).toEqual(['PV2602']);
    else expect(codes).toContain(code);
    const { inOrder, cycle, tasks } = planOf(tree, environment);
    expect(inOrder).toHaveLength(tasks.length);
    expect(cycle).toHaveLength(code === 'PV2609' ? count : 0);
  });

  test('that one task needs, all of them', () => {
    const tasks = Array.from({ length: count }, (_, i) => `${i + 1}. any(1)`);
    const all = Array.from({ length: count }, (_, i) => `$${i + 1}`);
    const tree = readPlan([...tasks, `${count + 1}. any([${all.join()}])`].join('\n'));
    const { inOrder } = planOf(tree, environment);
    expect(inOrder.at(-1)?.needs).toHaveLength(count);
  });
});
