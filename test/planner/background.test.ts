/** What a model is told of the conversation that a goal stands in. */

import { expect, test } from 'vitest';
import { conversationText, functionLines } from '../../src/planner/background.ts';
import { readBackground, readGoal } from '../../src/planner/goal.ts';
import { goalLines } from '../../src/planner/prompt.ts';

test('a goal in a conversation is shown with what was said before', () => {
  const background = {
    messages: [
      { role: 'user', content: 'Where are the tides?' },
      { role: 'assistant', content: 'On shelf 12.' },
    ],
    functions: [{ name: 'f', signature: 'f(a)', about: 'Looks.', text: 'def f(a):\n    return a' }],
  } as const;
  const goal = readGoal({ text: 'And the moons?', background });
  expect(goal.background).toEqual(background);
  expect(goalLines(goal).join('\n')).toMatch(
    /User: Where are the tides\?\n\nYou: On shelf 12\.\n\n.*\nGoal: And the moons\?\nThe final answer is written in the language of the goal\.$/,
  );
  expect(functionLines(goal.background)).toContain('- `f(a)`: Looks.');
});

test('a goal by itself is shown as ever', () => {
  const lines = ['Goal: Why?', 'The final answer is written in the language of the goal.'];
  expect(goalLines(readGoal({ text: 'Why?' }))).toEqual(lines);
  expect(goalLines(readGoal({ text: 'Why?', background: { messages: [] } }))).toEqual(lines);
  expect(readBackground(null)).toBeUndefined();
});

test('what is too long is cut from the old end, and counted', () => {
  const messages = Array.from({ length: 20 }, (_, i) => ({
    role: 'user' as const,
    content: `${i} ${'x'.repeat(3000)}`,
  }));
  const text = conversationText({ messages });
  expect(text).toMatch(/^\(13 earlier messages are left out\.\)\n\nUser: 13 x/);
  const long = conversationText({ messages: [{ role: 'user', content: 'y'.repeat(5000) }] });
  expect(long).toMatch(/y … \(1000 more characters\)$/);
});
