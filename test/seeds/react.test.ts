/** What the glossary of LLMCompiler promises of its ReAct form, a test for each sentence. */
import { expect, test } from 'vitest';
import { calculatorHandlers } from '../../src/effects/calculate/calculator.ts';
import { taskLoopHandlers } from '../../src/planner/tasks/handlers.ts';
import { quickTool } from '../engine/support.ts';
import { runLoop } from '../planner/run-loop.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const search = quickTool('Search', ({ entity }) => `${entity} height is 8,848.86 meters`, {
  parameters: { type: 'object', properties: { entity: { type: 'string' } }, required: ['entity'] },
});

/** The loop with a model that says these replies. */
async function ran(...replies: readonly string[]) {
  const { model, requests } = scriptedModel((_, asked) => replies[asked - 1] ?? 'nothing more');
  const given = new Map([search, ...calculatorHandlers].map((tool) => [tool.spec.name, tool]));
  const tools = new Map([...given].map(([name, { spec }]) => [name, spec]));
  const handlers = taskLoopHandlers({
    ...{ loop: 'react', language: 'en', tools, native: false },
    model: () => model,
  });
  const inputs = { goal: { text: 'What is half of it?' }, rounds: 5, remarks: [] };
  const result = await runLoop('react', new Map([...given, ...handlers]), inputs);
  const texts = requests.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
  return { ...result, texts, stops: requests.map(({ stop }) => stop) };
}

const find = 'Thought: I need to find the height of Mount Everest\nAction: Search[Mount Everest]';
const halve = 'Thought: I need to halve the height\nAction: Calculate[8848.86/2]';
const finish = 'Thought: I have the answer\nAction: Finish[4424.43]';

test('thought, action and observation alternate until Finish says the answer', async () => {
  const { status, answer, texts } = await ran(find, halve, finish);
  expect([status, answer]).toEqual(['done', '4424.43']);
  expect(texts[1]).toContain('Observation: Mount Everest height is 8,848.86 meters');
  expect(texts[2]).toContain('Observation: 4424.43');
});

test('a number is computed with as the observation writes it', async () => {
  const written = halve.replace('8848.86', '8,848.86');
  expect((await ran(find, written, finish)).texts[2]).toContain('Observation: 4424.43');
});

test('there is one action at a time, and the model writes no observation itself', async () => {
  const { texts, stops, answer } = await ran(`${find}\nObservation: 1 meter\n${halve}`, finish);
  expect(stops[0]).toEqual(['\nObservation:']);
  expect(texts[1]).not.toContain('1 meter\n');
  expect(answer).toBe('4424.43');
});

test('no mark of the end is required', async () => {
  expect((await ran(finish)).answer).toBe('4424.43');
});

test('the same search is not made again in a row', async () => {
  expect((await ran(find, find, finish)).texts[2]).toContain('was called before');
});

test('a call that fails is an observation, so that the model may do otherwise', async () => {
  const broken = 'Thought: t\nAction: Calculate[height / 2]';
  const { texts, status } = await ran(broken, halve, finish);
  expect(texts[1]).toContain('Observation: Error: PV4205');
  expect(status).toBe('done');
});
