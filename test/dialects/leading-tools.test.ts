/** A tool whose description says that it comes first: prompts say so, and programs wait for it. */
import { describe, expect, test } from 'vitest';
import { dialects } from '../../src/dialects/index.ts';
import { run } from '../../src/index.ts';
import { actMessages } from '../../src/planner/tasks/act-prompt.ts';
import { english } from '../../src/planner/tasks/english.ts';
import { planMessages } from '../../src/planner/tasks/plan-prompt.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { firstWords } from '../../src/program/together.ts';
import { quickTool, settle } from '../engine/support.ts';

const description = 'Says whether the node is up. Must be called before any other tool.';
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

function nodeTools() {
  const events: string[] = [];
  const status = async () => {
    events.push('NodeStatus begins');
    await settle(50);
    events.push('NodeStatus ends');
    return { up: true };
  };
  const temperature = ({ city }: Readonly<Record<string, unknown>>) => {
    events.push(`Temperature of ${city}`);
    return 12;
  };
  const changes = { parameters: city } as const;
  return {
    events,
    tools: [
      quickTool('NodeStatus', status, { description }),
      quickTool('Temperature', temperature, changes),
    ],
  };
}

const ref = (name: string): string => `\${${name}}`;

const plan = (...steps: readonly (readonly [string, object])[]): string =>
  JSON.stringify({
    instructions: steps.map(([type, parameters], seq_no) => ({ seq_no, type, parameters })),
  });

const programs = {
  starlark:
    'status = NodeStatus()\nwarm = [Temperature(city = c) for c in ["Oslo", "Rome"]]\nanswer(warm)',
  'stackvm-1': plan(
    ['NodeStatus', { output_var: 'status' }],
    ['Temperature', { city: 'Oslo', output_var: 'a' }],
    ['Temperature', { city: 'Rome', output_var: 'b' }],
    ['assign', { value: ['{{a}}', '{{b}}'], var_name: 'final_answer' }],
  ),
  'stackvm-2': plan(
    ['calling', { tool_name: 'NodeStatus', tool_params: {}, output_vars: 'status' }],
    ['calling', { tool_name: 'Temperature', tool_params: { city: 'Oslo' }, output_vars: 'a' }],
    ['calling', { tool_name: 'Temperature', tool_params: { city: 'Rome' }, output_vars: 'b' }],
    ['assign', { final_answer: [ref('a'), ref('b')] }],
  ),
  stack:
    'function_call(NodeStatus())\nfunction_call(Temperature("Oslo"))\n' +
    'function_call(Temperature("Rome"))\nanswer(stack())',
  llmcompiler: `1. NodeStatus[]\n2. Temperature["Oslo"]\n3. Temperature["Rome"]\n4. join("${ref('2')}")`,
  react:
    'Thought: a\nAction: NodeStatus[]\nThought: b\nAction: Temperature["Oslo"]\n' +
    'Thought: c\nAction: Temperature["Rome"]\nThought: d\nAction: Finish["12"]',
  playbook:
    '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $s = NodeStatus()\n' +
    '- $a = Temperature("Oslo")\n- $b = Temperature("Rome")\n- Return $a + $b\n',
};

describe.each(Object.entries(programs))('%s', (name, text) => {
  test('is described with how the others wait for it', () => {
    const tools = new Map(nodeTools().tools.map(({ spec }) => [spec.name, spec]));
    const told = dialects.find((one) => one.name === name)?.describe({ tools, inputs: [] }) ?? '';
    expect(told).toContain(`${description} Call it first: calls of other tools after it wait`);
    expect(told.match(/Call it first/g)).toHaveLength(1);
  });

  test('has it settled before another tool starts', async () => {
    const { tools, events } = nodeTools();
    const { status, error } = await run(text, { dialect: name, tools });
    expect({ status, error }).toEqual({ status: 'done', error: undefined });
    expect(events).toEqual([
      'NodeStatus begins',
      'NodeStatus ends',
      'Temperature of Oslo',
      'Temperature of Rome',
    ]);
  });
});

test('the planners of tasks are told so, too, and of what a tool comes after', () => {
  const [status, other] = nodeTools().tools;
  if (!status || !other) throw new Error('two tools');
  const tools = [status.spec, { ...other.spec, after: ['NodeStatus'] }];
  const goal = { text: 'How warm is it?' };
  const shared = { at: 0, goal, tools, done: [] };
  const sent = [
    ...planMessages({ ...shared, reason: '', firstId: 1, hasSubPlans: false }, english),
    ...actMessages({ ...shared, left: 9 }, false, english),
  ].map(({ content }) => content);
  const both = sent.filter((content) => content.includes('NodeStatus['));
  expect(both).toHaveLength(2);
  for (const content of both) {
    expect(content).toContain('Call it first: calls of other tools after it wait for it.');
    expect(content).toContain('Call `NodeStatus` before it: it waits for that to succeed.');
  }
});

test.each([
  ['Must be called before any other tool.', true],
  ['Call it before any other tool', true],
  ['Opens a session. Always use this tool before calling other tools.', true],
  ['You should run this before all other operations.', true],
  ['This has to be used prior to any other call.', true],
  ['Call this tool first to get the schema.', true],
  ['Must always be called first.', true],
  ['This must be the first tool you call.', true],
  ['Call this before anything else.', true],
  ['Call this before using any of the tools.', true],
  ['It must run before all others.', true],
  ['Need not be called before any other tool.', false],
  ['You do not have to call it before the other tools.', false],
  ['Call NodeStatus before any other tool.', false],
  ['Returns the first call of the day, before the others.', false],
  ['Shows who has used it first.', false],
  ['Lists what was sent before Monday.', false],
])('%s', (text, isFirst) => {
  expect(firstWords(toolSpec({ name: 'look_up', description: text })) !== undefined).toBe(isFirst);
});
