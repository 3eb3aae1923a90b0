/**
 * Plans in the shape of ParallelQA through the real command line: in both styles of calls, with a
 * model that joins and without one, also those whose last bracket is missing.
 */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';
import { brackets, plans, tools } from '../support/parallelqa.ts';

/** Several commands at once, as a machine of two cores can do them. */
async function each<T>(all: readonly T[], action: (one: T, index: number) => Promise<void>) {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < all.length; i = next++) await action(all[i] as T, i);
  };
  await Promise.all([work(), work(), work()]);
}

test('without a model the last result is the answer', async () => {
  using folder = new Folder({ 'tools.mjs': tools });
  await each(plans, async ({ text, answer }, i) => {
    const style = i % 2 === 0 ? text : brackets(text);
    folder.write(`${i}.llmcompiler`, style);
    const args = ['run', `${i}.llmcompiler`, '--tools', 'tools.mjs', '--no-journal', '--json'];
    const { code, stdout } = await folder.planvm(args);
    expect({ i, code, answer: JSON.parse(stdout).answer }).toEqual({ i, code: 0, answer });
  });
});

test('with a model it joins what it is shown', async () => {
  await using server = await startModelServer(({ prompt }) => {
    const numbers = [...prompt.matchAll(/^Observation: (\S+)$/gm)].map(([, number]) => number);
    return JSON.stringify({
      thought: 'the last one',
      action: 'finish',
      answer: numbers.at(-1),
      reason: '',
    });
  });
  using folder = new Folder({ 'tools.mjs': tools });
  const env = { ...server.env.openai, OPENAI_API_KEY: 'sk-loopback-0123456789abcdef' };
  await each(plans, async ({ question, text, answer }, i) => {
    const style = i % 2 === 0 ? brackets(text) : text;
    folder.write(`${i}.llmcompiler`, `Question: ${question}\n${style}`);
    const args = ['run', `${i}.llmcompiler`, '--tools', 'tools.mjs', '--no-journal', '--json'];
    const { code, stdout } = await folder.planvm([...args, '--model', 'openai/test'], { env });
    const found = JSON.parse(stdout);
    expect({ i, code, answer: found.answer }).toEqual({ i, code: 0, answer: String(answer) });
    expect(found.usage.modelCalls).toBe(1);
  });
  expect(server.requests.map(({ prompt }) => prompt).join('\n')).toContain(plans[3]?.question);
});
