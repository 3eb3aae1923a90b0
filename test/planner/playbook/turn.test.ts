/** The effect `turn` as a handler: what it reports of a reply that is whole, cut off, or told again. */
import { describe, expect, test } from 'vitest';
import type { Model } from '../../../src/effects/model/model.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import type { Part } from '../../../src/planner/playbook/parts.ts';
import { turnHandler } from '../../../src/planner/playbook/turn.ts';
import { fromJson, GuestValue } from '../../../src/program/json.ts';
import { playbook } from '../../dialects/playbook/link/lines.ts';
import { attempt } from '../../support/attempt.ts';
import { scripted } from '../scripted.ts';
import { desk, fileOf, ops, rental, tools, turn } from './sample.ts';

const opsOf = (parts: readonly unknown[]) => (parts as Part[]).map(({ op }) => op);

const reply = ops(
  { at: '04', holds: true },
  { at: '04.01' },
  { say: 'A trailer?' },
  { yield: 'user' },
);

const frame = { playbook: 'Desk.RentBike', line: '04', call: 'RentBike()' };
const start = { frame, kind: 'start', session: [], variables: [] };

const performed = async (model: Model, context = attempt(), args: object = start) => {
  const end = await turnHandler({ file: rental, tools, model: () => model }).perform(
    { ...args },
    context,
  );
  return { end, context, reported: opsOf(context.parts) };
};

test('each operation is a part, in its order, before the end', async () => {
  const { model } = scripted(reply);
  const { end, reported } = await performed(model);
  expect(reported).toEqual(['asked', 'at', 'at', 'say', 'yield', 'end']);
  expect(end).toMatchObject({ op: 'end', isWhole: true });
});

test('a reply that is one object of operations is the same', async () => {
  const operations = reply.trim().split('\n').join(',');
  const { model } = scripted(`{"operations": [${operations}]}`);
  const { reported, context } = await performed(model);
  expect(reported).toEqual(['asked', 'at', 'at', 'say', 'yield', 'end']);
  const lines = await performed(scripted(reply).model);
  expect(context.parts.slice(1)).toEqual(lines.context.parts.slice(1));
});

test('the provider is told the price by what is sent', () => {
  const { model } = turnHandler({ file: rental, tools, model: () => scripted().model });
  const asked = model?.({ frame, session: [] });
  const later = model?.({ frame, session: [{ is: 'turn' }] });
  expect(asked?.sends).toBeGreaterThan(later?.sends ?? Infinity);
  expect(model?.({ frame: {} })).toMatchObject({ name: 'scripted' });
});

test('after a problem the reply is read on; the loop decides what becomes of it', async () => {
  const { parts } = await turn(ops({ at: '77' }, { say: 'a' }));
  expect(opsOf(parts)).toEqual(['problem', 'say', 'end']);
});

test.each([
  [
    'a line that is not JSON',
    `{"say":"a\n${ops({ say: 'b' })}`,
    'PV7301',
    'got a line that is not JSON',
  ],
  [
    'a key that no operation has',
    ops({ step: '04' }, { say: 'b' }),
    'PV7310',
    'got the key "step"',
  ],
])('%s is a problem at its place', async (_, text, code, problem) => {
  const { parts } = await turn(text);
  expect(opsOf(parts)).toEqual(['problem', 'say', 'end']);
  expect(parts[0]).toMatchObject({ code, text: expect.stringContaining(problem) });
});

describe('a reply without operations', () => {
  test('is a problem that has its words', async () => {
    const { parts } = await turn('<think>Well.</think>\nWe are closed.');
    expect(parts).toMatchObject([
      { op: 'problem', code: 'PV7301', words: 'We are closed.' },
      { op: 'end', isWhole: true },
    ]);
  });

  test('is a problem also where it has no words', async () => {
    const { parts } = await turn('<think>{"say":"a"}');
    expect(parts[0]).toEqual({
      ...{ op: 'problem', code: 'PV7301' },
      text: 'got nothing; want operations, such as {"say":"…"}',
    });
  });
});

test('words beside operations, and what was repaired, are warnings', async () => {
  const { parts, warnings } = await turn(`Sure!\n{"say":"a",}\n`);
  expect(opsOf(parts)).toEqual(['say', 'end']);
  expect(warnings).toEqual([
    'an operation was repaired: got a comma before }',
    'words beside the operations were left out: Sure!',
  ]);
});

test.each([
  [{ yield: 'call' }, ['yield', 'end']],
  [{ return: null }, ['return', 'end']],
])('after %j nothing of the reply counts', async (last, expected) => {
  const { parts } = await turn(ops(last, { say: 'a' }));
  expect(opsOf(parts)).toEqual(expected);
});

test('a playbook without lines has no places', async () => {
  const file = fileOf(desk([playbook('Free', [])]));
  const { parts } = await turn(ops({ at: '01' }, { say: 'a' }), {
    file,
    frame: { playbook: 'Desk.Free', line: '' },
  });
  expect(opsOf(parts)).toEqual(['say', 'end']);
});

