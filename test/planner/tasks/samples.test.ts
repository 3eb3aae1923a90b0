/** Examples and tool lines that are made of schemas: valid in the notation, in both languages. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { readAction } from '../../../src/planner/tasks/action-reply.ts';
import { toolLinesIn } from '../../../src/planner/tasks/goal-lines.ts';
import { promptLanguage, promptLanguages, wordsIn } from '../../../src/planner/tasks/languages.ts';
import { planMessages } from '../../../src/planner/tasks/plan-prompt.ts';
import { sampleActions, samplePlan } from '../../../src/planner/tasks/samples.ts';
import { type JsonSchema, type ToolSpec, toolSpec } from '../../../src/program/effect.ts';

const tool = (
  name: string,
  properties: Record<string, JsonSchema>,
  more: Partial<ToolSpec> = {},
): ToolSpec =>
  toolSpec({
    name,
    description: `Does ${name}.`,
    effect: 'read',
    parameters: { type: 'object', properties, required: Object.keys(properties) },
    ...more,
  });

const text = { type: 'string' };
const search = tool('search', { query: text });
const math = tool('math', { problem: text, context: { type: 'array', items: text } });
const status = tool('NodeStatus', {});
const temperature = tool(
  'Temperature',
  { date: { type: 'string', format: 'date' } },
  { after: ['NodeStatus'], returns: { type: 'number' } },
);
const odd = tool('get-weather', {
  unit: { enum: ['c', 'f'] },
  days: { type: 'integer' },
  where: {
    type: 'object',
    properties: { city: text, near: { type: 'boolean' } },
    required: ['city', 'near'],
  },
});

const sets: readonly (readonly [string, readonly ToolSpec[]])[] = [
  ['a search and a calculator', [search, math]],
  ['tools that come after others', [status, temperature]],
  ['a tool of many types', [odd]],
  ['one tool without parameters', [status]],
  ['one that writes', [tool('send', { to: text }, { effect: 'write' })]],
  ['no tools', []],
];

describe.each(promptLanguages)('in %s', (language) => {
  const words = wordsIn(language);

  test.each(sets)('for %s the plan passes the check without a warning', (_what, specs) => {
    const tools = new Map(specs.map((spec) => [spec.name, spec]));
    const plan = samplePlan(specs, words);
    const checked = checkProgram(plan, { tools, inputs: [] }, { dialect: 'llmcompiler' });
    // Where the plan can call nothing, its end is all that the loop wants of it.
    const isAlone = !/^\d+\. (?!join)/m.test(plan);
    expect(checked.diagnostics.map(({ message }) => message)).toEqual(
      isAlone ? [expect.stringContaining('nothing before it')] : [],
    );
  });

  test.each(sets)('for %s each action can be read', (_what, specs) => {
    const tools = new Map(specs.map((spec) => [spec.name, spec]));
    const actions = sampleActions(specs, words).match(/^Action: .*$/gm) ?? [];
    expect(actions.at(-1)).toMatch(/^Action: Finish\[.+\]$/);
    for (const action of actions) {
      const read = readAction(`Thought: x\n${action}`, { tools, inputs: [] });
      expect(read).toMatchObject({ ok: true, mended: [] });
      expect(read.ok && read.value.calls.map(({ problem }) => problem).join('')).toBe('');
    }
  });

  test('no sentence is left out', () => {
    const empty = (value: unknown): boolean =>
      typeof value === 'object' && value !== null ? Object.values(value).some(empty) : value === '';
    expect(empty(words)).toBe(false);
  });
});

test('the tools are told of with all that they declare', () => {
  const declared = tool(
    'Temperature',
    { date: { ...text, description: 'The day.' } },
    {
      after: ['NodeStatus'],
      requires: ['date'],
      returns: { type: 'object', properties: { celsius: { type: 'number' } } },
      alternatives: ['search'],
      conflicts: ['Reset'],
      limits: { callsPerRun: 3 },
    },
  );
  expect(toolLinesIn([declared], undefined, wordsIn('en'))).toEqual([
    [
      'The tools, and there are no others:',
      '- `Temperature[date: string = …]`: Does Temperature. It returns {celsius?: number}. ' +
        'Call `NodeStatus` before it: it waits for that to succeed. ' +
        'Where it fails, `search` stands in. It never runs at the same time as `Reset`. ' +
        'A run may call it 3 times.',
      '  - `date`: The day. A person is asked where it is left out.',
      '  - Example: `Temperature["2024-02-15"]`',
    ].join('\n'),
  ]);
  const [french] = toolLinesIn([declared], undefined, wordsIn('fr'));
  expect(french).toMatch(/^Les outils ; .*\n- `Temperature\[/);
});

test('a plan within a plan is offered where there may be one', () => {
  const prompt = {
    at: 0,
    ...{ goal: { text: 'x' }, tools: [search], done: [], reason: '', refused: undefined },
    firstId: 1,
  };
  const [offered] = planMessages({ ...prompt, hasSubPlans: true }, wordsIn('en'));
  const [plain] = planMessages({ ...prompt, hasSubPlans: false }, wordsIn('en'));
  expect(offered?.content).toContain('plan["a goal in words"]');
  expect(plain?.content).not.toContain('plan["a goal in words"]');
});

test.each([
  ['French', 'fr'],
  ['français', 'fr'],
  ['fr_CA', 'fr'],
  ['English', 'en'],
  ['German', undefined],
])('%s is the prompt language %s', (name, language) => {
  expect(promptLanguage(name)).toBe(language);
});
