/** The loop that changes a program which has run, with models that do it well, badly, not at all. */
import { expect, test } from 'vitest';
import { withoutDay } from '../../src/effects/model/replay.ts';
import type { RunResult } from '../../src/engine/result.ts';
import type { Round } from '../../src/planner/plan-failure.ts';
import { revisingHandlers } from '../../src/planner/revise.ts';
import { type Revision, readRevision } from '../../src/planner/revision.ts';
import { looksFor } from '../../src/planner/revision-prompt.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { runLoop } from './run-loop.ts';
import { named, scripted } from './scripted.ts';

const tools = new Map([named('search', 'query'), named('note', 'text')]);
const environment = { tools, inputs: [] };

async function revise(
  revision: Revision,
  ...replies: string[]
): Promise<{ result: RunResult; rounds: Round[]; asked: string[] }> {
  const { model, requests } = scripted(...replies);
  const rounds: Round[] = [];
  const onRound = (round: Round): void => void rounds.push(round);
  const look = (expression: string): string => `what ${expression} is`;
  const { dialect } = revision;
  const handlers = revisingHandlers({ dialect, environment, model: () => model, look, onRound });
  const inputs = { task: revision, rounds: 3, looks: looksFor(revision) };
  const result = await runLoop('revise', handlers, inputs);
  const asked = requests.map((one) => withoutDay(one.messages.at(-1)?.content ?? ''));
  return { result, rounds, asked };
}

const step = (number: number, tool: string, parameters: object, output: string): string =>
  JSON.stringify({
    seq_no: number,
    type: 'calling',
    parameters: { tool, params: parameters, output_vars: output },
    execution_objective: `Call ${tool}.`,
  });
