/** The effect `join`: what a model is shown, in both languages, and what comes of its replies. */
import { expect, test } from 'vitest';
import { withoutDay } from '../../../src/effects/model/replay.ts';
import { joinHandler } from '../../../src/planner/tasks/join.ts';
import { attempt } from '../../support/attempt.ts';
import { scripted } from '../scripted.ts';

const tasks = [
  { id: '1', thought: 'The first.', action: 'search("a")', observation: { area: 1.5 } },
  {
    id: '2',
    thought: '',
    action: 'search("b")',
    error: { code: 'PV4201', message: 'away', hint: 'x' },
  },
  { id: 3, action: 'sum(2)', result: { ok: true, value: 'two', error: null } },
  {
    id: '4',
    action: 'sum($2)',
    result: {
      ok: false,
      value: null,
      error: { code: 'PV3701', message: 'skipped: task 2 failed', hint: 'y' },
    },
  },
];

async function joined(args: object, ...replies: string[]) {
  const { model, requests } = scripted(...replies);
  const context = attempt();
  const handler = joinHandler({ model: () => model, language: 'en' });
  const result = await handler
    .perform({ question: 'How large?', tasks, ...args }, context)
    .catch((error: unknown) => error);
  return { result, requests, warnings: context.warnings };
}

const finish = '{"thought": "", "action": "finish", "answer": "1.5", "reason": ""}';

test('the model sees the question and every task with what came of it', async () => {
  const { result, requests, warnings } = await joined({}, finish);
  expect(result).toEqual({ action: 'finish', thought: '', answer: '1.5' });
  expect(warnings).toEqual([]);
  expect(requests).toHaveLength(1);
  expect(withoutDay(requests[0]?.messages.at(-1)?.content ?? '')).toBe(
    [
      'Question: How large?\nToday is any day.\n',
      'Thought: The first.\n1. search("a")\nObservation: {"area":1.5}',
      '2. search("b")\nError: PV4201 away (x)',
      '3. sum(2)\nObservation: two',
      '4. sum($2)\nError: PV3701 skipped: task 2 failed (y)',
    ].join('\n'),
  );
  expect(requests[0]?.format?.schema?.required).toEqual(['thought', 'action', 'answer', 'reason']);
});

test.each(['en', 'fr'] as const)(
  'what needs no tool may be answered without one (%s)',
  async (language) => {
    const { model, requests } = scripted(finish);
    const handler = joinHandler({ model: () => model, language });
    await handler.perform({ question: 'Translate “tide”.', tasks: [] }, attempt());
    expect(requests[0]?.messages[0]?.content).toMatch(
      /to explain, draft or translate|pour expliquer, rédiger ou traduire/,
    );
  },
);

test('in the last round no other plan is offered', async () => {
  const { requests } = await joined({ final: true }, finish);
  const [system] = requests[0]?.messages ?? [];
  expect(system?.content).not.toMatch(/replan/i);
  expect(requests[0]?.format?.schema?.properties).toMatchObject({ action: { enum: ['finish'] } });
});

test('a model that wants another plan all the same is not made to answer', async () => {
  const { result } = await joined({ final: true }, 'Action: Replan(look for b)');
  expect(result).toEqual({ action: 'replan', thought: '', reason: 'look for b' });
});

test('free text is asked about once, and then is a failure: never an answer', async () => {
  const mended = await joined({}, 'It is 1.5.', finish);
  expect(mended.result).toMatchObject({ action: 'finish', answer: '1.5' });
  expect(mended.warnings).toHaveLength(1);
  expect(mended.requests[1]?.messages.at(-1)?.content).toContain('neither Finish nor Replan');
  const lost = await joined({}, 'It is 1.5.', 'I said so.');
  expect(lost.result).toMatchObject({ name: 'EffectFailure', code: 'PV7201' });
  expect(lost.requests).toHaveLength(2);
});

test('a result that is too long is cut, and says so', async () => {
  const long = [{ id: '1', action: 'read()', observation: 'x'.repeat(30_000) }];
  const { requests } = await joined({ tasks: long }, finish);
  expect(requests[0]?.messages.at(-1)?.content).toMatch(/x … \(10000 more characters\)$/);
});

test('in French the words are French and the marks are those of the notation', async () => {
  const { model, requests } = scripted(finish);
  const handler = joinHandler({ model: () => model, language: 'fr' });
  const question = { text: 'Quelle surface ?', language: 'French' };
  await handler.perform({ question, tasks: [] }, attempt());
  const [system, user] = requests[0]?.messages ?? [];
  expect(system?.content).toContain('Réponds par un seul objet JSON');
  expect(user?.content).toContain('Question: Quelle surface ?');
  expect(user?.content).toContain("Rien n'a été appelé.");
});

test.each([
  [{ question: '' }, 'got no question'],
  [{ tasks: [{ id: '1' }] }, 'got tasks of another form'],
])('%j is refused', async (args, words) => {
  const { result } = await joined(args, finish);
  expect(result).toMatchObject({ code: 'PV7006', message: expect.stringContaining(words) });
});
