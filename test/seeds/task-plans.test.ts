/** What the glossary of LLMCompiler promises of plans, a test for each sentence. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { run } from '../../src/index.ts';
import { quickTool } from '../engine/support.ts';

const dialect = 'llmcompiler';
const text = { type: 'string' };
const days = { '2024-02-15': 22.5, '2024-02-16': 23.1 };
const status = quickTool('NodeStatus', () => 'Node-RED is operational');
const range = quickTool('TemperatureRange', () => days, {
  after: ['NodeStatus'],
  parameters: {
    type: 'object',
    properties: { start_date: { ...text, format: 'date' }, end_date: { ...text, format: 'date' } },
    required: ['start_date', 'end_date'],
  },
});
const take = quickTool('Take', ({ x }) => x, {
  parameters: { type: 'object', properties: { x: {} }, required: ['x'] },
});
const all = [status, range, take];

const look = (plan: string) =>
  checkProgram(
    plan,
    { tools: new Map(all.map(({ spec }) => [spec.name, spec])), inputs: [] },
    { dialect },
  );

const concrete = `Question: Show temperatures for the last 3 days

Thought: I need to check if Node-RED is operational first
1. NodeStatus[]
Observation: Node-RED is operational

Thought: Now I can get the temperature data
2. TemperatureRange[2024-02-15, 2024-02-17]
Observation: {"2024-02-15": 1}

Thought: I have all the information needed
3. join()
<END_OF_PLAN>
`;

test('a question, thoughts, numbered actions, join and the mark of the end are a plan', async () => {
  expect(look(concrete).ok).toBe(true);
  const { status: end, answer } = await run(concrete, { dialect, tools: all });
  // An observation that stands in a plan is not believed: the tool is asked.
  expect([end, answer]).toEqual(['done', { 1: 'Node-RED is operational', 2: days }]);
});

test.each(['$1', `\${1}`])('%s stands for the result of action 1', async (reference) => {
  const plan = `Thought: t\n1. NodeStatus[]\nThought: t\n2. Take[${reference}]\nThought: t\n3. join($2)\n`;
  const { answer } = await run(`${plan}<END_OF_PLAN>\n`, { dialect, tools: all });
  expect(answer).toBe('Node-RED is operational');
});

test('a reference in a list of a list is replaced by the value', async () => {
  const plan =
    'Thought: t\n1. Take[7]\nThought: t\n2. Take[[["Paris", $1]]]\nThought: t\n3. join($2)\n';
  const { answer } = await run(`${plan}<END_OF_PLAN>\n`, { dialect, tools: all });
  expect(answer).toEqual([['Paris', 7]]);
});

test('what has to come first comes first, also where the plan leaves it out', async () => {
  const seen: string[] = [];
  const noted = [status, range].map((tool) => ({
    ...tool,
    perform: async (...args: Parameters<typeof tool.perform>) => {
      seen.push(tool.spec.name);
      return await tool.perform(...args);
    },
  }));
  const plan =
    'Thought: t\n1. TemperatureRange[2024-02-15, 2024-02-17]\nThought: t\n2. join($1)\n<END_OF_PLAN>\n';
  const { warnings } = await run(plan, { dialect, tools: noted });
  expect(seen).toEqual(['NodeStatus', 'TemperatureRange']);
  expect(warnings.map(({ code }) => code)).toContain('PV2006');
});

test.each([
  [1, 3],
  [2, 3],
])('numbers begin at 1 and go up by 1: %i, %i is told of', (...ids) => {
  const said = (numbers: readonly number[]): string[] => {
    const lines = numbers.map((id) => `Thought: t\n${id}. NodeStatus[]\n`).join('');
    return look(`${lines}Thought: t\n${(numbers.at(-1) ?? 0) + 1}. join()\n`).diagnostics.map(
      ({ code }) => code,
    );
  };
  const plain = said([1, 2]);
  expect(said(ids).filter((code) => !plain.includes(code))).not.toEqual([]);
});

test.each([
  ['an action without its thought', '1. NodeStatus[]\n2. join()\n<END_OF_PLAN>\n'],
  ['an action after a word in place of its number', 'Thought: t\nAction: NodeStatus[]\n'],
  ['Finish in place of join', 'Thought: t\n1. NodeStatus[]\nThought: t\nAction: Finish[done]\n'],
])('%s is told of', (_what, plan) => {
  const { diagnostics } = look(plan);
  expect(diagnostics.length).toBeGreaterThan(0);
  for (const { line, hint, message } of diagnostics) {
    expect([typeof line, `${hint ?? message}`.length > 5]).toEqual(['number', true]);
  }
});
