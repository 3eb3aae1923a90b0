/**
 * A process that ends amid a reply: whoever goes on comes to the log that there would have been,
 * line by line, with what was said and called there, and the answer.
 */
import { expect, test } from 'vitest';
import type { Message, Model } from '../../../src/effects/model/model.ts';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../../src/engine/journal/memory/journal.ts';
import { decode, toJson } from '../../../src/program/json.ts';
import { quickTool } from '../../engine/support.ts';
import { followed } from '../../support/playbook-follower.ts';
import { atEachDeath, ops, orders, stageOf } from './played.ts';
import { desk } from './shop.ts';

/** A line at a time, each journaled for itself. */
const slowly = (reply: (messages: readonly Message[]) => string): Model => ({
  name: 'slowly',
  async complete({ messages }, context) {
    const text = reply(messages);
    for (const line of text.split(/(?<=\n)/)) {
      context.progress(line);
      for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
    }
    const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1 };
    return { text, finishReason: 'stop', usage };
  },
});

/** What was said, called and answered, in order, and at which line. */
const logOf = (journal: Journal, run: string): readonly string[] => {
  const lines = journal.events(run).flatMap((event) => {
    if (event.type === 'message.emitted')
      return [`${event.step} ${event.channel} ${JSON.stringify(toJson(decode(event.value)))}`];
    const isCall = event.type === 'effect.started' && event.tool === 'order';
    return isCall ? [`${event.step} order ${event.request}`] : [];
  });
  // What was begun may be begun once more.
  return [...new Set(lines)];
};

const nested = `${desk('- Return Top(1)')}
## Top(n)
### Steps
- $m = Sub(n)
- Return Sub($m)

## Sub(n)
### Steps
- k = n + 1
- Say("sub {k}")
- order(k)
- Return k
`;

const functions = `${desk(
  '- $c = 0',
  '- $a = Pair(2)',
  '- Say("{$a} {$c}")',
  '- Return $a',
).replace(
  '## Main',
  `\`\`\`tools
def Pair(x):
    one = Leaf(x)
    state["c"] = one
    return one + Leaf(one)
\`\`\`

## Main`,
)}
## Leaf(x)
### Steps
- Say("leaf {x}")
- order(x)
- y = x + 1
- Return y

## Seen
### Triggers
- When $c == 3
### Steps
- Say("three")
`;

const open = desk('- Note in $state what is begun', '- Say("over")', '- Return $state');

/** At an open line it leaves out what it is told to have done, and means all else. */
function opening(messages: readonly Message[]): string {
  const asked = messages.at(-1)?.content ?? '';
  const line = /or at line (\d+) where/.exec(asked)?.[1] ?? /at line (\d+)/.exec(asked)?.[1] ?? '';
  const set = { set: { $state: 'begun' } };
  const acts = [set, { say: 'Now.' }, { call: 'order', args: { n: 1 } }, { say: 'Done.' }];
  const left = acts.filter((one) => {
    if ('set' in one) return !asked.includes('01: set ');
    return 'say' in one ? !asked.includes(`01: said "${one.say}"`) : !asked.includes('01: called');
  });
  const behind = [{ step: '03' }, { return: '$state' }];
  if (line === '03') return ops(...behind);
  const rest = [{ step: '02' }, { say: 'over' }, ...behind];
  return line === '02' ? ops(...rest) : ops({ step: '01' }, ...left, ...rest);
}

test.each([
  ['of calls in the place of their callers', nested, followed],
  ['of what functions play and set', functions, followed],
  ['of lines that the model decides', open, opening],
])('the log %s', async (_, text, reply) => {
  const stage = (journal: Journal) =>
    stageOf(`${text}\n`, {
      ...{ replies: [], model: slowly(reply), journal },
      tools: [quickTool('order', ({ n }) => n, { ...orders, idempotent: true })],
    });
  const whole = memoryJournal();
  const { run, ...ended } = await stage(whole).start();
  expect(ended.error).toBeUndefined();
  const log = logOf(whole, run);
  expect(log.length).toBeGreaterThan(4);
  await atEachDeath(
    () => ({ stage }),
    ({ fatal, journal, run: killed, result }) => {
      expect([fatal, result.status, result.answer]).toEqual([fatal, 'done', ended.answer]);
      expect([fatal, ...logOf(journal, killed)]).toEqual([fatal, ...log]);
    },
  );
});
