/** Sessions that grow: shortened in jumps, without losing what the frame needs. */
import { expect, test } from 'vitest';
import type { Chat } from '../../../src/dialects/playbook/manner.ts';
import type { AskedPart } from '../../../src/planner/playbook/parts.ts';
import { chooseChat, type Sizes } from '../../../src/planner/playbook/prompt/chat-policy.ts';
import { inShort, sessionTokens } from '../../../src/planner/playbook/prompt/recap.ts';
import {
  type Entry,
  entryText,
  sessionMessages,
} from '../../../src/planner/playbook/prompt/session.ts';
import type { TurnKind } from '../../../src/planner/playbook/turn-arguments.ts';
import { ops, turn } from './sample.ts';

const turns = (count: number): Entry[] =>
  Array.from({ length: count }, (_, at): Entry[] => [
    { is: 'user', text: `message ${at}` },
    { is: 'turn', text: `Line 03. ${'x'.repeat(300)}`, shown: { $day: `$day = ${at}` } },
    { is: 'reply', text: `{"at":"03"}\n{"say":"reply ${at}"}\n{"yield":"user"}` },
  ]).flat();

test('a session that is short stays what it is', () => {
  const session = turns(3);
  expect(inShort(session, 10_000)).toBeUndefined();
});

test('a long one keeps its last turns, and what was written and said before them', () => {
  const session = inShort(turns(12), 1400) ?? [];
  const [recap, ...latest] = session;
  expect(recap?.is).toBe('recap');
  expect(recap && entryText(recap)).toContain(
    '- The person wrote: "message 0"\n- You did line 03\n- You said: "reply 0"',
  );
  expect(latest.map(({ is }) => is)).toEqual(['user', 'reply', 'user', 'reply']);
});

