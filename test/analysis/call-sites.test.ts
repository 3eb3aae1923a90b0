/** Where a program calls tools, with what, and how often: as far as its code says so. */
import { describe, expect, test } from 'vitest';
import { type CallSite, callSites } from '../../src/analysis/call-sites.ts';
import { dialects } from '../../src/dialects/index.ts';
import { toolSpec } from '../../src/program/effect.ts';
import type { Value } from '../../src/program/value.ts';

const tools = new Map(
  ['ask_model', 'look'].map((name) => {
    const properties = { prompt: {}, context: {}, n: {} };
    const spec = toolSpec({ name, description: '', parameters: { type: 'object', properties } });
    return [name, spec];
  }),
);

function sites(
  text: string,
  inputs: Readonly<Record<string, Value>> = {},
  dialect = 'starlark',
): readonly CallSite[] {
  const names = Object.keys(inputs);
  const found = dialects.find(({ name }) => name === dialect);
  const checked = found?.check(text, { tools, inputs: names }, 1e6);
  if (!checked?.program) throw new Error(JSON.stringify(checked?.diagnostics));
  return callSites(checked.program, {
    isWanted: (tool) => tool === 'ask_model',
    inputs: new Map(Object.entries(inputs)),
  });
}

/** The first argument of the only call. */
function prompt(text: string, inputs: Readonly<Record<string, Value>> = {}) {
  const [first] = sites(text, inputs);
  return first?.positional[0] ?? first?.named.get('prompt');
}

describe('what is known of an argument', () => {
  test.each([
    ['ask_model("four")', 4],
    ['ask_model(prompt = "a" + "bc")', 3],
    ['x = "ab"\nask_model(x + x)', 4],
    ['ask_model("to " + city)', 8],
    ['ask_model([1, 2])', 5],
  ])('%s: all of it', (text, length) => {
    const known = prompt(text, { city: 'London'.slice(0, 5) });
    expect(known).toMatchObject({ min: length, max: length, of: [] });
    expect(known?.value).toBeDefined();
  });

  test.each([
    ['x = look(n = 1)\nask_model("about " + x)', 6, ['x']],
    ['x = look(n = 1)\nask_model("about %s!" % x)', 0, ['x']],
    ['ask_model("a" + look(n = 1))', 1, ['look']],
    ['def f(x):\n    return ask_model("about " + x)\nf("a")', 6, ['x']],
    ['x = []\nx.append(1)\nask_model(x)', 0, ['x']],
    ['x = ""\nfor i in range(3):\n    x += "a"\nask_model(x)', 0, ['x']],
  ])('%s: a least length, and what is missing', (text, min, of) => {
    expect(prompt(text)).toEqual({ min, max: Infinity, of });
  });

  test('of a variable that is set twice nothing is known', () => {
    const text = 'x = "a"\nif look(n = 1):\n    x = "abc"\nask_model(x)';
    expect(prompt(text)).toEqual({ min: 0, max: Infinity, of: ['x'] });
  });
});

describe('how often a call is come to', () => {
  test.each([
    ['ask_model("a")', 1, 1],
    ['if look(n = 1):\n    ask_model("a")', 0, 1],
    ['if ask_model("a"):\n    look(n = 1)', 1, 1],
    ['for i in range(3):\n    ask_model("a")', 0, undefined],
    ['x = [ask_model(t) for t in ["a", "b"]]', 0, undefined],
    ['def f():\n    return ask_model("a")\nf()', 0, undefined],
    ['parallel(ask_model, ["a", "b"])', 0, undefined],
    ['x = try_call(ask_model, prompt = "a")', 1, 1],
  ])('%s', (text, min, max) => {
    expect(sites(text).map(({ visits }) => visits)).toEqual([{ min, max }]);
  });

  test('places are steps on the main line, else functions', () => {
    const text = 'x = look(n = 1)\ny = ask_model("a")\ndef f():\n    return ask_model("b")\nf()';
    const found = sites(text).map(({ step, within }) => [step, within]);
    expect(found).toEqual([
      ['2', ''],
      ['', 'f'],
    ]);
  });
});

test('tasks of a plan are calls, with places where results are put in', () => {
  const text = '1. ask_model[prompt="four"]\n2. ask_model[prompt="about $1"]\n3. join($2)\n';
  const once = { positional: [], within: '', visits: { min: 1, max: 1 } };
  expect(sites(text, {}, 'llmcompiler')).toEqual([
    {
      ...{ ...once, tool: 'ask_model', step: '1' },
      named: new Map([['prompt', { value: { exact: 'four' }, min: 4, max: 4, of: [] }]]),
    },
    {
      ...{ ...once, tool: 'ask_model', step: '2' },
      named: new Map([['prompt', { min: 6, max: Infinity, of: [] }]]),
    },
  ]);
});
