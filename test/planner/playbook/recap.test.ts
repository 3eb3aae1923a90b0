/** Sessions that grow: told in short in jumps, without losing what the frame needs. */
import { expect, test } from 'vitest';
import { beginsAnew } from '../../../src/planner/playbook/chat-policy.ts';
import type { EndPart } from '../../../src/planner/playbook/parts.ts';
import { inShort, sessionTokens } from '../../../src/planner/playbook/recap.ts';
import type { Entry } from '../../../src/planner/playbook/session.ts';
import { turnHandler } from '../../../src/planner/playbook/turn.ts';
import { attempt } from '../../support/attempt.ts';
import { scripted } from '../scripted.ts';
import { fileOf, rent, tools } from './sample.ts';

const turns = (count: number): Entry[] =>
  Array.from({ length: count }, (_, at): Entry[] => [
    { is: 'user', text: `message ${at}` },
    { is: 'turn', text: `Go on at line 03. ${'x'.repeat(300)}`, shown: { $day: `$day = ${at}` } },
    { is: 'reply', text: `{"step":"03"}\n{"say":"reply ${at}"}\n{"yield":"user"}` },
  ]).flat();

test('a session that is short stays what it is', () => {
  const session = turns(3);
  expect(inShort(session, 10_000)).toBe(session);
});

test('a long one keeps its last turns, and what was written and said before', () => {
  const [recap, ...latest] = inShort(turns(12), 1400);
  expect(recap?.is).toBe('recap');
  expect(recap && 'text' in recap && recap.text).toContain(
    '- The person wrote: "message 0"\n- You did line 03\n- You said: "reply 0"',
  );
  expect(latest.map(({ is }) => is)).toEqual(['user', 'reply', 'user', 'reply']);
});

test('it is told in jumps: most turns go on behind the same messages', () => {
  let session: readonly Entry[] = [];
  let jumps = 0;
  const all = turns(120);
  for (let at = 0; at < all.length; at += 3) {
    const short = inShort(session, 1500);
    if (short !== session) jumps++;
    expect(sessionTokens(short)).toBeLessThanOrEqual(1500);
    session = [...short, ...all.slice(at, at + 3)];
  }
  expect(jumps).toBeGreaterThan(2);
  expect(jumps).toBeLessThan(40);
});

test('what was shown of variables and the playbook is shown anew', async () => {
  const { model, requests } = scripted(
    '{"step":"03"}\n{"step":"03.01"}\n{"say":"?"}\n{"yield":"user"}',
  );
  const file = fileOf(rent);
  const handler = turnHandler({ file, tools, model: () => model, sessionTokensMax: 500 });
  const frame = { playbook: 'Desk.RentBike', line: '03', call: 'RentBike()' };
  const variables = [{ name: 'day', scope: 'state', how: 'full', value: 11 }];
  const args = { frame, kind: 'continue', session: turns(12), variables };
  const end = (await handler.perform(args, attempt())) as EndPart;
  expect(end.isFresh).toBe(true);
  expect(end.entries.at(0)).toMatchObject({ is: 'recap' });
  const sent = requests[0]?.messages.map(({ content }) => content).join('\n') ?? '';
  expect(sent).toContain('01:QUE $bikes = FreeBikes($day)');
  expect(sent).toContain('$day = 11');
  expect(sent).toContain('the lines before are done. Go on at line 03.');
});

test('a call of a tool continues a conversation; behind a playbook the cheaper way is taken', () => {
  const small = { session: 1000, opening: 400 };
  const large = { session: 9000, opening: 400 };
  expect(beginsAnew('start', 'keep', small)).toBe(true);
  expect(beginsAnew('continue', 'fresh', large)).toBe(false);
  expect(beginsAnew('resume', 'auto', small)).toBe(false);
  expect(beginsAnew('resume', 'auto', large)).toBe(true);
  expect(beginsAnew('resume', 'keep', large)).toBe(false);
  expect(beginsAnew('resume', 'fresh', small)).toBe(true);
});
