/** Killed at every append, a run of playbooks goes on to the same log and asks the model nothing twice. */
import { expect, test } from 'vitest';
import type { Model } from '../../../src/effects/model/model.ts';
import { memoryJournal } from '../../../src/engine/journal/memory/journal.ts';
import { quickTool } from '../../engine/support.ts';
import { followed } from '../../support/playbook-follower.ts';
import { dyingBefore, ops, orders as ordersOf, saidIn, stageOf } from './played.ts';

const text = `# Desk

\`\`\`tools
def twice(n):
    return n + n
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- Say("Welcome")
- $n = Number("x")
- $m = twice($n)
- order($m)
- Say("{$m}")
- Return $m

## Number(word)
### Steps
- Return 8

## Big
### Triggers
- When $m > 15
### Steps
- Say("big")
`;

const scripted = [
  ops({ say: 'Welcome' }, { call: 'Number', args: { word: 'x' }, into: 'n' }, { yield: 'call' }),
  ops({ return: 8 }),
  ops({ call: 'twice', args: { n: '$n' }, into: 'm' }, { yield: 'call' }),
  ops({ say: 'big' }, { return: null }),
  ops({ call: 'order', args: { n: '$m' } }, { say: '{$m}' }, { return: '$m' }),
];

/** A world that outlives processes: what the model was asked, and what was ordered. */
function world() {
  const orders: unknown[] = [];
  const asked = new Map<string, string>();
  return {
    orders,
    asked,
    options: {
      tools: [quickTool('order', ({ n }) => orders.push(n), ordersOf)],
      // A request that was answered before is answered alike.
      replies: ({ prompt }: { prompt: string }) => {
        const known = asked.get(prompt) ?? scripted[asked.size] ?? '';
        asked.set(prompt, known);
        return known;
      },
    },
  };
}

test('plays to its end', async () => {
  const { orders, asked, options } = world();
  const stage = stageOf(text, options);
  const result = await stage.start();
  expect(result.error).toBeUndefined();
  expect(result).toMatchObject({ status: 'done', answer: 16 });
  expect(saidIn(stage.journal, result.run)).toEqual(['Welcome', 'big', '16']);
  expect(orders).toEqual([16]);
  expect(asked.size).toBe(scripted.length);
  const steps = stage.journal
    .events(result.run)
    .flatMap((event) => (event.type === 'effect.started' ? [`${event.step} ${event.tool}`] : []));
  expect(steps).toEqual([
    ...['Main:01 turn', 'Number:01 turn', 'Main:04 turn', 'Big:01 turn', 'Main:06 turn'],
    'Main:06 order',
  ]);
});

test('killed before any append, it goes on to the same end and log, and orders once', async () => {
  for (let fatal = 2; ; fatal++) {
    const { orders, options } = world();
    const journal = memoryJournal();
    const first = stageOf(text, { ...options, journal: dyingBefore(journal, fatal) });
    const ended = await first.start().then(
      (result) => result,
      () => undefined,
    );
    if (ended) {
      expect(fatal).toBeGreaterThan(7);
      break;
    }
    const [run] = journal.list();
    if (!run) throw new Error('no run');
    const result = await stageOf(text, { ...options, journal }).resume(run.id);
    // Nobody knows whether an order that had begun was made: that is asked, and never guessed.
    if (result.reason === 'unknown') continue;
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({ status: 'done', answer: 16 });
    expect(saidIn(journal, run.id)).toEqual(['Welcome', 'big', '16']);
    expect(orders).toEqual([16]);
  }
});

const rounds = `# Desk

\`\`\`tools
def Price(kind):
    return {"a": 1, "b": 2, "c": 3}[kind]
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $kinds = ["a", "b", "c"]
- For each $kind in $kinds
  - $price = Price($kind)
  - Say("{$kind} is {$price}")
- Return $price
`;

/** Follows what it is shown, a line at a time, each journaled for itself. */
const following: Model = {
  name: 'following',
  async complete({ messages }, context) {
    const text = followed(messages);
    for (const line of text.split(/(?<=\n)/)) {
      context.progress(line);
      for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
    }
    return {
      text,
      finishReason: 'stop',
      usage: { modelCalls: 1, inputTokens: 1, outputTokens: 1 },
    };
  },
};

const counted = `# Desk\n\n## Main
### Triggers
- At the beginning
### Steps
- n = 2
- Ask user for $name
- While n < 4
  - n = n + 1
  - Say("{n}")
- Return n
`;

test.each([
  ['over items', rounds, ['a is 1', 'b is 2', 'c is 3']],
  ['while something holds, from which a reply goes on', counted, ['3', '4']],
])('killed before any append, rounds %s are each done once', async (_, text, all) => {
  const options = { replies: [], model: following };
  for (let fatal = 2; ; fatal++) {
    const journal = memoryJournal();
    const first = stageOf(text, {
      ...options,
      answers: ['Ann'],
      journal: dyingBefore(journal, fatal),
    });
    const ended = await first.start().then(
      (result) => result,
      () => undefined,
    );
    if (ended) {
      expect(fatal).toBeGreaterThan(20);
      break;
    }
    const [run] = journal.list();
    if (!run) throw new Error('no run');
    const isAsked = journal
      .events(run.id)
      .some((one) => one.type === 'effect.settled' && one.tool === 'ask');
    const answers = isAsked ? [] : ['Ann'];
    const result = await stageOf(text, { ...options, answers, journal }).resume(run.id);
    const said = saidIn(journal, run.id).filter((one) => !String(one).startsWith('Ask '));
    expect([fatal, result.error, said]).toEqual([fatal, undefined, all]);
  }
});
