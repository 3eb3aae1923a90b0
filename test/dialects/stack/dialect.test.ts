/** The dialect beside the others: what it takes for its own, and what it tells a planner. */
import { expect, test } from 'vitest';
import { checkProgram, detect } from '../../../src/dialects/index.ts';
import { stack } from '../../../src/dialects/stack/index.ts';
import { statementNames } from '../../../src/dialects/stack/syntax.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { filesUnder, textOf } from '../../support/repo.ts';
import { environment, said } from './tools.ts';

const name = (text: string): string | undefined => {
  const found = detect(text);
  return 'name' in found ? found.name : undefined;
};

test.each([
  'function_call(web.get("u"))\nanswer(stack_pop(1))',
  'Assistant: function_call(web.get("u"))\nllm_call("Sum it up")\nanswer(stack())',
  'foreach(data(["a"]), llm_call("t"))\n',
  'Here:\n```\ndataframe(["a"])\nanswer(stack())\n```\n',
])('%j is one', (text) => {
  expect(name(text)).toBe('stack');
});

test.each([
  ['starlark', 'x = llm_call(["a"], "t")\nanswer(x)\n'],
  ['starlark', 'answer("x")\n'],
  ['starlark', 'def f(x):\n    return x\nanswer(f(1))\n'],
  ['llmcompiler', 'Thought: a\n1. search["x"]\nThought: b\n2. join()\n<END_OF_PLAN>\n'],
  ['react', 'Thought: a\nAction: search[x]\n'],
  ['stackvm-2', '[{"seq_no": 0, "type": "assign", "parameters": {"final_answer": "stack()"}}]'],
])('as before, a program in %s is one: %j', (dialect, text) => {
  expect(name(text)).toBe(dialect);
});

test('an extension decides', () => {
  const found = detect('answer("x")', { file: 'a.stack' });
  expect(found).toMatchObject({ name: 'stack' });
});

test('a program in a reply is found, and only one', () => {
  const program = 'data("a")\nanswer(stack_pop(1))\n';
  expect(stack.find(`<think>answer("no")</think>\nSo:\n\`\`\`\n${program}\`\`\`\nDone.`)).toBe(
    program,
  );
  expect(stack.find(`Sure.\n${program}`)).toBe(`Sure.\n${program}`);
  expect(stack.find('I cannot do that.')).toBeUndefined();
});

const described = stack.describe(environment('city'));

test('what a planner is told reads as it did', async () => {
  await expect(described).toMatchFileSnapshot('../../golden/describe/stack.md');
});

test('it names every statement, and no helper that statements call by themselves', () => {
  for (const statement of statementNames) expect(described).toContain(statement);
  const { tools } = environment();
  const binding = toolSpec({ name: 'bind_arguments', description: '', effect: 'read' });
  const all = new Map([...tools, [binding.name, binding]]);
  const text = stack.describe({ tools: all, inputs: [] });
  expect(text).toContain('- `web.get(');
  expect(text).not.toMatch(/### (llm_call|bind_arguments)/);
});

test('its example is a program of which nothing is to be said', () => {
  const [, example = ''] = /```text\n([^`]*)```/.exec(described) ?? [];
  expect(said(example.replaceAll('Pages.read', 'web.get'))).toEqual([]);
});

test('the programs of the guide are programs', () => {
  const files = filesUnder('examples/stack').filter((path) => path.endsWith('.stack'));
  expect(files.length).toBeGreaterThan(2);
  for (const path of files) {
    const { dialect } = checkProgram(textOf(path), environment(), {});
    expect(dialect).toBe('stack');
  }
});
