/** A trigger that a model judges cuts a reply off behind a call that writes, as behind any other. */
import { expect, test } from 'vitest';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { quickTool } from '../../engine/support.ts';
import { streamed } from '../../playbooks/streamed.ts';
import { followed } from '../../support/playbook-follower.ts';
import { type Asked, atEachDeath, orders, played, saidIn, stageOf } from './played.ts';

const desk = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- order(1)
- $mood = "furious"
- order(2)
- Say("Ordered.")
- Return 1
## Calm
### Triggers
- When $mood is hostile
### Steps
- note(3)
- Say("Calm down.")
`;

const toolsFor = (acts: string[]) =>
  ['order', 'note'].map((name) => quickTool(name, ({ n }) => acts.push(`${name} ${n}`), orders));

const hostile = ({ changed }: Readonly<Record<string, unknown>>) =>
  Object(changed).$mood === 'furious' ? ['Desk.Calm:T1'] : [];

const rest = [
  ...[{ step: '03' }, { call: 'order', args: { n: 2 } }, { step: '04' }, { say: 'Ordered.' }],
  ...[{ step: '05' }, { return: 1 }],
];
const calm = [
  ...[{ step: '01' }, { call: 'note', args: { n: 3 } }, { step: '02' }, { say: 'Calm down.' }],
  { return: null },
];
const begun = [
  ...[{ step: '01' }, { call: 'order', args: { n: 1 } }],
  ...[{ step: '02' }, { set: { $mood: 'furious' } }],
];

test('the request is cancelled while it is written, and the call before it is made once', async () => {
  const acts: string[] = [];
  const { model, cancelled } = streamed([begun, calm, rest], 1);
  const { result, said } = await played(desk, {
    ...{ model, replies: [], matches: hostile, tools: toolsFor(acts) },
  });
  expect(result).toMatchObject({ status: 'done', answer: 1 });
  expect(cancelled).toEqual([1]);
  expect(acts).toEqual(['order 1', 'note 3', 'order 2']);
  expect(said).toEqual(['Calm down.', 'Ordered.']);
});

test('one effect at a time, it comes to the same', async () => {
  const acts: string[] = [];
  const { model } = streamed([[...begun, ...rest], calm, rest]);
  const { result, said } = await played(desk, {
    ...{ model, replies: [], matches: hostile, tools: toolsFor(acts), sequential: true },
  });
  expect(result.error).toBeUndefined();
  expect(acts).toEqual(['order 1', 'note 3', 'order 2']);
  expect(said).toEqual(['Calm down.', 'Ordered.']);
});

test('killed before any append, it goes on to the same', async () => {
  const make = () => {
    const acts: string[] = [];
    const options = { matches: hostile, tools: toolsFor(acts) };
    const replies = ({ messages }: Asked) => followed(messages);
    return { acts, stage: (journal: Journal) => stageOf(desk, { ...options, replies, journal }) };
  };
  const last = await atEachDeath(make, ({ fatal, journal, run, result }, { acts }) => {
    // Nobody knows whether a call that had begun was made.
    if (result.reason === 'unknown') return;
    const seen = [result.error, saidIn(journal, run), acts];
    const want = [undefined, ['Calm down.', 'Ordered.'], ['order 1', 'note 3', 'order 2']];
    expect([fatal, ...seen]).toEqual([fatal, ...want]);
  });
  expect(last).toBeGreaterThan(8);
});
