/** The loop in which a model judges an answer. */
import { expect, test } from 'vitest';
import { type Case, judgingHandlers } from '../../src/planner/judge.ts';
import { runLoop } from './run-loop.ts';
import { scripted } from './scripted.ts';

const given: Case = {
  goal: { text: 'Where are the tides?', format: 'one line' },
  answer: 'On shelf 12.',
  basis: [
    { step: '0', tool: 'search', request: '{"query":"tides"}', outcome: 'gave "shelf 12"' },
    { step: '1@2', tool: 'search', request: '{"query":"more"}', outcome: 'failed: PV4300 gone' },
  ],
  omitted: 3,
  about: 'Where are the tides?',
};

async function judge(...replies: string[]) {
  const { model, requests } = scripted(...replies);
  const result = await runLoop(
    'judge',
    judgingHandlers(() => model),
    { case: given, rounds: 2 },
  );
  return { result, requests };
}

test('what a model is asked that is to judge', async () => {
  const { requests } = await judge('{"accept": true, "reason": "It is there.", "suggestion": ""}');
  const [system, user] = requests[0]?.messages ?? [];
  const text = `${system?.content}\n\n---\n\n${user?.content}\n`;
  await expect(text).toMatchFileSnapshot('../golden/planner/judge-prompt.txt');
  expect(requests[0]).toMatchObject({
    prompt: given.about,
    format: {
      kind: 'json',
      schema: { required: ['reason', 'outcome', 'suggestion', 'rewritten'] },
    },
  });
});

test.each([
  [
    '```json\n{"reason": "It is there.", "accept": true, "suggestion": ""}\n```',
    { accept: true, reason: 'It is there.', suggestion: '' },
  ],
  [
    '{"outcome": "Rewrite_answer", "reason": "It is English.", "rewritten": "Oui."}',
    { accept: false, outcome: 'rewrite answer', rewritten: 'Oui.' },
  ],
  [
    '<think>{"accept": true}</think> {"accept": "no", "reason": "Step 1 failed."}',
    { accept: false, reason: 'Step 1 failed.', suggestion: '' },
  ],
])('a verdict is read from %j', async (reply, verdict) => {
  expect((await judge(reply)).result).toMatchObject({ status: 'done', answer: verdict });
});

test.each([
  ['It will do.', 'got only prose'],
  ['{"accept": "perhaps", "reason": "?"}', '"outcome" is none of satisfies'],
  ['{"accept": true}', '"reason" is no text'],
])('%j is no verdict, and the model is told why', async (reply, problem) => {
  const { result, requests } = await judge(reply, '{"accept": false, "reason": "No source."}');
  expect(requests[1]?.messages.at(-1)?.content).toContain(problem);
  expect(result).toMatchObject({ status: 'done', answer: { accept: false } });
});

test('no verdict at all is a failure, never an acceptance', async () => {
  const { result } = await judge('Fine.', 'Really fine.');
  expect(result).toMatchObject({ status: 'failed', answers: [] });
  expect(result.error?.message).toContain('the model gave no verdict in round 2');
});
