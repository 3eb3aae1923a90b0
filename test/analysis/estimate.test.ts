/** What the calls of a program are going to use, with nothing of a real model. */
import { expect, test } from 'vitest';
import { type Estimate, estimate } from '../../src/analysis/estimate.ts';
import { joined } from '../../src/analysis/expected.ts';
import { dialects } from '../../src/dialects/index.ts';
import { toolSpec } from '../../src/program/effect.ts';

const parameters = { type: 'object', properties: { prompt: {} } } as const;
const tools = new Map([
  ['ask_model', toolSpec({ name: 'ask_model', description: '', kind: 'model', parameters })],
  ['look', toolSpec({ name: 'look', description: '', parameters, price: { perCall: 0.5 } })],
]);

/** A model that is sent its prompt alone, at a dollar a million tokens in and two out. */
function estimated(text: string, replyTokensMax: number | null = 10): Estimate {
  const dialect = dialects.find(({ name }) => name === 'starlark');
  const checked = dialect?.check(text, { tools, inputs: [] }, 1e6);
  if (!checked?.program) throw new Error(JSON.stringify(checked?.diagnostics));
  return estimate(checked.program, {
    tools,
    inputs: new Map(),
    price: { input: 1, output: 2 },
    replyTokensMax,
    isReply: (tool) => tool === 'ask_model',
    inputOf: ({ positional }) => joined([...positional]),
  });
}

test('a call whose arguments are known, and a tool that has a price', () => {
  const { calls, total } = estimated('ask_model("12345678")\nlook("a")');
  expect(calls.map(({ tool, isModel }) => [tool, isModel])).toEqual([
    ['ask_model', true],
    ['look', false],
  ]);
  expect(total.calls).toEqual({ min: 1, max: 1 });
  expect(total.inputTokens).toEqual({ min: 2, max: 2 });
  expect(total.outputTokens).toEqual({ min: 0, max: 10 });
  expect(total.usd).toEqual({ min: 0.500002, max: 0.500022 });
});

test('a reply is as long as it may be, where it is sent on', () => {
  const { calls } = estimated('x = ask_model("1234")\nask_model(x)');
  expect(calls[1]?.inputTokens).toMatchObject({ min: 0, max: 10 });
});

test('a loop has no most, and neither has what an unbounded reply costs', () => {
  const looped = estimated('for i in range(3):\n    ask_model("1234")').total;
  expect(looped.calls).toEqual({ min: 0, max: null });
  expect(looped.usd?.max).toBeNull();
  expect(estimated('ask_model("1234")', null).total.usd).toEqual({ min: 0.000001, max: null });
});
