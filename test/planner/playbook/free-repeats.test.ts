/** Calls that a playbook without lines makes again: nothing but what it has done tells of them. */
import { describe, expect, test } from 'vitest';
import { EffectFailure } from '../../../src/engine/handler.ts';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';

const program = `# Desk
## Main
Order what is wanted.
### Triggers
- At the beginning
`;

const order = (n: number) => ({ call: 'order', args: { n }, into: 'done' });
const wait = { yield: 'call' };
const end = { return: 'done' };

/** What was ordered and looked at, and what the model was told. */
async function ordered(replies: readonly string[], order = (n: unknown): string => `order ${n}`) {
  const all: unknown[] = [];
  const noted = (name: string, give: (n: unknown) => string) =>
    quickTool(
      name,
      ({ n }) => {
        all.push(name === 'look' ? `look ${n}` : n);
        return give(n);
      },
      { ...orders, effect: name === 'look' ? 'read' : 'write' },
    );
  const tools = [noted('order', order), noted('look', (n) => `look ${n}`)];
  return { ...(await played(program, { replies, tools })), all };
}

const told = 'order was called with these arguments before: leave it out, or write it again';

test('what was called by an earlier reply is asked about once, and left out', async () => {
  const replies = [ops(order(1), wait), ops(order(2), wait), ops(order(1), wait), ops(end)];
  const { result, all, prompts } = await ordered(replies);
  expect(result.answer).toBe('done');
  expect(all).toEqual([1, 2]);
  expect(prompts.at(-1)).toContain(told);
  expect(result.warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^PV7330 order was called .* is asked$/),
  ]);
});

test('what is said again is meant', async () => {
  const again = ops(order(1), wait);
  const { result, all, prompts } = await ordered([again, again, again, again, again, ops(end)]);
  expect(result.status).toBe('done');
  expect(all).toEqual([1, 1, 1]);
  expect(prompts.filter((one) => one.includes(told))).toHaveLength(4);
});

test('what reads, and what has failed, is called again', async () => {
  const look = { call: 'look', args: { n: 1 }, into: 'a' };
  const isDown = [true, false];
  const answers = (n: unknown): string => {
    if (isDown.shift()) throw new EffectFailure('PV6003', 'down', { answered: true });
    return `order ${n}`;
  };
  const both = ops(look, { ...look, into: 'b' }, wait);
  const replies = [both, ops(look, order(1), wait), ops(order(1), wait), ops(end)];
  const { result, all } = await ordered(replies, answers);
  expect(result).toMatchObject({ status: 'done', warnings: [] });
  expect(all).toEqual(['look 1', 'look 1', 'look 1', 1, 1]);
});

test('a call that one reply makes twice is told without a line', async () => {
  const replies = [ops(order(1), { ...order(1), into: 'other' }, wait), ops(wait), ops(end)];
  const { all, prompts } = await ordered(replies);
  expect(all).toEqual([1]);
  expect(prompts[1]).toMatch(/order was called with these arguments already in this reply$/m);
});

describe('what a call was made with counts, whatever its variable has by now', () => {
  const both = [
    { call: 'count', args: {}, into: '$x' },
    { call: 'order', args: { n: '$x' } },
  ];
  const set = { set: { $x: 2 } };
  const counted = { call: 'count', args: {} };

  async function play(replies: readonly (readonly object[])[]) {
    const all: unknown[] = [];
    const anything = { parameters: { type: 'object', properties: { n: {} }, required: ['n'] } };
    const ran = await played(program, {
      replies: replies.map((one) => ops(...one)),
      tools: [
        quickTool('count', () => 1, { effect: 'read' }),
        quickTool('recount', () => 2, { effect: 'read' }),
        quickTool('order', ({ n }) => all.push(n), { ...anything, effect: 'write' }),
      ],
    });
    return { ...ran, all };
  }

  const later = (n: number) =>
    play([[...both, wait], [set, counted, wait], [order(n), wait], [{ return: 1 }]]);

  test('another value is another call', async () => {
    const { all, result, prompts } = await later(2);
    expect([all, result.warnings, prompts.length]).toEqual([[1, 2], [], 4]);
  });

  test('the same one is asked about', async () => {
    const { all, prompts } = await later(1);
    expect(all).toEqual([1]);
    expect(prompts.at(-1)).toContain(told);
  });

  test.each([
    [2, 'is another call', [1, 2]],
    [1, 'is told again', [1]],
  ])('behind a reply that could not stand, %d %s', async (n, _, orders) => {
    const { all } = await play([
      [...both, { call: 'recount', args: {}, into: '$x' }, { call: 'nothing' }],
      [order(n), wait],
      [{ return: 1 }],
    ]);
    expect(all).toEqual(orders);
  });
});
