/** Answers of tools that are given again: by what they are kept, for how long, and which are not. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cached } from '../../../src/effects/tool/cached.ts';
import { type AttemptContext, EffectFailure, type Handler } from '../../../src/engine/handler.ts';
import { type Source, type ToolSpec, toolSpec } from '../../../src/program/effect.ts';
import { encode, fromJson, GuestValue } from '../../../src/program/json.ts';
import { attempt } from '../../support/attempt.ts';

let folder = '';
let time = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'planvm-answers-'));
  time = 1_000;
});
afterEach(() => rmSync(folder, { recursive: true }));

type Act = (args: Readonly<Record<string, unknown>>, context: AttemptContext) => unknown;

/** A tool that says how often it was asked. */
function counted(act: Act = () => null, spec: Partial<ToolSpec> = {}, version = '1') {
  const asked: unknown[] = [];
  const handler: Handler = {
    spec: toolSpec({
      ...{ name: 'price', description: 'A price.', effect: 'read', limits: { cacheMs: 100 } },
      ...spec,
    }),
    async perform(args, context) {
      asked.push(args);
      return await act(args, context);
    },
  };
  const kept = cached(handler, { folder, version, now: () => time });
  const ask = async (args: Readonly<Record<string, unknown>>, context = attempt()) => {
    return encode(fromJson(await kept.perform(args, context)));
  };
  return { asked, ask };
}

test('the same is asked once, for as long as the limit says', async () => {
  const { asked, ask } = counted(({ of }) => ({ of, big: 2n ** 70n, float: 2 }));
  const first = await ask({ of: 'NVDA' });
  time += 99;
  expect(await ask({ of: 'NVDA' })).toBe(first);
  expect(await ask({ of: 'AMD' })).not.toBe(first);
  expect(asked).toEqual([{ of: 'NVDA' }, { of: 'AMD' }]);
  time += 1;
  await ask({ of: 'NVDA' });
  expect(asked).toHaveLength(3);
  // A clock that was set back.
  time = 0;
  await ask({ of: 'NVDA' });
  expect(asked).toHaveLength(4);
});

test('another tool, declaration or version with equal arguments has its own', async () => {
  await counted(() => 'price').ask({ of: 'NVDA' });
  const others = [
    counted(() => 'cap', { name: 'cap' }),
    counted(() => 'later', {}, '2'),
    counted(() => 'typed', { returns: { type: 'string' } }),
  ];
  const found = [];
  for (const { ask } of others) found.push(await ask({ of: 'NVDA' }));
  expect(found).toEqual(['"cap"', '"later"', '"typed"']);
  // How it is described and bounded changes no answer.
  const same = counted(() => 'anew', { description: 'The price.', limits: { cacheMs: 50 } });
  expect(await same.ask({ of: 'NVDA' })).toBe('"price"');
});

test('where it comes from is said again, with the time of then', async () => {
  const sources: Source[] = [];
  const listening = () => Object.assign(attempt(), { source: (one: Source) => sources.push(one) });
  const named = counted((_, context) => {
    context.source({ url: 'https://a.example/', title: 'A' });
    return 1;
  });
  await named.ask({}, listening());
  time = 1_050;
  await named.ask({}, listening());
  expect(sources).toEqual([
    { url: 'https://a.example/', title: 'A' },
    { url: 'cache:price', fetchedAt: 1_000 },
    { url: 'https://a.example/', title: 'A', fetchedAt: 1_000 },
  ]);
  const silent = counted(() => 1, { name: 'silent' });
  await silent.ask({});
  await silent.ask({}, listening());
  expect(sources.at(-1)).toEqual({ url: 'cache:silent', fetchedAt: 1_050 });
});

test('a stream that has begun goes on with the tool', async () => {
  const { asked, ask } = counted(() => 1);
  await ask({});
  const part = new GuestValue('a line');
  await ask({}, Object.assign(attempt(), { earlier: [part] }));
  await ask({}, Object.assign(attempt(), { earlier: [] }));
  expect(asked).toHaveLength(2);
});

const partial: [string, Act][] = [
  ['gives parts', (_, context) => context.part(1)],
  ['warns', (_, context) => context.warn('half of it')],
  ['asks a model', (_, context) => context.use({ modelCalls: 1, inputTokens: 1, outputTokens: 1 })],
];

test.each(partial)('nothing is kept of one that %s', async (_, act) => {
  const { asked, ask } = counted((args, context) => {
    act(args, context);
    return 1;
  });
  await ask({});
  await ask({});
  expect(asked).toHaveLength(2);
  expect(readdirSync(folder)).toEqual([]);
});

test('no failure is kept, nothing of a tool that writes, nothing where no time is given', async () => {
  const failing = counted(() => {
    throw new EffectFailure('X', 'no');
  });
  await expect(failing.ask({})).rejects.toThrow('no');
  const writing = counted(() => 1, { effect: 'write' });
  const plain = counted(() => 1, { limits: {} });
  for (const { ask } of [writing, writing, plain, plain]) await ask({});
  expect([writing.asked.length, plain.asked.length]).toEqual([2, 2]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that was damaged is as if it were not there', async () => {
  const { asked, ask } = counted(() => 1);
  await ask({});
  const [file = ''] = readdirSync(folder);
  expect(file).toMatch(/^price~[\da-f]{64}\.answer$/);
  for (const text of ['', '{"value":1}', '{"value":"{","at":1000,"sources":[]}']) {
    writeFileSync(join(folder, file), text);
    expect(await ask({})).toBe('1');
  }
  expect(asked).toHaveLength(4);
});