test('it never begins with a reply', () => {
  const long: Entry[] = [
    { is: 'turn', text: 'You are at 01.', shown: {} },
    { is: 'reply', text: `{"say":"${'x'.repeat(9000)}"}` },
    { is: 'user', text: 'Go on.' },
  ];
  const session = inShort(long, 1400) ?? [];
  expect(sessionMessages(session).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('it is shortened in jumps: most turns follow the same messages', () => {
  let session: readonly Entry[] = [];
  let jumps = 0;
  const all = turns(120);
  for (let at = 0; at < all.length; at += 3) {
    const short = inShort(session, 1500);
    if (short) jumps++;
    session = short ?? session;
    expect(sessionTokens(session)).toBeLessThanOrEqual(1500);
    session = [...session, ...all.slice(at, at + 3)];
  }
  expect(jumps).toBeGreaterThan(2);
  expect(jumps).toBeLessThan(40);
  // What was written first is known to the end.
  const [recap] = session;
  const text = recap ? entryText(recap) : '';
  expect(text).toMatch(/\n- \d{2,} things were done, called and said;/);
  expect(text).toContain('- The person wrote: "message 0"');
});

test('messages between the first and the latest are counted', () => {
  let session: readonly Entry[] = [];
  for (const [at, one] of turns(150).entries()) {
    session = inShort(session, 1500) ?? session;
    session = [...session, one];
    if (at % 3 !== 2) continue;
    const text = session.map(entryText).join('\n');
    const shown = new Set(text.match(/"?message \d+"?/g)?.map((one) => one.replaceAll('"', '')));
    const gap = /\n- (\d+) messages? or notes? (?:is|are) left out\n/;
    const [, left = '0'] = gap.exec(text) ?? [];
    expect([at, shown.size + Number(left)]).toEqual([at, (at + 1) / 3]);
  }
  expect(session.map(entryText).join('\n')).toMatch(
    /"message 4"\n- \d{2,} messages or notes are left out/,
  );
});

test('the first message stays as long as there is room; what is cut twice is counted once', () => {
  const rule = `From now on, ${'please '.repeat(50)}call me CAPTAIN`;
  const long = 'z'.repeat(600);
  const wrote = [rule, long, ...Array.from({ length: 60 }, () => long)];
  const all = wrote.flatMap((text): Entry[] => [
    { is: 'user', text },
    { is: 'reply', text: '{"at":"03"}\n{"yield":"user"}' },
  ]);
  const recapIn = (tokensMax: number): string => {
    let session: readonly Entry[] = [];
    for (const one of all) session = [...(inShort(session, tokensMax) ?? session), one];
    return session.flatMap((one) => (one.is === 'recap' ? entryText(one) : [])).join('\n');
  };
  expect(recapIn(6000)).toContain('call me CAPTAIN"');
  const short = recapIn(900);
  expect(short).toMatch(
    /^- The person wrote: "From now on, please.{90,} … \(2\d\d more characters\)$/m,
  );
  const lacking = [...short.matchAll(/"(z+)"? … \((\d+) more characters\)"?$/gm)];
  expect(lacking.length).toBeGreaterThan(3);
  // Of the quote that closes the text, one may be counted.
  for (const [, zs = '', more] of lacking) expect([600, 601]).toContain(zs.length + Number(more));
});

test('variables and the playbook are shown again after a session was shortened', async () => {
  const variables = [{ name: 'day', scope: 'state', how: 'full', value: 11 }];
  const { asked, messages } = await turn(ops({ at: '04' }), {
    args: { kind: 'continue', session: turns(12), variables },
    options: { sessionTokensMax: 500 },
  });
  expect(asked).toMatchObject({ isFresh: true, chat: { how: 'shortened' } });
  expect((asked as AskedPart).entries[0]).toMatchObject({ is: 'recap' });
  const sent = messages.map(({ content }) => content).join('\n');
  expect(sent).toContain('= 02 $bikes = FreeBikes($day)');
  expect(sent).toContain('$day = 11');
  expect(sent).toContain('the lines before are done. You are at 04.');
});

test('a long talk before the first turn is shortened, but for its end', async () => {
  const session = Array.from({ length: 40 }, (_, at): Entry[] => [
    { is: 'said', text: `question ${at} ${'x'.repeat(200)}` },
    { is: 'user', text: `answer ${at} ${'y'.repeat(20)}` },
  ]).flat();
  const { asked, messages } = await turn(ops({ at: '04' }), {
    args: { session },
    options: { sessionTokensMax: 500 },
  });
  const { isFresh } = asked as AskedPart;
  const sent = messages.at(-1)?.content ?? '';
  expect(sent).toMatch(/^So far in this playbook, in short:/);
  expect(sent).toContain('The person wrote: "answer 0');
  expect(sent).toMatch(/You said: "question 39 x{200}"\n\nThe person wrote: "answer 39/);
  expect([isFresh, sent.length < 5000]).toEqual([true, true]);
});

const sized = (session: number, opening = 400) => ({ session, opening });
const isNew = (kind: TurnKind, chat: Chat, sizes: Sizes): boolean =>
  chooseChat(kind, chat, sizes).isNew;

test('a call of a tool continues a conversation; after a playbook the cheaper way is taken', () => {
  expect(isNew('start', 'keep', sized(1000))).toBe(true);
  expect(isNew('continue', 'fresh', sized(9000))).toBe(false);
  expect(isNew('resume', 'auto', sized(1000))).toBe(false);
  expect(isNew('resume', 'auto', sized(9000))).toBe(true);
  expect(isNew('resume', 'keep', sized(9000))).toBe(false);
  expect(isNew('resume', 'fresh', sized(1000))).toBe(true);
  expect(chooseChat('resume', 'auto', sized(9000)).why).toBe(
    '9000 tokens, cached at 0.1 of their price, are 900; a new one only 400',
  );
});

test('a conversation has the name of the effect that began it, until another one begins', async () => {
  const ask = async (kind: TurnKind, session: readonly Entry[]) => {
    const args = { kind, session };
    const { asked } = await turn(ops({ at: '04' }), { args, options: { chat: 'fresh' } });
    const { entries, ...more } = asked as AskedPart;
    return { ...more, entries: [...entries, { is: 'reply', text: '{"at":"04"}' } as const] };
  };
  const first = await ask('start', []);
  expect(first.chat).toMatchObject({ session: '0#1', how: 'new' });
  const second = await ask('continue', first.entries);
  expect(second).toMatchObject({ isFresh: false, chat: { session: '0#1', how: 'kept' } });
  const third = await ask('resume', [...first.entries, ...second.entries]);
  expect(third).toMatchObject({ isFresh: true, chat: { how: 'restarted' } });
});
