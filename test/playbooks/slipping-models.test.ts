/**
 * Programs of plain lines, made at random, with a model that gets some of its replies wrong: where
 * everything is enforced, what is done is what the lines say, whether the run comes to its end or
 * is stopped on the way.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { played } from '../planner/playbook/played.ts';
import { Chance } from '../simulator/chance.ts';
import { propertyRuns } from '../support/depth.ts';
import { followed } from '../support/playbook-follower.ts';
import { randomAnswers, randomPlaybooks, randomTools } from '../support/random-playbooks.ts';
import { type Random, slipped } from '../support/slips.ts';

interface Played {
  readonly done: { readonly answer: unknown; readonly said: unknown; readonly calls: unknown };
  readonly status: string;
  readonly code: string | undefined;
  /** What went wrong in replies, for who reads of a failure. */
  readonly slips: readonly string[];
}

/** `random`: says which replies have a slip; without it none has. */
async function play(text: string, inline: number, random?: Random): Promise<Played> {
  const { tools, calls } = randomTools();
  const slips: string[] = [];
  const { result, said } = await played(text, {
    ...{ inline, tools, answers: randomAnswers, strictness: 'enforce' },
    replies({ messages, prompt }) {
      const right = followed(messages);
      if (!random || right === '' || random() > 0.3) return right;
      const wrong = slipped(right, random);
      slips.push(
        `${wrong.slip}\n${prompt.slice(-1200)}\n--- right\n${right}\n--- got\n${wrong.text}`,
      );
      return wrong.text;
    },
  });
  const { answer, error, status } = result;
  // In words of its own, it says all that it knows, in the order in which it was told.
  const words = said.map((one) => String(one).replace(/: ".*$/s, ''));
  return { done: { answer, said: words, calls }, status, code: error?.code, slips };
}

const begins = (some: unknown, all: unknown): boolean =>
  Array.isArray(some) &&
  Array.isArray(all) &&
  some.every((one, at) => JSON.stringify(one) === JSON.stringify(all[at]));

test('whatever a model gets wrong, nothing is done but what the lines say', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomPlaybooks,
      fc.nat(),
      fc.constantFrom(0, 8),
      async (text, from, inline) => {
        const right = await play(text, inline);
        const found = await play(text, inline, new Chance(from).next);
        const told = [text, ...found.slips].join('\n=====\n');
        if (found.status === 'done') {
          expect(found.done, told).toEqual(right.done);
          return;
        }
        expect(begins(found.done.said, right.done.said), told).toBe(true);
        expect(begins(found.done.calls, right.done.calls), told).toBe(true);
        expect(found.code, told).toMatch(/^PV/);
      },
    ),
    propertyRuns(12),
  );
});