test.each([
  [{ ...start, kind: 'other' }, 'got a turn of another form'],
  [{ ...start, frame: { ...frame, playbook: 'Desk.Other' } }, 'got the playbook Desk.Other'],
])('%#: arguments of another form fail', async (args, message) => {
  const failed = performed(scripted().model, attempt(), args);
  await expect(failed).rejects.toMatchObject({
    ...{ code: 'PV7006', message: expect.stringContaining(message) },
  });
});

describe('a reply that arrives in pieces', () => {
  test('is reported while it arrives', async () => {
    const context = attempt();
    const seen: number[] = [];
    const { model } = streaming(['{"at":"04"}\n{"sa', 'y":"a"}', '\n'], () =>
      seen.push(context.parts.length),
    );
    const { reported } = await performed(model, context);
    expect(seen).toEqual([2, 2, 3]);
    expect(reported).toEqual(['asked', 'at', 'say', 'end']);
  });

  test('is not waited for once its turn is over and the model goes on', async () => {
    const { model, heard } = streaming([ops({ yield: 'user' }), ...Array(9).fill('x'.repeat(100))]);
    const { reported, end } = await performed(model);
    expect([reported, end]).toMatchObject([['asked', 'yield', 'end'], { isWhole: true }]);
    expect(heard.length).toBeLessThan(8);
  });

  test.each(['{"at":"04"}\n', '{"at":"04"}\n{"say":"Hel'])(
    'and whose connection breaks after %j is cut off there',
    async (begun) => {
      const { model } = streaming([begun, new EffectFailure('PV4108', 'gone')]);
      const { reported, end, context } = await performed(model);
      expect([reported, end]).toMatchObject([['asked', 'at', 'end'], { isWhole: false }]);
      expect(context.warnings).toEqual(['PV7308 the reply was cut off: PV4108 gone']);
    },
  );

  test('and breaks before its first operation is asked for again by the engine', async () => {
    const gone = new EffectFailure('PV4108', 'gone', { retryable: true });
    const { model } = streaming(['{"at":"0', gone]);
    await expect(performed(model)).rejects.toBe(gone);
  });

  test('and whose reader has stopped ends as the engine ended it', async () => {
    const context = attempt();
    const { model } = streaming(['{"at":"04"}\n', '{"say":"a"}\n'], () => context.abort('enough'));
    await expect(performed(model, context)).rejects.toBe('enough');
    expect(opsOf(context.parts)).toEqual(['asked', 'at']);
  });

  test('and stops at a token limit is cut off', async () => {
    const { model } = streaming(['{"at":"04"}\n{"say":"Hel'], () => {}, 'length');
    const { reported, end, context } = await performed(model);
    expect([reported, end]).toMatchObject([['asked', 'at', 'end'], { isWhole: false }]);
    expect(context.warnings).toEqual([
      'PV7308 the reply was cut off: streaming stopped at its limit',
    ]);
  });
});

describe('an attempt after one that was killed', () => {
  const earlier = async (count: number) => {
    const { context } = await performed(scripted(reply).model);
    const seen = context.parts.slice(0, count).map((part) => new GuestValue(fromJson(part)));
    return { before: context.parts.slice(0, count), context: { ...attempt(), earlier: seen } };
  };

  test('which had only asked asks again, and says the same of it', async () => {
    const { before, context } = await earlier(1);
    const { model, requests } = scripted(reply);
    const { reported } = await performed(model, context);
    expect(context.parts[0]).toEqual(before[0]);
    expect(reported).toEqual(['asked', 'at', 'at', 'say', 'yield', 'end']);
    expect(requests).toHaveLength(1);
  });

  test.each([
    [2, false],
    [4, false],
    [5, true],
    [6, true],
  ])('which had reported %i parts reports them, asks nobody, and ends', async (count, isWhole) => {
    const { before, context } = await earlier(count);
    const { end, reported } = await performed(scripted().model, context);
    expect(context.parts.slice(0, count)).toEqual(before);
    expect(reported.slice(count)).toEqual(count === 6 ? [] : ['end']);
    expect(end).toMatchObject({ op: 'end', isWhole });
  });
});

/** A model that streams these pieces, as far as anybody listens. */
function streaming(
  pieces: readonly (string | Error)[],
  then: () => void = () => {},
  finishReason: 'stop' | 'length' = 'stop',
) {
  const heard: string[] = [];
  const model: Model = {
    name: 'streaming',
    async complete(_, context) {
      for (const piece of pieces) {
        context.signal.throwIfAborted();
        if (typeof piece !== 'string') throw piece;
        heard.push(piece);
        context.progress(piece);
        then();
      }
      const usage = { modelCalls: 1, inputTokens: 0, outputTokens: 0 };
      return { text: heard.join(''), finishReason, usage };
    },
  };
  return { model, heard };
}
