/** Replies that are cut off, through the engine: what had been said and done stays, once. */
import { expect, test } from 'vitest';
import type { Model } from '../../../src/effects/model/model.ts';
import { EffectFailure, type Handler } from '../../../src/engine/handler.ts';
import { quickTool } from '../../engine/support.ts';
import { answersLeft, atEachDeath, ops, orders, played, saidIn, stageOf } from './played.ts';

const text = `# Shop

## Main
### Triggers
- At the beginning
### Steps
- Greet them and ask how many they want, as $n
- order($n)
- Tell them when it comes
- Return $n
`;

/** What the model does where it is; of a line that is done already nothing is repeated. */
const replyAt = (prompt: string): string => {
  const last = prompt.slice(prompt.lastIndexOf('You are'));
  if (/You are (?:at|before) 0[12]\b/.test(last)) {
    if (prompt.includes('The person wrote: "3"'))
      return ops({ at: '01' }, { set: { n: 3 } }, { at: '03' }, { say: 'Friday.' });
    return prompt.includes('"Hello! How many?"')
      ? ops({ at: '01' }, { yield: 'user' })
      : ops({ at: '01' }, { say: 'Hello! How many?' }, { yield: 'user' });
  }
  return prompt.includes('"Friday."') ? ops({ at: '03' }) : ops({ at: '03' }, { say: 'Friday.' });
};

/** Writes its replies in pieces; its connection breaks after so many characters of each. */
function writing(cuts: number[] = []): Model {
  return {
    name: 'writing',
    async complete({ messages }, context) {
      const reply = replyAt(messages.map(({ content }) => content).join('\n'));
      const end = cuts.shift() ?? Infinity;
      for (const piece of reply.slice(0, end).match(/[\s\S]{1,7}/g) ?? []) {
        context.signal.throwIfAborted();
        context.progress(piece);
      }
      if (end < reply.length) throw new EffectFailure('PV4108', 'gone', { retryable: true });
      const usage = { modelCalls: 1, inputTokens: 9, outputTokens: 9 };
      return { text: reply, finishReason: 'stop', usage };
    },
  };
}

const order = (made: unknown[]): Handler => quickTool('order', ({ n }) => made.push(n), orders);

test('a model does the open lines, the machine the others', async () => {
  const made: unknown[] = [];
  const { result, said } = await played(text, {
    ...{ replies: [], model: writing(), tools: [order(made)], answers: ['3'] },
  });
  expect(result).toMatchObject({ status: 'done', answer: 3 });
  expect([said, made]).toEqual([['Hello! How many?', 'Friday.'], [3]]);
});

test('wherever the connection breaks, nothing is said or ordered twice', async () => {
  for (let cut = 1; cut < 70; cut += 3) {
    const made: unknown[] = [];
    const { result, said } = await played(text, {
      ...{ replies: [], model: writing([cut, 80, cut]), tools: [order(made)], answers: ['3'] },
    });
    expect([cut, result.status, result.answer]).toEqual([cut, 'done', 3]);
    expect([cut, said, made]).toEqual([cut, ['Hello! How many?', 'Friday.'], [3]]);
  }
});

test('wherever the process dies, nothing is said or ordered twice', async () => {
  const make = () => {
    const made: unknown[] = [];
    const stage = (journal: Parameters<typeof answersLeft>[1]) =>
      stageOf(text, {
        ...{ replies: [], model: writing(), tools: [order(made)], journal },
        answers: answersLeft(['3'], journal),
      });
    return { made, stage };
  };
  const appends = await atEachDeath(make, ({ fatal, journal, run, result }, { made }) => {
    const said = saidIn(journal, run);
    expect([fatal, made]).toEqual([fatal, [3]]);
    // Whether an order was placed whose outcome was not written down, a person has to say.
    const isInDoubt = result.status === 'suspended';
    const expected = isInDoubt ? ['Hello! How many?'] : ['Hello! How many?', 'Friday.'];
    expect([fatal, said, result.answer]).toEqual([fatal, expected, isInDoubt ? null : 3]);
  });
  expect(appends).toBeGreaterThan(5);
});
