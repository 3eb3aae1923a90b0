/**
 * A program with all that playbooks do, whose process ends at any moment of replies that are written
 * half a line at a time: whoever goes on with it comes to the same lines, visits, messages, calls
 * and values. What a reply that was cut off leaves behind is that its model is asked once more.
 */
import { expect, test } from 'vitest';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/memory/journal.ts';
import { quickTool, settle } from '../engine/support.ts';
import { answersLeft, atEachDeath, stageOf } from '../planner/playbook/played.ts';
import { seenAt, seenIn } from '../planner/playbook/seen.ts';
import { followedIn, slowly } from './following.ts';
import { forms } from './forms.ts';

const program = `# Desk

\`\`\`tools
def Twice(n):
    return Sub(n) + Sub(n)
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $name = Name()
- For each $i in [1, 5]
  - $v = look($i)
  - put($i)
  - Say("at {$i}")
  - k = Sub($i)
- $c = Twice(4)
- Say("{$name} has {$c}")
- Tail($c)

## Name
### Steps
- Ask user for $who
- Return $who

## Sub(n)
### Steps
- put(n)
- Say("sub {n}")
- Return n

## Tail(n)
### Steps
- $last = n
- Say("last {n}")

## Hot
retrigger: edge
### Triggers
- When $v > 20
### Steps
- Say("hot {$v}")
- put(0)

## Five
### Triggers
- When $i is the number of fingers
### Steps
- Say("five")

## Eight
### Triggers
- When $last is the number of legs of a spider
### Steps
- put(8)
`;

const takes = { parameters: { type: 'object', properties: { n: {} }, required: ['n'] } };

/** What writes, with the keys that it was called by; each takes its time. */
function toolsFor(keys: Map<string, unknown>) {
  const slow = (tool: ReturnType<typeof quickTool>): typeof tool => ({
    ...tool,
    perform: async (args, context) => {
      await settle(4);
      return await tool.perform(args, context);
    },
  });
  const put = quickTool(
    'put',
    ({ n }, { idempotencyKey }) => {
      keys.set(idempotencyKey, n);
      return n;
    },
    { ...takes, effect: 'write', idempotent: true },
  );
  return [slow(quickTool('look', ({ n }) => 10 * Number(n), takes)), slow(put)];
}

test.each(Object.entries(forms))('with replies in the form of %s', async (_, form) => {
  const make = () => {
    const keys = new Map<string, unknown>();
    const stage = (journal: Journal) =>
      stageOf(program, {
        ...{
          model: slowly(followedIn(form, program)),
          replies: [],
          tools: toolsFor(keys),
          journal,
        },
        answers: answersLeft(['Ann'], journal),
        matches: ({ changed }) => {
          const { $i, $last } = Object(changed);
          return $last === 8 ? ['Desk.Eight:T1'] : $i === 5 ? ['Desk.Five:T1'] : [];
        },
      });
    return { keys, stage };
  };
  const first = make();
  const whole = memoryJournal();
  const { run, ...ended } = await first.stage(whole).start();
  expect(ended.error).toBeUndefined();
  const seen = seenIn(whole, run);
  const written = [1, 1, 0, 5, 5, 4, 4, 8];
  expect([...first.keys.values()]).toEqual(written);
  expect(seen.says.map((one) => one.slice(one.indexOf(' ') + 1)).slice(1)).toEqual([
    ...[
      'at 1',
      'sub 1',
      'five',
      'hot 50',
      'at 5',
      'sub 5',
      'sub 4',
      'sub 4',
      'Ann has 8',
      'last 8',
    ],
  ]);
  const ids = seen.ids.map((id) => id.split(' > ').at(-1) ?? id);
  const at = new Map(ids.map((id) => [id, seenAt(whole, run, id)]));
  const last = await atEachDeath(
    make,
    ({ fatal, journal, run: killed, result }, { keys }) => {
      expect([fatal, result.error, result.status]).toEqual([fatal, undefined, 'done']);
      expect([fatal, seenIn(journal, killed)]).toEqual([fatal, seen]);
      expect([fatal, ...keys.values()]).toEqual([fatal, ...written]);
      const id = ids[fatal % ids.length] ?? '';
      // What is still to come in the one may have come in the other.
      expect({ fatal, id, ...seenAt(journal, killed, id) }).toMatchObject({
        fatal,
        id,
        ...at.get(id),
      });
    },
    19,
  );
  expect(last).toBeGreaterThan(60);
});
