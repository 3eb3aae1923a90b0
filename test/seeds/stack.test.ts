/** What LLMVM's first document promises of programs on a stack, a test for each sentence. */
import { expect, test } from 'vitest';
import { run } from '../../src/index.ts';
import { quickTool } from '../engine/support.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const dialect = 'stack';
const get = quickTool('WebHelpers.get_url', ({ url }) => `page ${url}`, {
  parameters: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
});

/** The answers of a program, with a model that says what it was told last. */
async function answered(program: string) {
  const { model, requests } = scriptedModel((_, asked) => `said ${asked}`);
  const { answers } = await run(program, { dialect, model, tools: [get] });
  const asked = requests.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
  return { answers: answers.map(({ value }) => value), asked };
}

test('function_call pushes the result of a helper, and llm_call takes it with stack_pop', async () => {
  const { answers, asked } = await answered(
    'function_call(WebHelpers.get_url("u"))\nllm_call(stack_pop(1), "Sum up")\nanswer(stack_pop(1))\n',
  );
  expect(answers).toEqual(['said 1']);
  expect(asked[0]).toContain('page u');
  expect(asked[0]).toContain('Sum up');
});

test('llm_call with a text alone is about what is on top of the stack', async () => {
  const { asked } = await answered(
    'function_call(WebHelpers.get_url("u"))\nllm_call("Sum up")\nanswer(stack_pop(1))\n',
  );
  expect(asked[0]).toContain('page u');
});

test('foreach executes its statement for each element, and pushes each result', async () => {
  const { answers } = await answered(
    'data(["a", "b"])\nforeach(stack_pop(1), function_call(WebHelpers.get_url(stack_pop(1))))\n' +
      'answer(stack())\n',
  );
  expect(answers).toEqual([['page a', 'page b']]);
});

test('stack_pop takes as many values as it says, and stack takes all', async () => {
  const push = ['a', 'b', 'c', 'd']
    .map((url) => `function_call(WebHelpers.get_url("${url}"))\n`)
    .join('');
  const { answers } = await answered(`${push}answer(stack_pop(2))\nanswer(stack())\n`);
  expect(answers).toEqual([
    ['page c', 'page d'],
    ['page a', 'page b'],
  ]);
});

test('set keeps a value under a name, and get pushes it again, as often as it is wanted', async () => {
  const { answers } = await answered(
    'function_call(WebHelpers.get_url("a"))\nset("var1")\nget("var1")\nget("var1")\nanswer(stack())\n',
  );
  expect(answers).toEqual([['page a', 'page a']]);
});

test('an answer is shown, and is not pushed on the stack', async () => {
  const { answers } = await answered('data(["a"])\nanswer("first")\nanswer(stack_pop(1))\n');
  expect(answers).toEqual(['first', ['a']]);
});