const steps = [
  step(0, 'search', { query: 'tides' }, 'found'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the plan.
  step(1, 'note', { text: '${found}' }, 'noted'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the plan.
  step(2, 'search', { query: '${noted}' }, 'final_answer'),
];
const listOf = (texts: readonly string[]): string =>
  `[\n${texts.map((one) => `  ${one}`).join(',\n')}\n]\n`;

const revision: Revision = {
  goal: { text: 'Where are the tides?', language: 'French' },
  dialect: 'stackvm-2',
  program: listOf(steps),
  at: '2',
  scopes: ['step', 'rest', 'plan'],
  states: { '0': 'done', '1': 'done', '2': 'failed' },
  variables: [{ name: 'found', type: 'string of 5 characters', text: '"tides"' }],
  error: 'plan:4:3: error PV4300: the index is gone',
  writes: [{ step: '2', tool: 'note', request: '{"text": "tides"}' }],
  refused: [listOf(steps)],
  about: 'PV4300 the index is gone',
};
const other = step(2, 'search', { query: 'tide tables' }, 'final_answer');

test('what a model is asked that is to repair a plan', async () => {
  const { asked } = await revise({ ...revision, refused: ['[1]'] }, other);
  await expect(asked[0]).toMatchFileSnapshot('../golden/planner/repair-prompt.txt');
});

test('what a model is asked that is to revise a program', async () => {
  const { error: _, ...rest } = revision;
  const task: Revision = {
    ...rest,
    dialect: 'starlark',
    program: '# Look it up.\na = search(query = "a")\nanswer(a)\n',
    at: '3',
    scopes: ['rest'],
    states: { '2': 'done', '3': 'begun' },
    suggestion: 'Say it in one word.',
    writes: [],
    refused: [],
  };
  const { asked, result } = await revise(task, '```starlark\nanswer(a[:1])\n```');
  await expect(asked[0]).toMatchFileSnapshot('../golden/planner/revise-prompt.txt');
  expect(result.answer).toEqual({
    program: '# Look it up.\na = search(query = "a")\nanswer(a[:1])\n',
    scope: 'rest',
  });
});

test.each([
  ['a step by its word', `STEP\n\`\`\`json\n${other}\n\`\`\``, 'step'],
  ['a rest by its word', `<think>PLAN?</think><answer>REST\n[${other}]</answer>`, 'rest'],
  ['a rest without a word', `[${other}]`, 'rest'],
  ['a rest that repeats what stands before it', listOf([...steps.slice(0, 2), other]), 'rest'],
  ['the whole', `PLAN\n${listOf([...steps.slice(0, 2), other])}`, 'plan'],
])('a model rewrites %s', async (_, reply, scope) => {
  const { result, rounds } = await revise(revision, reply);
  expect(result).toMatchObject({ status: 'done', answer: { scope } });
  expect(JSON.parse(rounds[0]?.text ?? '')).toEqual(
    [...steps.slice(0, 2), other].map((one) => JSON.parse(one)),
  );
});

const fenced = (text: string): string => `Here it is:\n\`\`\`json\n${text}\n\`\`\``;
// biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the plan.
const first = step(1, 'note', { text: 'of ${found}' }, 'noted');

test.each([
  ['alone', first],
  ['in a fence', fenced(first)],
  ['with its number as text', first.replace('"seq_no":1', '"seq_no":"1"')],
])(
  'one instruction with the number of the failed step, %s, replaces that step',
  async (_, reply) => {
    const { result, rounds } = await revise({ ...revision, at: '1' }, reply);
    expect(result).toMatchObject({ status: 'done', answer: { scope: 'step' } });
    const { length, 1: second, 2: last } = JSON.parse(rounds[0]?.text ?? '');
    expect(length).toBe(3);
    expect(second.parameters).toEqual(JSON.parse(first).parameters);
    expect(last).toEqual(JSON.parse(steps[2] ?? ''));
  },
);

test.each([
  ['another number', step(2, 'note', { text: 'x' }, 'noted')],
  ['a word of its own', `REST\n${step(1, 'note', { text: 'x' }, 'final_answer')}`],
])('one instruction with %s does not', async (_, reply) => {
  const { rounds } = await revise({ ...revision, at: '1' }, reply, other, other);
  expect(rounds[0]?.text).not.toContain('tides"}}');
  expect(rounds[0]?.text).not.toContain(steps[2]);
});

test('one task with the number of the failed step replaces that step', async () => {
  const program = '1. search["tides"]\n2. note["$1"]\n3. join($2)\n';
  const task: Revision = { ...revision, dialect: 'llmcompiler', program, at: '1', refused: [] };
  const { result } = await revise(task, '1. search["tide tables"]');
  expect(result.answer).toMatchObject({
    scope: 'step',
    program: '1. search["tide tables"]\n2. note["$1"]\n3. join($2)\n',
  });
});

test('a model sees more of a value that is cut before it writes', async () => {
  const variables: Revision['variables'] = [
    { name: 'found', type: 'string of 900 characters', text: '"tid"', isCut: true },
  ];
  const cut = { ...revision, variables };
  const looks = [
    'LOOK found[3:]\nLOOK len(found)',
    '```\nLOOK found\n```',
    'LOOK: found',
    'LOOK found',
  ];
  const { result, asked, rounds } = await revise(cut, ...looks, 'LOOK found', other);
  expect(asked[0]).toContain('answer with lines of `LOOK`');
  expect(asked[1]).toBe('found[3:]\n= what found[3:] is\n\nlen(found)\n= what len(found) is');
  expect(asked.slice(2, 5)).toEqual(Array.from({ length: 3 }, () => 'found\n= what found is'));
  expect(asked[5]).toContain('You have looked often enough');
  expect(result).toMatchObject({ status: 'done', answer: { scope: 'step' } });
  expect(rounds).toHaveLength(1);
  const whole = await revise(revision, other);
  expect(whole.asked[0]).not.toContain('LOOK');
});

test('a step before the one to go back to is not touched', async () => {
  const touched = listOf([step(0, 'search', { query: 'sea' }, 'found'), ...steps.slice(1)]);
  const { result, asked } = await revise(revision, `REST\n${touched}`, other);
  expect(asked[1]).toContain('PV7007: step 0 is changed, but what stands before step 2');
  expect(result.status).toBe('done');
});

test('a program that has failed before is not taken again, however it is spaced', async () => {
  const spaced = JSON.stringify(JSON.parse(steps[2] ?? ''), null, 4);
  const { result, asked } = await revise(revision, spaced, `PLAN\n${steps.join('\n,')}`, other);
  expect(asked[1]).toContain('the program is the same one that has failed before');
  expect(result.status).toBe('done');
});

test('mistakes go back with their places, and the last ones are what it ends with', async () => {
  const wrong = step(2, 'search', { quary: 'x' }, 'final_answer');
  const { result, rounds } = await revise(revision, wrong, wrong, wrong);
  expect(result).toMatchObject({ status: 'failed', error: { code: 'PV3105' } });
  expect(result.error?.message).toContain('PV2133: search lacks the parameter query');
  expect(rounds.map(({ ok }) => ok)).toEqual([false, false, false]);
});

test('a model that says why not is heard', async () => {
  const { result } = await revise(
    revision,
    '<think>Tides?</think>\nIMPOSSIBLE: No tool knows them.',
  );
  expect(result.error?.message).toMatch(/program: IMPOSSIBLE: No tool knows them\.$/);
});

test('a task of another form is refused with what is wrong with it', () => {
  expect(() => readRevision({ ...revision, scopes: ['all'] })).toThrow(
    expect.objectContaining({ code: 'PV7006', message: expect.stringContaining('scopes') }),
  );
});

test('of many tools a model is shown those that fit the goal, and what it calls besides', async () => {
  const many = Array.from({ length: 300 }, (_, i) => named(`erp.unit_${i}`, `reading_${i}`));
  const tide = toolSpec({
    ...{ name: 'sea.tide_table', effect: 'read' },
    description: 'Gives the tides of a port, day by day.',
    parameters: { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] },
  });
  // A parameter of search has the name of a tool, which the program does not call.
  const all = new Map([...tools, ...many, named('db.query', 'sql'), [tide.name, tide]]);
  const { model, requests } = scripted(
    'TOOLS erp.unit_7',
    step(2, 'erp.unit_250', { wrong: 'x' }, 'final_answer'),
    step(2, 'sea.tide_table', { port: 'Oslo' }, 'final_answer'),
  );
  const look = (expression: string): string => expression;
  const handlers = revisingHandlers({
    ...{ dialect: 'stackvm-2', environment: { tools: all, inputs: [] } },
    ...{ model: () => model, look },
  });
  const task = { ...revision, goal: { text: 'When are the tides in this port?' } };
  const result = await runLoop('revise', handlers, { task, rounds: 3, looks: 0 });
  expect(result).toMatchObject({ status: 'done' });
  const [first = '', second = '', third = ''] = requests.map(({ messages }) =>
    messages.map(({ content }) => content).join('\n'),
  );
  expect(first).toContain('`search(query)`');
  expect(first).toContain('`note(text)`');
  expect(first).toContain('`sea.tide_table(port: string)`');
  expect(first).toMatch(/There are 301 more tools\. .*reply with nothing but lines of/);
  expect(first).toContain('- `erp`, 300: unit_{0,1,2,');
  expect(first).not.toContain('`db.query(');
  expect(first.length).toBeLessThan(7000);
  expect(first).not.toContain('`erp.unit_250(');
  expect(second).toMatch(/These fit best:\n- `erp\.unit_7\(reading_7\)`: [^\n]*$/);
  expect(third).toContain('The tools that it calls:\n- `erp.unit_250(reading_250');
});
