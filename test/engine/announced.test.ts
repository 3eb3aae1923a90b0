/** Writes that are announced: all that can be decided now is decided in one round. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import type { RunEvent } from '../../src/engine/journal/journal.ts';
import type { ApprovalRule } from '../../src/engine/perform/approval-rule.ts';
import { decideRun } from '../../src/engine/reply.ts';
import { compile } from '../support/starlark-machine.ts';
import { byName, quickTool, resume, start, watchedJournal } from './support.ts';

const destructive = { effect: 'write', destructive: true } as const;

/** Tools that note what they do; `wipe("bad")` fails. */
function world() {
  const done: string[] = [];
  const wipe = quickTool(
    'wipe',
    ({ name }) => {
      if (name === 'bad') throw new EffectFailure('PV4001', 'it is locked', { answered: true });
      done.push(String(name));
      return `${name} is gone`;
    },
    {
      ...destructive,
      parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  );
  return { done, handlers: byName(wipe) };
}

const begin = (source: string, options: Partial<Parameters<typeof start>[0]> = {}) => {
  const { done, handlers } = world();
  const program = compile(source, new Map([...handlers].map(([name, { spec }]) => [name, spec])));
  const run = start({ program, handlers, ...options });
  return { program, handlers, done, run, journal: run.journal };
};

type Begun = ReturnType<typeof begin>;

const goOn = ({ program, handlers, run, journal }: Begun) =>
  resume({ program, handlers, journal, run: run.id }).result;

const eventsOf = ({ journal, run }: Begun, type: RunEvent['type']): readonly string[] =>
  journal.events(run.id).flatMap((event) => {
    return event.type === type && 'effect' in event ? [event.effect] : [];
  });

const decide = async ({ journal, run }: Begun, effects: readonly string[], approved: boolean) =>
  await decideRun({
    ...{ journal, run: run.id, handlers: new Map(), by: 'kim', effects, approved },
  });

const three = 'a = wipe("a")\nb = wipe("b")\nc = wipe("c")\nanswer([a, b, c])\n';

test('three calls that do not need each other are one round', async () => {
  const begun = begin(three);
  const { waits } = await begun.run.result;
  expect(waits?.map(({ effect }) => effect)).toEqual(['0#1', '0#2', '0#3']);
  expect([begun.done, eventsOf(begun, 'effect.started')]).toEqual([[], []]);
  await decide(begun, ['0#3', '0#1', '0#2'], true);
  const result = await goOn(begun);
  expect(result).toMatchObject({ status: 'done', answer: ['a is gone', 'b is gone', 'c is gone'] });
  expect(begun.done).toEqual(['a', 'b', 'c']);
  expect(eventsOf(begun, 'approval.requested')).toEqual(['0#1', '0#2', '0#3']);
});

test('what is asked with a result is not settled, and not announced', async () => {
  const begun = begin('a = wipe("a")\nb = wipe(a)\nc = wipe("c")\nanswer(c)\n');
  const { waits } = await begun.run.result;
  expect(waits?.map(({ effect }) => effect)).toEqual(['0#1', '0#3']);
});

test.each([
  ['one at a time', { sequential: true }],
  ['in a window of one', { limits: { windowEntries: 1 } }],
])('%s nothing is announced', async (_, options) => {
  const { waits } = await begin(three, options).run.result;
  expect(waits?.map(({ effect }) => effect)).toEqual(['0#1']);
});

test('what was announced in one process is asked again in another, and journaled once', async () => {
  const begun = begin(three);
  await begun.run.result;
  const { waits } = await goOn(begun);
  expect(waits).toHaveLength(3);
  expect(eventsOf(begun, 'approval.requested')).toHaveLength(3);
});

test('after a denial nothing later happens, and what was granted for it is asked again', async () => {
  const begun = begin(three);
  await begun.run.result;
  await decide(begun, ['0#1', '0#3'], true);
  await decide(begun, ['0#2'], false);
  expect(await goOn(begun)).toMatchObject({ status: 'failed', error: { code: 'PV4020' } });
  expect(begun.done).toEqual(['a']);
  const again = await goOn(begun);
  expect(again.waits?.map(({ effect }) => effect)).toEqual(['0#2', '0#3']);
  await decide(begun, ['0#2', '0#3'], true);
  expect(await goOn(begun)).toMatchObject({ status: 'done' });
  expect(begun.done).toEqual(['a', 'b', 'c']);
});

test('what will not come to its turn any more is withdrawn', async () => {
  const begun = begin(
    'def both():\n    wipe("bad")\n    wipe("b")\nattempt(both)\nwipe("c")\nanswer("done")\n',
  );
  const first = await begun.run.result;
  expect(first.waits?.map(({ effect }) => effect)).toEqual(['0.1#1', '0.1#2']);
  await decide(begun, ['0.1#1'], true);
  const second = await goOn(begun);
  expect(second.waits).toMatchObject([{ request: { name: 'c' } }]);
  expect(eventsOf(begun, 'approval.withdrawn')).toEqual(['0.1#2']);
  await expect(decide(begun, ['0.1#2'], true)).rejects.toMatchObject({ code: 'PV5142' });
  expect(begun.done).toEqual([]);
});

test('killed before any append, whoever takes the run up asks the same and does it once', async () => {
  for (let fatal = 1, isDead = true; isDead; fatal++) {
    const begun = begin('a = wipe("a")\nb = wipe("b")\nanswer([a, b])\n');
    const { program, handlers, journal, run, done } = begun;
    await run.result;
    await decide(begun, ['0#1', '0#2'], true);
    let appends = 0;
    const dying = watchedJournal(journal, () => {
      if (++appends >= fatal) throw new Error('died');
    });
    const first = resume({ program, handlers, journal: dying, run: run.id });
    isDead = await first.result.then(
      () => false,
      () => true,
    );
    if (!isDead) break;
    const { status, waits, reason } = await goOn(begun);
    // Nobody knows of one that had started; of the others, the grants still count.
    expect([status, reason], `before append ${fatal}`).toEqual(
      status === 'done' ? ['done', undefined] : ['suspended', 'unknown'],
    );
    expect(waits ?? []).toEqual([]);
    expect(new Set(done).size).toBe(done.length);
  }
});

test('a rule decides before a person, and what it leaves or cannot say is asked', async () => {
  const seen: unknown[] = [];
  const rule: ApprovalRule = async ({ tool, arguments: args }) => {
    seen.push([tool, args]);
    const { name } = Object(args);
    if (name === 'c') throw new Error('the rule is broken');
    return name === 'a' ? 'allow' : 'ask';
  };
  const begun = begin(three, { rule });
  const { waits } = await begun.run.result;
  expect(waits?.map(({ effect }) => effect)).toEqual(['0#2', '0#3']);
  expect(seen).toEqual([
    ['wipe', { name: 'a' }],
    ['wipe', { name: 'b' }],
    ['wipe', { name: 'c' }],
  ]);
  expect(begun.done).toEqual(['a']);
  await decide(begun, ['0#2', '0#3'], true);
  // Without the rule: what it has said is in the journal.
  expect(await goOn(begun)).toMatchObject({ status: 'done' });
  expect(begun.done).toEqual(['a', 'b', 'c']);
});

test('what a rule denies fails, as where a person does', async () => {
  const begun = begin(three, { rule: () => 'deny' });
  const { status, error } = await begun.run.result;
  expect([status, error?.code, error?.message]).toEqual([
    ...['failed', 'PV4020', 'wipe was not approved by rule'],
  ]);
});
