/** What the compiler puts into calls that ask a model: where the values came from. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { modelCalls } from '../../../src/dialects/starlark/compile/model-calls.ts';
import { describeLanguage } from '../../../src/dialects/starlark/describe/describe.ts';
import { builtInSpecs } from '../../../src/effects/built-in-specs.ts';
import { modelSpecs } from '../../../src/effects/model/specs.ts';
import { createMachine } from '../../../src/machine/create.ts';
import { delegateSpec } from '../../../src/planner/delegate-specs.ts';
import { type ToolSpec, toolSpec } from '../../../src/program/effect.ts';
import { decode, toJson } from '../../../src/program/json.ts';

const get = toolSpec({
  name: 'get',
  description: 'Gets.',
  effect: 'read',
  parameters: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
});
const tools = new Map([...modelSpecs, get].map((spec) => [spec.name, spec]));

/** Runs a program in which `get` gives its url; the arguments of the first call of `llm_call`. */
function asked(source: string): Record<string, unknown> {
  const options = { dialect: 'starlark' };
  const { program, diagnostics } = checkProgram(source, { tools, inputs: [] }, options);
  expect(diagnostics).toEqual([]);
  if (!program) throw new Error('it does not compile');
  const machine = createMachine(program, { tools });
  for (;;) {
    const { requests } = machine.run(1e5);
    const call = requests.find(({ tool }) => tool === 'llm_call');
    if (call) return toJson(decode(call.args)) as Record<string, unknown>;
    if (requests.length === 0) throw new Error('nothing is asked');
    for (const { id, args } of requests) {
      const { url } = toJson(decode(args)) as { url: string };
      machine.settle(id, { ok: true, value: JSON.stringify(url) });
    }
  }
}

test.each([
  ['x = get("a")\nllm_call(x, "i")', ['x = get("a")']],
  ['x = get("a")\ny = get("b")\nllm_call([x, y], "i")', ['x = get("a")', 'y = get("b")']],
  ['x = get("a")\nx = get("b")\nllm_call(x, "i")\nx = get("c")', ['x = get("b")']],
  ['llm_call([get("a"), "text"], "i")', ['get("a")', '']],
  [
    'x = get(\n  "a",  # a note\n)\nllm_call(instruction="i", values=[x])',
    ['x = get( "a", # a note )'],
  ],
  ['x = get("a")\nllm_call([x[0]], "i")', ['x[0]']],
  ['for u in ["a"]:\n  x = get(u)\n  llm_call([x], "i")', ['x = get(u)']],
  ['for u in [get("a")]:\n  llm_call([u], "i")', ['for u in [get("a")]']],
  ['xs = []\nxs.append(get("a"))\nllm_call(xs, "i")', ['xs.append(get("a"))']],
  ['def f(v):\n  w = get(v)\n  return llm_call([w], "i")\nf("a")', ['w = get(v)']],
])('%s', (source, sources) => {
  expect(asked(source)).toMatchObject({ instruction: 'i', sources });
});

test.each([
  ['what stands in the program', 'x = "a"\nllm_call([x, "b", ["c"]], "i")'],
  ['a parameter', 'def f(v):\n  return llm_call(v, "i")\nf("a")'],
  ['arguments that are spread', 'xs = get("a")\nllm_call(*[xs, "i"])'],
])('%s has no source', (_name, source) => {
  expect(asked(source)).not.toHaveProperty('sources');
});

test('what a program says itself counts', () => {
  const source = 'x = get("a")\nllm_call(x, "i", sources=["by hand"])';
  expect(asked(source)).toHaveProperty('sources', ['by hand']);
});

test('a long definition is cut', () => {
  const { sources } = asked(`x = get("${'a'.repeat(900)}")\nllm_call(x, "i")`);
  expect(String(sources)).toMatch(/^x = get\("a+…$/);
  expect(String(sources).length).toBeLessThan(300);
});

test('a tool of somebody under the name of one is shown as it declares itself', () => {
  const shown = (spec: ToolSpec): string =>
    describeLanguage({ tools: new Map([[spec.name, spec]]), inputs: [] });
  expect(shown(delegateSpec)).toContain('- `delegate(task, helpers=');
  expect(shown(delegateSpec)).not.toContain('## Tools');
  const own = toolSpec({ name: 'delegate', description: 'Sends a deputy.', effect: 'write' });
  expect(shown(own)).not.toContain('- `delegate(task, helpers=');
  expect(shown(own)).toContain('Sends a deputy.');
});

test('each is a tool', () => {
  const names = [...builtInSpecs, delegateSpec].map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(modelCalls)));
});

test.each([
  ['behind it', 'x = "a"\ny = llm_call(x, "i")\nx = get("b")', undefined],
  [
    'behind it in its loop',
    'x = "a"\nfor n in range(2):\n    llm_call(x, "i")\n    x = get("b")',
    'x = get("b")',
  ],
  [
    'between a function and its call',
    'def ask_of():\n    return llm_call(x, "i")\nx = get("b")\nask_of()',
    'x = get("b")',
  ],
])('a definition that stands %s', (_, source, shown) => {
  expect(asked(source).sources).toEqual(shown === undefined ? undefined : [shown]);
});
