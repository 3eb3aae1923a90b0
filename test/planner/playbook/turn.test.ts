/** The effect `turn` as a handler: what it asks the model, and what it makes of its reply. */
import { expect, test } from 'vitest';
import type { Model } from '../../../src/effects/model/model.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import type { AskedPart, EndPart, Part } from '../../../src/planner/playbook/parts.ts';
import { turnHandler } from '../../../src/planner/playbook/turn.ts';
import { fromJson, GuestValue } from '../../../src/program/json.ts';
import { attempt } from '../../support/attempt.ts';
import { scripted } from '../scripted.ts';
import { fileOf, refund, rent, tools } from './sample.ts';

const reply = [
  '{"step":"01"}',
  '{"call":"FreeBikes","args":{"day":"$day"},"into":"bikes"}',
  '{"step":"02"}',
  '{"yield":"call"}',
].join('\n');

const handlerOf = (model: Model) =>
  turnHandler({ file: fileOf(rent, refund), tools, model: () => model });

const frame = { playbook: 'Desk.RentBike', line: '01', call: 'RentBike(day="Sunday")' };
const variables = [{ name: 'day', scope: 'state', how: 'full', value: 'Sunday' }];
const start = { frame, kind: 'start', session: [], variables };

const opsOf = (parts: readonly unknown[]) => (parts as Part[]).map(({ op }) => op);

test('a turn is asked with the playbook, the line and the variables, and gives its parts', async () => {
  const { model, requests } = scripted(reply);
  const context = attempt();
  const end = (await handlerOf(model).perform(start, context)) as EndPart;
  expect(opsOf(context.parts)).toEqual(['asked', 'step', 'call', 'step', 'yield', 'end']);
  expect(context.parts[0]).toMatchObject({ isFresh: false, entries: [{ is: 'turn' }] });
  expect(end).toMatchObject({ line: '03', isWhole: true, said: reply });
  const [system, user] = requests[0]?.messages ?? [];
  expect(system?.content).toContain('You are Desk.\nYou rent bikes.');
  expect(system?.content).toContain('- FreeBikes(day: any): Does FreeBikes.');
  expect(system?.content).toContain('- count(items, least?)');
  expect(user?.content).toContain('01:QUE $bikes = FreeBikes($day)\n02:YLD for call');
  expect(user?.content).toContain('  03.01:QUE Say(suggest another day)');
  expect(user?.content).toContain('Variables:\n$day = "Sunday"');
  expect(user?.content).toContain('RentBike(day="Sunday"). Begin at line 01.');
  expect(requests[0]?.prompt).toBe('RentBike(day="Sunday")');
});

const listed = JSON.stringify({ steps: reply.split('\n').map((one) => JSON.parse(one)) }, null, 1);

test.each([
  ['brackets', listed, ''],
  ['a fence', `\`\`\`json\n${listed}\n\`\`\`\n`, ''],
  ['a fence for YAML', '```yaml\n- call: FreeBikes\n  args: [$day]\n- yield: call\n```', ''],
  ['words behind its end', reply, '\nThat is all.'],
])('what a reply is kept as ends with its turn, and with %s closed', async (_, said, more) => {
  const { model } = scripted(said + more);
  const end = (await handlerOf(model).perform(start, attempt())) as EndPart;
  expect(end).toMatchObject({ line: '03', isWhole: true, said: more === '' ? said : `${said}\n` });
});

test('the next turn begins with the same messages, and shows what has changed alone', async () => {
  const { model, requests } = scripted(
    reply,
    '{"step":"03"}\n{"step":"03.01"}\n{"say":"Monday?"}\n{"yield":"user"}',
  );
  const handler = handlerOf(model);
  const began = attempt();
  const first = (await handler.perform(start, began)) as EndPart;
  const [asked] = began.parts as [AskedPart];
  const results = {
    is: 'results',
    calls: [{ callee: 'FreeBikes', into: '$bikes', ok: true, value: [] }],
  };
  const bikes = { name: 'bikes', scope: 'state', how: 'full', value: [] };
  const context = attempt();
  const next = {
    ...{ kind: 'continue', variables: [...variables, bikes] },
    session: [...asked.entries, { is: 'reply', text: first.said }, results],
    frame: { ...frame, line: first.line },
  };
  const second = (await handler.perform(next, context)) as EndPart;
  expect(second).toMatchObject({ line: '03.03', isWhole: true });
  const [before = [], after = []] = requests.map(({ messages }) => messages);
  const contents = (messages: readonly { content: string }[]) =>
    messages.map(({ content }) => content);
  expect(contents(after).slice(0, 2)).toEqual(contents(before));
  expect(contents(after).slice(2)).toEqual([
    reply,
    // The result has shown the variable that it is in.
    'Results:\n- FreeBikes into $bikes: []\n\nGo on at line 03.',
  ]);
  expect(after.map(({ keep }) => keep === true)).toEqual([true, false, false, true]);
});

