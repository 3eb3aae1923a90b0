/** The loops over tasks with a model that is scripted: what counts as a round, what is observed. */
import { expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/effects/model/model.ts';
import { EffectFailure, type Handler } from '../../../src/engine/handler.ts';
import { taskLoopHandlers } from '../../../src/planner/tasks/handlers.ts';
import type { TaskLoop } from '../../../src/planner/tasks/task-loops.ts';
import { quickTool } from '../../engine/support.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { runLoop } from '../run-loop.ts';

const parameters = { type: 'object', properties: { x: {} } };
const sleep = quickTool('sleep', () => null, { parameters });
const look = quickTool(
  'look',
  ({ x }) => {
    if (x !== 'bad') return `found ${x}`;
    const hint = 'similar: "Bath"';
    throw new EffectFailure('PV4999', 'no page', { hint, mayHaveActed: false, retryable: false });
  },
  { parameters },
);

/** The loop with at most two rounds; the replies come in turn. */
async function ran(loop: TaskLoop, ...replies: readonly string[]) {
  const { model, requests } = scriptedModel((_, asked) => replies[asked - 1] ?? 'nothing more');
  const given = new Map<string, Handler>([sleep, look].map((tool) => [tool.spec.name, tool]));
  const tools = new Map([...given].map(([name, { spec }]) => [name, spec]));
  const handlers = taskLoopHandlers({
    ...{ loop, language: 'en', tools, native: false },
    model: () => model,
  });
  const plans = loop === 'llmcompiler' ? { plan_depth: 0, joins: true } : {};
  const inputs = { goal: { text: 'Is it there?' }, rounds: 2, remarks: [], ...plans };
  return { ...(await runLoop(loop, new Map([...given, ...handlers]), inputs)), requests };
}

const plan = (task: string, id: number): string =>
  `Thought: t\n${id}. ${task}\nThought: t\n${id + 1}. join()\n<END_OF_PLAN>\n`;
const replan = '{"thought": "", "action": "replan", "answer": "", "reason": "not yet"}';
const finish = '{"thought": "", "action": "finish", "answer": "there", "reason": ""}';

test('plans that only wait do not use up the rounds', async () => {
  const waits = [1, 2, 3].flatMap((id) => [plan('sleep[1]', id), replan]);
  const looks = [plan('look["a"]', 4), replan, plan('look["b"]', 5)];
  const done = await ran('llmcompiler', ...waits, ...looks, finish);
  expect(done).toMatchObject({ status: 'done', answer: 'there' });
  expect(done.requests).toHaveLength(10);
});

test('plans that do anything else use them up', async () => {
  const looks = [1, 2].flatMap((id) => [plan(`look[${id}]`, id), replan]);
  const done = await ran('llmcompiler', ...looks, plan('look[3]', 3), finish);
  expect(done).toMatchObject({ status: 'failed', error: { code: 'PV7203' } });
  expect(done.requests).toHaveLength(4);
});

const said = ({ messages }: ModelRequest): string =>
  messages.map(({ content }) => content).join('\n');

test('the hint of a tool that fails stands in the observation', async () => {
  const acts = ['Thought: t\nAction: look["bad"]', 'Thought: t\nAction: Finish[no]'];
  const { requests } = await ran('react', ...acts);
  expect(requests.map(said)[1]).toContain('Observation: Error: PV4999 no page (similar: "Bath")');
});
