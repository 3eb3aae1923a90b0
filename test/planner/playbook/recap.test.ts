/** Sessions that grow: told in short in jumps, without losing what the frame needs. */
import { expect, test } from 'vitest';
import type { Chat } from '../../../src/dialects/playbook/source/manner.ts';
import type { Kept } from '../../../src/effects/model/model.ts';
import type { Arguments, Handler } from '../../../src/engine/handler.ts';
import type { AskedPart, EndPart, Part } from '../../../src/planner/playbook/parts.ts';
import {
  chooseChat,
  measuredIn,
  type Sizes,
  type TurnKind,
} from '../../../src/planner/playbook/prompt/chat-policy.ts';
import { inShort, sessionTokens } from '../../../src/planner/playbook/prompt/recap.ts';
import {
  type Entry,
  entryText,
  sessionMessages,
} from '../../../src/planner/playbook/prompt/session.ts';
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
  expect(inShort(session, 10_000)).toBeUndefined();
});

test('a long one keeps its last turns, and what was written and said before', () => {
  const { session = [], left = '' } = inShort(turns(12), 1400, 'earlier') ?? {};
  const [recap, ...latest] = session;
  expect(recap?.is).toBe('recap');
  expect(recap && 'text' in recap && recap.text).toContain(
    '- The person wrote: "message 0"\n- You did line 03\n- You said: "reply 0"',
  );
  expect(latest.map(({ is }) => is)).toEqual(['user', 'reply', 'user', 'reply']);
  expect(recap && 'text' in recap && recap.text).toContain('(at length in earlier)');
  expect(left).toContain('The person wrote: "message 9"\nYou replied:\n{"step":"03"}');
  expect(left).not.toContain('message 10');
});

