/** What check says of calls before which another tool has to be called, in every dialect. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';

const tool = (name: string, changes: Partial<ToolSpec> = {}): [string, ToolSpec] => [
  name,
  toolSpec({ name, description: `The tool ${name}.`, effect: 'read', ...changes }),
];
const parameters = { type: 'object', properties: { key: {} }, required: ['key'] };
const tools = new Map([
  tool('status'),
  tool('login', { parameters }),
  tool('warm', { after: ['status'] }),
  tool('mail', { after: ['login'] }),
]);

const said = (text: string, dialect: string): string[] => {
  const { ok, diagnostics } = checkProgram(text, { tools, inputs: [] }, { dialect });
  expect(ok).toBe(true);
  return diagnostics
    .filter(({ code }) => code === 'PV2006')
    .map(({ line, column, step, message }) => `${line}:${column} (${step}) ${message}`);
};

const first = 'warm comes after status, which is not called before it: the machine calls it first';

test.each([
  ['called before', 'status()\nanswer(warm())\nwarm()', []],
  ['never called', 'answer(warm())\nwarm()', [`1:8 (1) ${first}`]],
  ['called behind', 'answer(warm())\nstatus()', [`1:8 (1) ${first}`]],
  ['called by a function', 'def f():\n    status()\nf()\nanswer(warm())', []],
  ['needed by a function', 'def f():\n    return warm()\nstatus()\nanswer(f())', []],
  ['never called before a function needs it', 'def f():\n    return warm()\nanswer(f())', [first]],
  [
    'with arguments, which nobody can guess',
    'answer(mail())',
    ['mail comes after login, which is not called before it: the call fails'],
  ],
])('Starlark: %s', (_what, text, want) => {
  const found = said(text, 'starlark');
  expect(found).toHaveLength(want.length);
  for (const [i, part] of want.entries()) expect(found[i]).toContain(part);
});

test('plans', () => {
  const step = (seq_no: number, tool_name: string): object => ({
    ...{ seq_no, type: 'calling', execution_objective: 'x' },
    parameters: { tool_name, tool_params: {}, output_vars: 'final_answer' },
  });
  expect(said(JSON.stringify([step(0, 'status'), step(1, 'warm')]), 'stackvm-2')).toEqual([]);
  const [found] = said(JSON.stringify([step(0, 'warm')]), 'stackvm-2');
  expect(found).toContain(`(0) ${first}`);
});

test('plans of tasks', () => {
  const plan = (...calls: string[]): string =>
    [...calls, 'join()'].map((call, i) => `Thought: x\n${i + 1}. ${call}\n`).join('');
  expect(said(plan('status[]', 'warm[]'), 'llmcompiler')).toEqual([]);
  expect(said(plan('warm[]', 'status[]'), 'llmcompiler')).toEqual([`2:1 (1) ${first}`]);
});
