/** Tools that ask while they are performed: src/engine/perform/within.ts, and where it is kept. */
import { expect, test } from 'vitest';
import { AnswerNeeded, type AttemptContext, type Question } from '../../src/engine/handler.ts';
import { breaksIn } from '../../src/engine/journal/history.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { answerRun } from '../../src/engine/reply.ts';
import {
  byName,
  programOf,
  quickTool,
  resume,
  settle,
  start,
  TestClock,
  testTool,
} from './support.ts';

const program = programOf([{ tool: 'book', n: 1 }]);
const question = (text: string): Question => ({ text, check: () => undefined });

/** Asks how many and where, and is done with both; a write that nobody may repeat blindly. */
function bookings(): { tool: ReturnType<typeof quickTool>; attempts: string[] } {
  const attempts: string[] = [];
  const answered = async ({ ask }: AttemptContext, text: string): Promise<unknown> => {
    const answer = await ask?.(question(text));
    if (!answer) throw new AnswerNeeded(question(text));
    return answer.value;
  };
  const tool = quickTool(
    'book',
    async (_, context) => {
      const bound = { ...context, ask: context.ask?.bind(context) };
      attempts.push(`attempt ${context.attempt}`);
      const seats = await answered(bound as AttemptContext, 'How many?');
      return `${seats} ${await answered(bound as AttemptContext, 'Where?')}`;
    },
    { effect: 'write' },
  );
  return { tool, attempts };
}

test('a write that asks is never in doubt: each answer is kept, and the call made again', async () => {
  const { tool, attempts } = bookings();
  const journal = memoryJournal();
  const handlers = byName(tool);
  const first = start({ program, handlers, journal });
  expect(await first.result).toMatchObject({
    ...{ status: 'waiting', reason: 'person' },
    waits: [{ kind: 'question', effect: '0#1', tool: 'book', question: 'How many?' }],
  });
  const reply = { journal, run: first.id, handlers, by: 'Ada' };
  await answerRun({ ...reply, answer: () => 3 });
  const second = resume({ journal, run: first.id, program, handlers });
  expect(await second.result).toMatchObject({ waits: [{ question: 'Where?' }] });
  await answerRun({ ...reply, answer: () => 'left' });
  const third = resume({ journal, run: first.id, program, handlers });
  expect(await third.result).toMatchObject({ status: 'done' });
  expect(attempts).toStrictEqual(['attempt 1', 'attempt 2', 'attempt 3']);
  const events = journal.events(first.id);
  expect(breaksIn(events)).toStrictEqual([]);
  expect(events.filter(({ type }) => type === 'effect.answered')).toMatchObject([
    { value: '3', by: 'Ada' },
    { by: 'Ada' },
  ]);
});

test('who is there is asked at once, one question after the other', async () => {
  const { tool, attempts } = bookings();
  const asked: string[] = [];
  const person = {
    answer: async ({ question: text }: { question: string }) => {
      asked.push(text);
      return { value: asked.length, by: 'Eve' };
    },
    decide: async () => undefined,
  };
  const run = start({ program, handlers: byName(tool), person });
  expect(await run.result).toMatchObject({ status: 'done' });
  expect(asked).toStrictEqual(['How many?', 'Where?']);
  expect(attempts).toHaveLength(3);
});

test('a sign of life lets the time of an attempt begin anew', async () => {
  const clock = new TestClock();
  const tool = testTool('tool', { limits: { timeoutMs: 1000, attempts: 1 } });
  const one = programOf([{ tool: 'tool', n: 1 }]);
  const run = start({ program: one, handlers: byName(tool), clock });
  const { context } = await tool.call(0);
  clock.advance(900);
  context.extend();
  clock.advance(999);
  await settle();
  expect(context.signal.aborted).toBe(false);
  clock.advance(1);
  expect(await run.result).toMatchObject({ status: 'failed', error: { code: 'PV4005' } });
});
