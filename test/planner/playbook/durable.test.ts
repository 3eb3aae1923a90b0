/** Killed at every append, a run of playbooks goes on to the same log and asks the model nothing twice. */
import { expect, test } from 'vitest';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../../src/engine/journal/memory/journal.ts';
import { quickTool } from '../../engine/support.ts';
import { slowly } from '../../playbooks/following.ts';
import { followed } from '../../support/playbook-follower.ts';
import { answersLeft, atEachDeath, ops, orders as ordersOf, saidIn, stageOf } from './played.ts';
import { seenIn } from './seen.ts';

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
  const whole = stageOf(text, world().options);
  const log = seenIn(whole.journal, (await whole.start()).run);
  const make = () => {
    const { orders, options } = world();
    return { orders, stage: (journal: Journal) => stageOf(text, { ...options, journal }) };
  };
  const last = await atEachDeath(make, ({ fatal, journal, run, result }, { orders }) => {
    // Nobody knows whether an order that had begun was made: that is asked, and never guessed.
    if (result.reason === 'unknown') return;
    expect([fatal, result.error]).toEqual([fatal, undefined]);
    expect(result).toMatchObject({ status: 'done', answer: 16 });
    expect([fatal, seenIn(journal, run)]).toEqual([fatal, log]);
    expect(orders).toEqual([16]);
  });
  expect(last).toBeGreaterThan(7);
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
  const model = slowly(({ messages }) => followed(messages));
  const stage = (journal: Journal) =>
    stageOf(text, { model, replies: [], journal, answers: answersLeft(['Ann'], journal) });
  const whole = memoryJournal();
  const log = seenIn(whole, (await stage(whole).start()).run);
  expect(log.says.map((one) => one.slice(one.indexOf(' ') + 1))).toEqual(
    expect.arrayContaining(all),
  );
  const last = await atEachDeath(
    () => ({ stage }),
    ({ fatal, journal, run, result }) => {
      expect([fatal, result.error, seenIn(journal, run)]).toEqual([fatal, undefined, log]);
    },
  );
  expect(last).toBeGreaterThan(20);
});