test('it begins with what is told, also where there is nothing before a long reply', () => {
  const long: Entry[] = [
    { is: 'turn', text: 'Go on at line 01.', shown: {} },
    { is: 'reply', text: `{"say":"${'x'.repeat(9000)}"}` },
    { is: 'user', text: 'Go on.' },
  ];
  const { session = [] } = inShort(long, 1400, 'earlier') ?? {};
  expect(sessionMessages(session).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('it is told in jumps: most turns go on behind the same messages', () => {
  let session: readonly Entry[] = [];
  let jumps = 0;
  const left: string[] = [];
  const all = turns(120);
  for (let at = 0; at < all.length; at += 3) {
    const short = inShort(session, 1500);
    if (short) jumps++;
    session = short?.session ?? session;
    expect(sessionTokens(session)).toBeLessThanOrEqual(1500);
    left.push(short?.left ?? '');
    session = [...session, ...all.slice(at, at + 3)];
  }
  expect(jumps).toBeGreaterThan(2);
  expect(jumps).toBeLessThan(40);
  // What was written first is known to the end; all of it stands once at length, or still here.
  const [recap] = session;
  const text = recap && 'text' in recap ? String(recap.text) : '';
  expect(text).toMatch(/\n- \d{2,} things were done, called and said;/);
  expect(text).toContain('- The person wrote: "message 0"');
  const whole = left.join('\n') + session.map(entryText).join('\n');
  for (let at = 0; at < 120; at++) {
    const count = whole.split(`wrote: "message ${at}"\nYou`).length - 1;
    const isHere = session.some((one) => one.is === 'user' && one.text === `message ${at}`);
    expect([at, count + (isHere ? 1 : 0)]).toEqual([at, 1]);
  }
});

test('what was written between the first and the latest is counted, and where it can be read', () => {
  let session: readonly Entry[] = [];
  for (const [at, one] of turns(150).entries()) {
    session = inShort(session, 1500, 'earlier')?.session ?? session;
    session = [...session, one];
    if (at % 3 !== 2) continue;
    const text = session.map(entryText).join('\n');
    const shown = new Set(text.match(/"?message \d+"?/g)?.map((one) => one.replaceAll('"', '')));
    const gap =
      /\n- (\d+) that w(?:as|ere) written and noted here (?:is|are) left out: (.*) tells them\n/;
    const [, left = '0', ask = '{"show":["earlier"]}'] = gap.exec(text) ?? [];
    expect([at, shown.size + Number(left), ask]).toEqual([
      at,
      (at + 1) / 3,
      '{"show":["earlier"]}',
    ]);
  }
  expect(session.map(entryText).join('\n')).toMatch(/"message 4"\n- \d{2,} that were written and/);
});

test('what was written first stays as long as there is room; what is cut twice is counted once', () => {
  const rule = `From now on, ${'please '.repeat(50)}call me CAPTAIN`;
  const long = 'z'.repeat(600);
  const wrote = [rule, long, ...Array.from({ length: 60 }, () => long)];
  const all = wrote.flatMap((text): Entry[] => [
    { is: 'user', text },
    { is: 'reply', text: '{"step":"03"}\n{"yield":"user"}' },
  ]);
  const recapIn = (tokensMax: number): string => {
    let session: readonly Entry[] = [];
    for (const one of all) session = [...(inShort(session, tokensMax)?.session ?? session), one];
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

async function askedIn(handler: Handler, args: Arguments): Promise<AskedPart> {
  const context = attempt();
  await handler.perform(args, context);
  return context.parts[0] as AskedPart;
}

test('what was shown of variables and the playbook is shown anew', async () => {
  const { model, requests } = scripted(
    '{"step":"03"}\n{"step":"03.01"}\n{"say":"?"}\n{"yield":"user"}',
  );
  const file = fileOf(rent);
  const handler = turnHandler({ file, tools, model: () => model, sessionTokensMax: 500 });
  const frame = { playbook: 'Desk.RentBike', line: '03', call: 'RentBike()' };
  const variables = [{ name: 'day', scope: 'state', how: 'full', value: 11 }];
  const args = { frame, kind: 'continue', session: turns(12), variables };
  const asked = await askedIn(handler, args);
  expect(asked.isFresh).toBe(true);
  expect(asked.entries.at(0)).toMatchObject({ is: 'recap' });
  const sent = requests[0]?.messages.map(({ content }) => content).join('\n') ?? '';
  expect(sent).toContain('01:QUE $bikes = FreeBikes($day)');
  expect(sent).toContain('$day = 11');
  expect(sent).toContain('the lines before are done. Go on at line 03.');
});

test('a long talk that a conversation begins with is told in short, but for the end of it', async () => {
  const { model, requests } = scripted('{"say":"Yes."}\n{"return":null}');
  const file = fileOf(rent);
  const handler = turnHandler({ file, tools, model: () => model, sessionTokensMax: 500 });
  const session = Array.from({ length: 40 }, (_, at): Entry[] => [
    { is: 'said', text: `question ${at} ${'x'.repeat(200)}` },
    { is: 'user', text: `answer ${at} ${'y'.repeat(20)}` },
  ]).flat();
  const frame = { playbook: 'Desk.RentBike', line: '01', call: 'RentBike()', earlier: 'earlier' };
  const args = { frame, kind: 'start', session, variables: [] };
  const asked = await askedIn(handler, args);
  const sent = requests[0]?.messages.at(-1)?.content ?? '';
  expect(sent).toMatch(/^So far in this playbook, in short \(at length in earlier\):/);
  expect(sent).toContain('The person wrote: "answer 0');
  expect(sent).toMatch(/You said: "question 39 x{200}"\n\nThe person wrote: "answer 39/);
  expect(sent.length).toBeLessThan(4000);
  expect(asked.isFresh).toBe(true);
  expect(asked.left).toMatch(/^You said: "question 0 x{200}"\nThe person wrote: "answer 0/);
  for (const at of session.keys()) {
    const { text } = session[at] as { text: string };
    expect(`${sent}${asked.left}`).toContain(text);
  }
});

test('what is told in short may be passed on in the very turn that leaves it out', async () => {
  const { model } = scripted('{"set":"memo","value":"$earlier"}\n{"return":"$memo"}');
  const file = fileOf(rent);
  const handler = turnHandler({ file, tools, model: () => model, sessionTokensMax: 500 });
  const session = Array.from({ length: 40 }, (_, at): Entry => {
    return { is: 'said', text: `question ${at} ${'x'.repeat(200)}` };
  });
  const frame = { playbook: 'Desk.RentBike', line: '01', call: 'RentBike()', earlier: 'earlier' };
  const context = attempt();
  const args = { frame, kind: 'start', session, variables: [] };
  await handler.perform(args, context);
  const [asked, ...parts] = context.parts as Part[];
  const { left } = asked as AskedPart;
  expect(left).toMatch(/^You said: "question 0 /);
  const set = parts.find(({ op }) => op === 'set');
  expect(set).toMatchObject({ value: { is: 'value', value: left } });
  expect(JSON.stringify(parts)).not.toContain('PV7307');
});

const sized = (session: number, opening = 400) => ({ session, opening });
const isAnew = (kind: TurnKind, chat: Chat, sizes: Sizes, measured = measuredIn([])): boolean =>
  chooseChat(kind, chat, sizes, measured).isAnew;

test('a call of a tool continues a conversation; behind a playbook the cheaper way is taken', () => {
  expect(isAnew('start', 'keep', sized(1000))).toBe(true);
  expect(isAnew('continue', 'fresh', sized(9000))).toBe(false);
  expect(isAnew('resume', 'auto', sized(1000))).toBe(false);
  expect(isAnew('resume', 'auto', sized(9000))).toBe(true);
  expect(isAnew('resume', 'keep', sized(9000))).toBe(false);
  expect(isAnew('resume', 'fresh', sized(1000))).toBe(true);
});

const replied = (input: number, kept?: Kept): Entry => ({
  ...{ is: 'reply', text: '' },
  used: { input, output: 5, estimated: 1000, ...(kept && { kept }) },
});

test('which way is cheaper, the replies so far have shown', () => {
  // Nothing is kept: the whole conversation would be paid anew.
  const none = measuredIn([replied(2000), replied(2100, { tokens: 0, price: 0.1 })]);
  expect(none).toEqual({ scale: 2.1, share: 0, price: 0.1, isCounted: true });
  expect(isAnew('resume', 'auto', sized(1000), none)).toBe(true);
  const half = measuredIn([replied(2000), replied(2100, { tokens: 2000, price: 0.5 })]);
  expect(half).toMatchObject({ share: 1, price: 0.5 });
  expect(isAnew('resume', 'auto', sized(1000), half)).toBe(true);
  expect(isAnew('resume', 'auto', sized(700), half)).toBe(false);
  expect(chooseChat('resume', 'auto', sized(1000), half).why).toBe(
    '2100 tokens, 100 % kept at 0.5 of their price, are 1050; anew only 840',
  );
  // What a provider does not say is taken to be as with most.
  expect(measuredIn([replied(900), replied(900)])).toMatchObject({ share: 1, isCounted: false });
});

test('a conversation has the name of the effect that began it, until it is told anew', async () => {
  const reply = '{"step":"03"}\n{"step":"03.01"}\n{"say":"?"}\n{"yield":"user"}';
  const { model } = scripted(reply, reply, reply);
  const handler = turnHandler({ file: fileOf(rent), tools, model: () => model, chat: 'fresh' });
  const frame = { playbook: 'Desk.RentBike', line: '03', call: 'RentBike()' };
  const ask = async (effect: string, kind: TurnKind, session: readonly Entry[]) => {
    const args = { frame, kind, session, variables: [] };
    const context = { ...attempt(), effect };
    const { said, used } = (await handler.perform(args, context)) as EndPart;
    const [asked] = context.parts as unknown as [AskedPart];
    const entries: readonly Entry[] = [...asked.entries, { is: 'reply', text: said, used }];
    return { ...asked, entries };
  };
  const first = await ask('0#1', 'start', []);
  expect(first.chat).toMatchObject({ session: '0#1', how: 'new' });
  expect(first.entries.at(-1)).toMatchObject({ used: { input: 10, output: 5 } });
  const second = await ask('0#2', 'continue', first.entries);
  expect(second).toMatchObject({ isFresh: false, chat: { session: '0#1', how: 'kept' } });
  const third = await ask('0#3', 'resume', [...first.entries, ...second.entries]);
  expect(third).toMatchObject({ isFresh: true, chat: { session: '0#3', how: 'anew' } });
});

test('what the replies of a conversation have shown is known in the one that stands for it', async () => {
  const reply = '{"step":"03"}\n{"step":"03.01"}\n{"say":"?"}\n{"yield":"user"}';
  const { model } = scripted(reply, reply);
  const handler = turnHandler({ file: fileOf(rent), tools, model: () => model });
  const frame = { playbook: 'Desk.RentBike', line: '03', call: 'RentBike()' };
  const none = { tokens: 0, price: 0.1 };
  const began: Entry = { is: 'turn', text: 'x'.repeat(8000), shown: {} };
  const session: readonly Entry[] = [began, replied(2000, none), replied(2000, none)];
  const again = (entries: readonly Entry[]): readonly Entry[] => [
    ...entries,
    { is: 'turn', text: 'x'.repeat(8000), shown: {} },
    replied(2000, none),
  ];
  const asked = async (session: readonly Entry[]) =>
    await askedIn(handler, { frame, kind: 'resume', session, variables: [] });
  const anew = await asked(session);
  expect(anew.chat.how).toBe('anew');
  const next = await asked(again(anew.entries));
  expect(next.chat.why).toMatch(/, 0 % kept at 0\.1 of their price, /);
  expect(measuredIn(next.entries)).toEqual({ scale: 2, share: 0, price: 0.1, isCounted: true });
});