test('a reply with a problem is not heard to its end, and says where to go on', async () => {
  const { model, heard } = streaming('{"step":"01"}\n', '{"step":"77"}\n', '{"call":"Refund"}\n');
  const context = attempt();
  const end = (await handlerOf(model).perform(start, context)) as EndPart;
  expect(opsOf(context.parts)).toEqual(['asked', 'step', 'problem', 'end']);
  expect(end).toMatchObject({ line: '01', isWhole: false });
  expect(heard).toEqual(['{"step":"01"}\n', '{"step":"77"}\n']);
});

test('a reply that breaks off behind its first parts keeps them', async () => {
  const { model } = streaming(
    '{"step":"01"}\n{"call":"FreeBikes","args":["$day"]}\n',
    new EffectFailure('PV4108', 'gone'),
  );
  const context = attempt();
  const end = (await handlerOf(model).perform(start, context)) as EndPart;
  expect(opsOf(context.parts)).toEqual(['asked', 'step', 'call', 'problem', 'end']);
  expect(end).toMatchObject({ line: '02', isWhole: false });
  expect(context.warnings).toEqual(['the reply broke off: PV4108 gone']);
});

test('one that breaks off before any is the engine’s to ask again', async () => {
  const { model } = streaming(new EffectFailure('PV4108', 'gone', { retryable: true }));
  await expect(handlerOf(model).perform(start, attempt())).rejects.toMatchObject({
    code: 'PV4108',
  });
});

test('an attempt behind one that was cut off reports the same and asks nobody', async () => {
  const { model, requests } = scripted();
  const first = attempt();
  await handlerOf(scripted(reply).model).perform(start, first);
  const seen = (count: number) =>
    first.parts.slice(0, count).map((part) => new GuestValue(fromJson(part)));
  const after = { ...attempt(), earlier: seen(3) };
  const broken = (await handlerOf(model).perform(start, after)) as EndPart;
  expect(after.parts.slice(0, 3)).toEqual(first.parts.slice(0, 3));
  expect(opsOf(after.parts.slice(3))).toEqual(['problem', 'end']);
  expect(broken).toMatchObject({ line: '02', isWhole: false });
  const whole = { ...attempt(), earlier: seen(5) };
  expect(await handlerOf(model).perform(start, whole)).toMatchObject({ line: '03', isWhole: true });
  expect(opsOf(whole.parts)).toEqual(['asked', 'step', 'call', 'step', 'yield', 'end']);
  const ended = { ...attempt(), earlier: seen(6) };
  await handlerOf(model).perform(start, ended);
  expect(ended.parts).toEqual(first.parts);
  expect(requests).toEqual([]);
});

test('an attempt behind one that has only come to lines asks anew, and comes to them once', async () => {
  const asked = { op: 'asked', entries: [], isFresh: false, tokens: {}, chat: {} };
  const earlier = [asked, ...['01', '04'].map((line) => ({ op: 'step', line }))].map(
    (part) => new GuestValue(fromJson(part)),
  );
  const same = { ...attempt(), earlier: earlier.slice(0, 2) };
  expect(await handlerOf(scripted(reply).model).perform(start, same)).toMatchObject({
    isWhole: true,
  });
  expect(opsOf(same.parts)).toEqual(['asked', 'step', 'call', 'step', 'yield', 'end']);
  const other = { ...attempt(), earlier };
  await handlerOf(scripted(reply).model).perform(start, other);
  // What the program has been told of the question stands, too.
  expect(other.parts[0]).toEqual(asked);
  const lines = other.parts.slice(1, 4).map((part) => (part as Part & { line?: string }).line);
  expect([opsOf(other.parts).slice(1, 4), lines]).toEqual([
    ['step', 'step', 'call'],
    ['01', '04', '01'],
  ]);
});

/** A model that streams these pieces, as far as anybody listens. */
function streaming(...pieces: readonly (string | Error)[]) {
  const heard: string[] = [];
  const model: Model = {
    name: 'streaming',
    async complete(_, context) {
      for (const piece of pieces) {
        context.signal.throwIfAborted();
        if (typeof piece !== 'string') throw piece;
        heard.push(piece);
        context.progress(piece);
      }
      const usage = { modelCalls: 1, inputTokens: 0, outputTokens: 0 };
      return { text: heard.join(''), finishReason: 'stop', usage };
    },
  };
  return { model, heard };
}
