/** A trigger that a variable fires cuts the reply also where something called before is still queued. */
import { describe, expect, test } from 'vitest';
import type { Model } from '../../../src/effects/model/model.ts';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { quickTool } from '../../engine/support.ts';
import { followed } from '../../support/playbook-follower.ts';
import { atEachDeath, ops, orders, type PlayOptions, played, saidIn, stageOf } from './played.ts';

const desk = (queued: string, trigger: string, bob = ''): string => `# Desk

\`\`\`tools
def Log(x):
    Say("logged " + x)
    return x
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- ${queued}
- $total = 900
- order(7)
- Say("Ordered for {$total}.")
- Return $total

## Note(x)
### Steps
- Say("noted {x}")

## Stop
### Triggers
- When ${trigger}
### Steps
- Say("Too dear, stopped.")
${bob}`;

const bob = `
# Bob
public: yes
## Talk
### Steps
- Answer whoever speaks to you
`;

/** Follows what it is shown, a line at a time, each journaled for itself; counts what it has begun. */
function following() {
  const replies: string[] = [];
  const model: Model = {
    name: 'following',
    async complete({ messages }, context) {
      const text = followed(messages);
      const at = replies.push('') - 1;
      for (const line of text.split(/(?<=\n)/)) {
        if (context.signal.aborted) throw context.signal.reason;
        replies[at] += line;
        context.progress(line);
        for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
      }
      const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1 };
      return { text, finishReason: 'stop', usage };
    },
  };
  return { model, replies };
}

/** Also asks the judge: `$total` of the request is what it goes by. */
function judging() {
  const asked: unknown[] = [];
  const matches: NonNullable<PlayOptions['matches']> = ({ changed }) => {
    asked.push(changed);
    return Number(Object(changed).$total) > 500 ? ['Desk.Stop:T1'] : [];
  };
  return { asked, matches };
}

describe.each([
  ['a function', 'Log("x")', 'logged x'],
  ['a playbook', 'Note("x")', 'noted x'],
])('behind %s that is queued', (_, queued, before) => {
  test.each([['$total > 500'], ['$total sounds like a lot']])('when %s', async (trigger) => {
    const calls: unknown[] = [];
    const tools = [quickTool('order', ({ n }) => calls.push(n), orders)];
    const { model, replies } = following();
    const { asked, matches } = judging();
    const { result, said } = await played(desk(queued, trigger), {
      ...{ replies: [], model, tools, matches },
    });
    expect(result).toMatchObject({ status: 'done', answer: 900 });
    expect(said).toEqual([before, 'Too dear, stopped.', 'Ordered for 900.']);
    expect(calls).toEqual([7]);
    // Cut at what was set: not a word of the lines behind it.
    expect(replies[0]).not.toContain('Ordered');
    expect(asked).toEqual(trigger.includes('lot') ? [{ $total: 900 }] : []);
  });

  test('killed before any append, it goes on to the same', async () => {
    const program = desk(queued, '$total > 500');
    const make = () => {
      const calls: unknown[] = [];
      const tools = [quickTool('order', ({ n }) => calls.push(n), orders)];
      const stage = (journal: Journal) =>
        stageOf(program, { replies: [], model: following().model, tools, journal });
      return { calls, stage };
    };
    const last = await atEachDeath(make, ({ fatal, journal, run, result }, { calls }) => {
      // Nobody knows whether an order that had begun was made.
      if (result.reason === 'unknown') return;
      const said = saidIn(journal, run);
      const want = [before, 'Too dear, stopped.', 'Ordered for 900.'];
      expect([fatal, result.error, said, calls]).toEqual([fatal, undefined, want, [7]]);
    });
    expect(last).toBeGreaterThan(15);
  });
});

test.each([['$total > 500'], ['$total sounds like a lot']])(
  'by what a tool gives that was called ahead of what is queued, when %s',
  async (trigger) => {
    const calls: unknown[] = [];
    const tools = [
      quickTool('order', ({ n }) => calls.push(n), orders),
      quickTool('price', ({ n }) => n, { ...orders, effect: 'read' }),
    ];
    const { model, replies } = following();
    const { asked, matches } = judging();
    const program = desk('Log("x")', trigger).replace('$total = 900', '$total = price(900)');
    const { result, said } = await played(program, { replies: [], model, tools, matches });
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({ status: 'done', answer: 900 });
    expect(said).toEqual(['logged x', 'Too dear, stopped.', 'Ordered for 900.']);
    expect(calls).toEqual([7]);
    expect(replies[0]).toContain('price');
    expect(replies[0]).not.toContain('Ordered');
    expect(asked).toEqual(trigger.includes('lot') ? [{ $total: 900 }] : []);
  },
);

test('behind a message that an agent is still to hear', async () => {
  const calls: unknown[] = [];
  const { result, said, prompts } = await played(
    desk('Tell Bob that it begins', '$total > 500', bob),
    {
      tools: [quickTool('order', ({ n }) => calls.push(n), orders)],
      replies: [
        ops(
          ...[{ say: 'It begins.', to: 'Bob' }, { step: '02' }, { set: { total: 900 } }],
          ...[{ step: '03' }, { call: 'order', args: { n: 7 } }, { step: '04' }, { say: 'never' }],
        ),
        ops({ step: '01' }, { say: 'Fine.' }),
        ops({ step: '01' }, { say: 'Too dear, stopped.' }),
        ops(
          ...[{ step: '03' }, { call: 'order', args: { n: 7 } }, { step: '04' }],
          ...[{ say: 'Ordered for {$total}.' }, { step: '05' }, { return: '$total' }],
        ),
      ],
    },
  );
  expect(result.error).toBeUndefined();
  expect(said).toEqual(['Too dear, stopped.', 'Ordered for 900.']);
  expect(calls).toEqual([7]);
  expect(prompts[1]).toContain('It begins.');
  expect(prompts[3]).toContain('Fine.');
});

const shop = (queued: string, ...sets: readonly string[]): string => `# Shop

## Main
### Triggers
- At the beginning
### Steps
- $stock = 1
- ${[queued, ...sets].join('\n- ')}
- Say("sold")
- Return $stock

## Take
### Steps
- $stock = 0

## Buy
### Triggers
- When $stock > 0 and $wanted == 1
### Steps
- Say("buying")
`;

test('what is queued may make it untrue: then nothing is played, and the rest is done', async () => {
  const { model, replies } = following();
  const { result, said } = await played(shop('Take()', '$wanted = 1'), { replies: [], model });
  expect(result).toMatchObject({ status: 'done', answer: 0 });
  expect(said).toEqual(['sold']);
  expect(replies).toHaveLength(2);
});

test('what is queued in front of it and only set is known by then', async () => {
  const { model, replies } = following();
  const looks = shop('Take()', '$n = 0', '$wanted = $n + 1').replace('$stock = 0', 'Say("looked")');
  const { result, said } = await played(looks, { replies: [], model });
  expect(result).toMatchObject({ status: 'done', answer: 1 });
  expect(said).toEqual(['looked', 'buying', 'sold']);
  expect(replies[0]).toContain('"wanted"');
  expect(replies[0]).not.toContain('sold');
});
