/** What a joiner says, in the form asked for and in those that models fall back to. */
import { expect, test } from 'vitest';
import { readJoined } from '../../../src/planner/tasks/join-reply.ts';

const finish = (answer: unknown, thought = '') => ({ action: 'finish', thought, answer });
const replan = (reason: string, thought = '') => ({ action: 'replan', thought, reason });

const json = (data: unknown): string => JSON.stringify(data);

test.each([
  [json({ thought: 't', action: 'finish', answer: '42', reason: '' }), finish('42', 't')],
  [json({ thought: '', action: 'replan', answer: '', reason: 'no area' }), replan('no area')],
  ['```json\n{"action": "Finish", "answer": 42}\n```', finish(42)],
  [json({ action: 'Finish(42)' }), finish('42')],
  [
    json({ action: 'Replan', thought: 'the area is missing' }),
    replan(...twice('the area is missing')),
  ],
  [json({ action: 'finish', answer: ['a', 'b'] }), finish(['a', 'b'])],
])('of %s', (text, value) => {
  expect(readJoined(text)).toEqual({ ok: true, value, mended: [] });
});

function twice(text: string): [string, string] {
  return [text, text];
}

test.each([
  ['Thought: it is there\nAction: Finish(42)', finish('42', 'it is there')],
  ['Action: Finish(First for Women (magazine))', finish('First for Women (magazine)')],
  ['Action: Finish 42', finish('42')],
  ['Action: Finish: 42', finish('42')],
  ['Finish[42]', finish('42')],
  ['Action: Finish(two\nlines (of it)\nand more)', finish('two\nlines (of it)\nand more')],
  ['Action: Finish(The Replan movie)', finish('The Replan movie')],
  ['   **Action:** Finish(bold)', finish('bold')],
  ['**Action: Finish(bold)**', finish('bold')],
  ['- Action: finish("quoted")', finish('quoted')],
  ['Action: Replan(look for b)', replan('look for b')],
  ['Thought: no b\nAction: Replan', replan('no b', 'no b')],
  ['Action: Finish(it ends :) like this)', finish('it ends :) like this')],
  ['Action: Finish(never closed', finish('never closed')],
  ['Action: Finish(42)<END_OF_RESPONSE>', finish('42')],
  [
    'Action: Replan(no)\nThought: yes, all the same\nAction: Finish(7)',
    finish('7', 'yes, all the same'),
  ],
  [
    'Action: Finish(the plan said\nReplan(x)\nand stopped)',
    finish('the plan said\nReplan(x)\nand stopped'),
  ],
  ['<think>Action: Replan(no)</think>\nAction: Finish(7)', finish('7')],
])('of the text %s', (text, value) => {
  const read = readJoined(text);
  expect(read).toMatchObject({ ok: true, value });
  expect(read.ok && read.mended).toHaveLength(1);
});

test.each([
  ['It is 42, I think.', 'neither Finish nor Replan'],
  ['Finish line is where the race ends.', 'neither Finish nor Replan'],
  ['Action: Finish()', 'without an answer'],
  ['Action: Replan()', 'without a reason'],
  [json({ action: 'finish', answer: ' ' }), 'without an answer'],
  [json({ action: 'stop', answer: '42' }), 'want "finish" or "replan"'],
  [json({ answer: '42' }), 'neither Finish nor Replan'],
])('%s is no decision', (text, problem) => {
  expect(readJoined(text)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
});
