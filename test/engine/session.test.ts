/** A program that grows entry by entry: what stays, what is taken back, what is never repeated. */
import { expect, test } from 'vitest';
import { compileEntry } from '../../src/dialects/starlark/entry.ts';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import { type EntryEnd, Session } from '../../src/engine/session.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { toJson } from '../../src/program/json.ts';
import type { Limits } from '../../src/program/limits.ts';

const keys: string[] = [];

function handler(name: string, perform: () => unknown): [string, Handler] {
  const spec = toolSpec({ name, description: name, effect: 'write' });
  return [
    name,
    {
      spec,
      async perform(_args, { idempotencyKey }) {
        keys.push(idempotencyKey);
        return perform();
      },
    },
  ];
}

const handlers = new Map([
  handler('note', () => 'noted'),
  handler('lost', () => {
    throw new EffectFailure('PV4106', 'the line is cut', { retryable: true });
  }),
]);

function started(limits: Partial<Limits> = {}): {
  session: Session;
  enter: (text: string) => Promise<EntryEnd>;
} {
  keys.length = 0;
  const session = new Session({ handlers, limits, onEvent: () => {} });
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const enter = async (text: string): Promise<EntryEnd> => {
    const before = session.program;
    const { program } = compileEntry(text, { tools, inputs: [] }, { before, fileName: '<e>' });
    if (!program) throw new Error(`not compiled: ${text}`);
    return await session.enter(program);
  };
  return { session, enter };
}

test('an entry that fails takes back what it set, in place as well (N2)', async () => {
  const { session, enter } = started();
  expect(await enter('xs = [1]')).toEqual({ status: 'done' });
  const end = await enter('xs.append(2)\ny = 1\n1 // 0');
  expect(end).toMatchObject({ status: 'failed', error: { line: 3 } });
  const { variables } = session;
  expect([...variables.keys()]).toEqual(['xs']);
  expect(toJson(variables.get('xs') ?? null)).toEqual([1]);
});

test('no two effects have one key, also where the first entry was taken back (N3)', async () => {
  const { enter } = started();
  await enter('note()');
  await enter('[note(), 1 // 0]');
  await enter('note()');
  expect(keys.length).toBeGreaterThanOrEqual(2);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a write of which nobody knows ends the entry and says so', async () => {
  const { enter } = started();
  const end = await enter('lost()');
  expect(end).toEqual({
    status: 'stopped',
    message: 'nobody knows whether this took effect: lost (effect 0#1, step 1): the line is cut',
  });
  expect(await enter('1')).toEqual({ status: 'done' });
  expect(keys).toHaveLength(1);
});

test('an entry is over when its last effect is (N1)', async () => {
  const { session, enter } = started();
  await enter('a = note()');
  expect(session.variables.get('a')).toBe('noted');
});

test.each<[Partial<Limits>, RegExp]>([
  [{ memoryBytes: 100_000 }, /used up the 100000 bytes that there are, by the limit memoryBytes$/],
  [
    { instructions: 100_000 },
    /used up the 100000 instructions that there are, by the limit instructions$/,
  ],
])('an entry that needs more than %j is stopped, and the next one runs', async (given, message) => {
  const { enter } = started(given);
  const end = await enter('xs = []\nwhile True:\n  xs.append("x" * 1000 + str(len(xs)))');
  expect(end).toMatchObject({ status: 'stopped', message: expect.stringMatching(message) });
  expect(await enter('1')).toEqual({ status: 'done' });
});
