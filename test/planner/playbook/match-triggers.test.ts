/** Which triggers match: what the model is shown, and what is made of its reply. */
import { expect, test } from 'vitest';
import { matchTriggersHandler, readMatches } from '../../../src/planner/playbook/match-triggers.ts';
import { attempt } from '../../support/attempt.ts';
import { scripted } from '../scripted.ts';

const conditions = [
  { id: 'CheckPin:T1', text: 'When the user gives a PIN' },
  { id: 'CheckMail:T1', text: 'When $email is set' },
];

test('a model sees conditions, what has changed, question and message, and nothing else', async () => {
  const { model, requests } = scripted('{"holds": [2]}');
  const said = { question: 'Your mail?', message: 'my mail is test@' };
  const args = { conditions, changed: { $email: 'test@' }, ...said };
  const matched = await matchTriggersHandler(() => model).perform(args, attempt());
  expect(matched).toEqual(['CheckMail:T1']);
  expect(requests[0]?.messages[1]?.content).toBe(
    [
      'Conditions:\n1. When the user gives a PIN\n2. When $email is set',
      'Just changed:\n$email = "test@"',
      'The person was asked: "Your mail?"',
      'The person just wrote: "my mail is test@"',
    ].join('\n\n'),
  );
});

test('who has written is named where that is not the user', async () => {
  const { model, requests } = scripted('{"holds": []}');
  const args = { conditions, message: 'the rate?', sender: 'FrontDesk' };
  await matchTriggersHandler(() => model).perform(args, attempt());
  expect(requests[0]?.messages[1]?.content).toContain('FrontDesk just wrote: "the rate?"');
});

test('without conditions nobody is asked', async () => {
  const { model, requests } = scripted();
  const handler = matchTriggersHandler(() => model);
  expect(await handler.perform({ conditions: [], changed: { x: 1 } }, attempt())).toEqual([]);
  expect(requests).toEqual([]);
});

test.each([
  ['{"holds": []}', []],
  ['{"holds": [1, 2]}', [1, 2]],
  ['{"holds": [2, 2]}', [2]],
  ['```json\n{"holds": ["1"]}\n```', [1]],
  ['[1]', [1]],
  ['None.', []],
  ['{"holds": ["T2", "1."]}', [2, 1]],
  ['<think>perhaps [1]</think>{"holds": [2]}', [2]],
  ['I first thought of {"holds": [1]}, but it is {"holds": []}', []],
  ['{"holds": [7]}', []],
])('%s', (text, value) => {
  expect(readMatches(text, 2)).toMatchObject({ ok: true, value: { holds: value } });
});

test.each(['', '{"holds": [1', 'Sorry, I cannot say.', '{"answer": true}'])(
  '%j is asked about again',
  async (text) => {
    const { model, requests } = scripted(text, '{"holds": [1]}');
    const matched = await matchTriggersHandler(() => model).perform({ conditions }, attempt());
    expect(matched).toEqual(['CheckPin:T1']);
    expect(requests[1]?.messages.at(-1)?.content).toContain('{"holds": [1, 2]}');
  },
);

test('a model that says nothing twice has failed', async () => {
  const { model } = scripted('What?', 'What?');
  const said = matchTriggersHandler(() => model).perform({ conditions }, attempt());
  await expect(said).rejects.toMatchObject({ code: 'PV7311' });
});

test('of a long message it sees both ends', async () => {
  const { model, requests } = scripted('{"holds": []}');
  const message = { start: 'Dear all', end: 'Yours', size: 100_000, name: 'long_1' };
  await matchTriggersHandler(() => model).perform({ conditions, message }, attempt());
  expect(requests[0]?.messages[1]?.content).toContain(
    'The person just wrote: "Dear all" … (99987 more characters; all in long_1) … "Yours"',
  );
});

test('what a condition wants is taken from the message, by the types that are declared', async () => {
  const { model, requests } = scripted(
    '{"holds": [1, 2], "values": {"1": {"pin": 1234, "day": "x"}, "2": {"pin": 5}}}',
  );
  const [first, second] = conditions;
  const args = {
    conditions: [{ ...first, wants: { pin: 'str', count: '' } }, second],
    message: 'it is 1234',
  };
  const matched = await matchTriggersHandler(() => model).perform(args, attempt());
  expect(matched).toEqual([{ id: 'CheckPin:T1', values: { pin: '1234' } }, 'CheckMail:T1']);
  const [system, user] = requests[0]?.messages ?? [];
  expect(user?.content).toContain('1. When the user gives a PIN (wants pin: str, count)');
  expect(system?.content).toContain('"values"');
});

test('values may stand without a number where a single condition holds', async () => {
  const [first, second] = conditions;
  const args = {
    conditions: [
      { ...first, wants: { pin: 'str' } },
      { ...second, wants: { pin: '' } },
    ],
    message: 'it is 0123',
  };
  const given = async (reply: string) =>
    await matchTriggersHandler(() => scripted(reply).model).perform(args, attempt());
  expect(await given('{"holds": [1], "values": {"pin": "0123"}}')).toEqual([
    { id: 'CheckPin:T1', values: { pin: '0123' } },
  ]);
  expect(await given('{"holds": [1, 2], "values": {"pin": "0123"}}')).toEqual([
    'CheckPin:T1',
    'CheckMail:T1',
  ]);
});
