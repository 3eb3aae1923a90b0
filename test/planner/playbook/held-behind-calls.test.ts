/** What stands behind a call that may set off a trigger is held until that is known. */
import { describe, expect, test } from 'vitest';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { quickTool } from '../../engine/support.ts';
import { followed } from '../../support/playbook-follower.ts';
import {
  type Asked,
  atEachDeath,
  ops,
  orders,
  type PlayOptions,
  played,
  saidIn,
  stageOf,
} from './played.ts';

const desk = (lines: readonly string[], rest = ''): string => `# Desk

\`\`\`tools
def Raise(x):
    state["total"] = x

def Priced(x):
    return x

def Deep(x):
    Raise(x)

def Through(x):
    Lift(x)

def Add(all, x):
    all.append(x)

def Keep(x):
    Add(state["list"], x)
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
${lines.map((one) => `- ${one}`).join('\n')}
- order(7)
- Say("Ordered.")
- Return 1

## Lift(x)
### Steps
- $total = x
- Return x

## Gives(x)
### Steps
- Say("given")
- Return x

## Take($total)
### Steps
- Say("taken")

## Outer(x)
### Steps
- Lift(x)

## Stop
### Triggers
- When $total > 500
### Steps
- note(1)
- Say("Too dear.")
${rest}`;

const toolsFor = (acts: string[]) => [
  quickTool('order', () => acts.push('order'), orders),
  quickTool('note', () => acts.push('note'), orders),
  quickTool('price', ({ n }) => n, { ...orders, effect: 'read' }),
];

async function followedThrough(program: string, options: Partial<PlayOptions> = {}) {
  const acts: string[] = [];
  const tools = toolsFor(acts);
  let replies = 0;
  const ran = await played(program, {
    replies({ messages }) {
      replies++;
      return followed(messages);
    },
    tools,
    ...options,
  });
  return { ...ran, acts, replies };
}

const ways = (n: number): readonly (readonly [string, readonly string[], number, string[]])[] => [
  ['a function', [`Raise(${n})`], 3, []],
  ['a function that another one calls', [`Deep(${n})`], 3, []],
  ['what a function gives', [`$total = Priced(${n})`], 3, []],
  ['a playbook', [`Lift(${n})`], 4, []],
  ['a playbook that another one calls', [`Outer(${n})`], 5, []],
  ['a playbook that a function calls', [`Through(${n})`], 4, []],
  ['a parameter', [`Take(${n})`], 3, ['taken']],
  ['what a playbook gives', [`$total = Gives(${n})`], 4, ['given']],
  ['what a tool gives', [`$total = price(${n})`], 3, []],
];

describe('nothing acts before a trigger is played that fires by', () => {
  test.each(ways(900))('%s', async (_, lines, replies, said) => {
    const ran = await followedThrough(desk(lines));
    expect(ran.result).toMatchObject({ status: 'done', answer: 1 });
    expect(ran.acts).toEqual(['note', 'order']);
    const [stopped, ordered] = ['Too dear.', 'Ordered.'];
    const want = lines[0]?.startsWith('Take') ? [stopped, ...said] : [...said, stopped];
    expect(ran.said).toEqual([...want, ordered]);
    // One for each playbook that is played, and one to go on behind what was set off.
    expect(ran.replies).toBe(replies);
  });
});

describe('all is done, and no model asked once more, where none fires by', () => {
  test.each(ways(100))('%s', async (way, lines, _, said) => {
    const ran = await followedThrough(desk(lines));
    expect(ran.result).toMatchObject({ status: 'done', answer: 1 });
    expect(ran.acts).toEqual(['order']);
    expect(ran.said).toEqual([...said, 'Ordered.']);
    const plays = { Lift: 1, Outer: 2, Through: 1, Take: 1, Gives: 1 };
    const called = Object.entries(plays).find(([name]) => lines[0]?.includes(`${name}(`));
    expect([way, ran.replies]).toEqual([way, 1 + (called?.[1] ?? 0)]);
  });
});

test.each(['Add($list, 900)', 'Keep(900)'])(
  'also where a list changes that a function is given: %s',
  async (line) => {
    const full = '\n## Full\n### Triggers\n- When $list has items\n### Steps\n- note(1)\n';
    const ran = await followedThrough(desk(['$list = []', line], full));
    expect(ran.acts).toEqual(['note', 'order']);
  },
);

test('behind a value that is known only behind a call, too, where nobody waits for that', async () => {
  const acts: string[] = [];
  const rest = [
    ...[{ step: '04' }, { call: 'order', args: { n: 7 } }, { step: '05' }, { say: 'Ordered.' }],
    ...[{ step: '06' }, { return: 1 }],
  ];
  const { result, said } = await played(desk(['$n = Priced(900)', '$total = $n']), {
    strictness: 'advise',
    replies: [
      ops(
        ...[{ step: '01' }, { call: 'Priced', args: { x: 900 }, into: 'n' }],
        ...[{ step: '03' }, { set: { total: '$n' } }, ...rest],
      ),
      ops({ step: '01' }, { call: 'note', args: { n: 1 } }, { step: '02' }, { say: 'Too dear.' }),
      ops(...rest),
    ],
    tools: [
      quickTool('order', () => acts.push('order'), orders),
      quickTool('note', () => acts.push('note'), orders),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(acts).toEqual(['note', 'order']);
  expect(said).toEqual(['Too dear.', 'Ordered.']);
});

test.each([
  ['a function', 'Raise(900)', []],
  ['what a playbook gives', '$total = Gives(900)', ['given']],
  ['what a tool gives', '$total = price(900)', []],
])('killed before any append, it goes on to the same: %s', async (_, line, said) => {
  const make = () => {
    const acts: string[] = [];
    const options = { replies: ({ messages }: Asked) => followed(messages), tools: toolsFor(acts) };
    return {
      acts,
      stage: (journal: Journal) => stageOf(desk([line]), { ...options, journal }),
    };
  };
  const last = await atEachDeath(make, ({ fatal, journal, run, result }, { acts }) => {
    // Nobody knows whether an order that had begun was made.
    if (result.reason === 'unknown') return;
    const seen = [result.error, saidIn(journal, run), acts];
    const want = [undefined, [...said, 'Too dear.', 'Ordered.'], ['note', 'order']];
    expect([fatal, ...seen]).toEqual([fatal, ...want]);
  });
  expect(last).toBeGreaterThan(8);
});
