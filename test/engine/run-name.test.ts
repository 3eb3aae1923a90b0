/** Runs under ids of the caller's choice, whatever the journal. */
import { beforeEach, expect, test } from 'vitest';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { type RunHandle, type StartOptions, startRun } from '../../src/engine/run.ts';
import { existingRun, RunExists } from '../../src/engine/run-name.ts';
import { programOf } from './support.ts';

const program = programOf([{ say: 'hello' }]);
const inputs = new Map([
  ['city', 'Oslo'],
  ['days', 'two'],
]);

let journal = memoryJournal();
beforeEach(() => {
  journal = memoryJournal();
});

const options = (more: Partial<StartOptions> = {}): StartOptions => ({
  ...{ journal, program, handlers: new Map(), text: 'say hello', dialect: 'assembly', inputs },
  ...{ id: 'ticket-42', ...more },
});
const start = (more?: Partial<StartOptions>): RunHandle => startRun(options(more));

test.each<[string[], Partial<StartOptions>]>([
  [['text'], { text: 'say hello again' }],
  [['dialect'], { dialect: 'starlark' }],
  [['inputs'], { inputs: new Map([['city', 'Oslo']]) }],
  [['kind'], { request: { kind: 'plan' } }],
  [['text', 'inputs'], { text: 'say', inputs: new Map() }],
])(
  'another request under the same id is refused, and told that the %s differ',
  async (differences, more) => {
    await start().result;
    const refusal = expect.objectContaining({
      ...{ name: 'RunError', code: 'PV5113', facts: { differences } },
      message: expect.stringMatching(/got (an)?other .*, want/),
    });
    expect(() => start(more)).toThrow(refusal);
    expect(() => existingRun(options(more))).toThrow(refusal);
  },
);

test('a request that is no program is what its caller says', async () => {
  const request = { kind: 'ask', text: 'Is it warm?', dialect: '', inputs: new Map() };
  await start({ request }).result;
  expect(() => start({ request, text: 'another', inputs: new Map() })).toThrow(RunExists);
  expect(() => start({ request: { ...request, text: 'Is it wet?' } })).toThrow(/another text/);
});

const allowed = ['a', 'A_1', '7', 'ticket-42.b', '_x', 'LAST', 'x'.repeat(128)];
test.each(allowed)('%s is an id', async (id) => {
  expect((await start({ id }).result).run).toBe(id);
});

const refused = ['', 'last', '-x', '.', '@name', 'a b', 'a/b', 'é', 'x'.repeat(129), 'a\n'];
test.each([...refused, 'r1.0-1.bind'])('%j is no id', (id) => {
  expect(() => start({ id })).toThrow(
    expect.objectContaining({ code: 'PV5111', message: expect.stringMatching(/got ".*want/) }),
  );
  expect(journal.list()).toEqual([]);
});

test.each<[string, unknown]>([
  ['a list', ['red']],
  ['text', 'red'],
  ['a date', { at: new Date(0) }],
  ['an undefined value', { a: { b: undefined } }],
  ['a number that JSON has not', { a: Number.NaN }],
  ['a big int', { a: 1n }],
  ['the key __proto__', JSON.parse('{ "a": { "__proto__": 1 } }')],
  ['16 KiB and more', { a: 'é'.repeat(8 * 1024) }],
])('%s is no metadata', (_, metadata) => {
  expect(() => start({ metadata: metadata as StartOptions['metadata'] })).toThrow(
    expect.objectContaining({ code: 'PV5114', message: expect.stringMatching(/got .*want/) }),
  );
  expect(journal.list()).toEqual([]);
});
