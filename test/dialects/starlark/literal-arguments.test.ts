/** What a program writes out for a tool is held against its schema, before anything runs. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { type JsonSchema, toolSpec } from '../../../src/program/effect.ts';

const type = (name: string): JsonSchema => ({ type: name });

const trip = toolSpec({
  name: 'trip',
  description: 'Plans a trip.',
  effect: 'read',
  requires: ['purse'],
  parameters: {
    type: 'object',
    properties: {
      place: type('string'),
      days: type('integer'),
      from: { type: 'string', format: 'date' },
      by: { enum: ['train', 'boat'] },
      stops: { type: 'array', items: type('string') },
      hotel: { type: 'object', properties: { stars: type('integer') }, required: ['stars'] },
      note: { anyOf: [type('string'), type('null')] },
      alone: type('boolean'),
      purse: type('number'),
    },
    required: ['place', 'purse'],
  },
});
const environment = { tools: new Map([['trip', trip]]), inputs: ['given'] };

const said = (source: string): string[] =>
  checkProgram(source, environment, { dialect: 'starlark' }).diagnostics.map(
    ({ code, message, hint, line, column }) => `${line}:${column} ${code} ${message} | ${hint}`,
  );

test.each([
  ['trip(7)', '1:6 PV2336 place: got integer, want string | write "7"'],
  ['trip("Ulm", "3")', '1:13 PV2336 days: got string, want integer | write 3 without quotes'],
  ['trip("Ulm", days=2.5)', '1:18 PV2336 days: got number, want integer | trip(place: string'],
  ['trip("Ulm", days=None)', '1:18 PV2336 days: got null, want integer | leave days out'],
  ['trip(None)', '1:6 PV2336 place: got null, want string | trip(place: string'],
  ['trip("Ulm", alone="true")', 'got string, want boolean | write True without quotes'],
  ['trip("Ulm", **{"days": "x"})', undefined],
  [
    'trip("Ulm", 1, "2026-02-30")',
    '1:16 PV2336 from: got 2026-02-30, want a day that there is, as YYYY-MM-DD | ',
  ],
  ['trip("Ulm", by="car")', '1:16 PV2336 by: want one of "train", "boat" | trip(place'],
  ['trip("Ulm", stops="Bonn")', '1:19 PV2336 stops: got string, want array | '],
  ['trip("Ulm", stops=["Bonn",\n  ("Köln", 2)])', '2:3 PV2336 stops[1]: got array, want string'],
  ['trip("Ulm", stops={"a": 1})', 'stops: got object, want array'],
  ['trip("Ulm", stops="a" + str(given))', 'stops: got string, want array'],
  ['trip("Ulm", days=f"{given}")', 'days: got string, want integer'],
  ['trip("Ulm", days="%d" % given)', 'days: got string, want integer'],
  ['trip("Ulm", days=[d for d in given])', 'days: got array, want integer'],
  ['trip("Ulm", hotel={"rooms": 2})', '1:19 PV2336 hotel lacks the key stars | '],
  ['trip("Ulm", hotel={"stars": "4"})', '1:29 PV2336 hotel.stars: got string, want integer'],
  ['trip("Ulm", note=1)', '1:18 PV2336 note: got integer, want string or null | write "1"'],
  ['x = try_call(trip, "Ulm", "x")', '1:27 PV2336 days: got string, want integer'],
  ['def f(x = trip(3)):\n  return x', '1:16 PV2336 place: got integer, want string'],
  ['f = lambda n: [trip("a", "b") for _ in n]', 'days: got string, want integer'],
])('%s', (source, says) => {
  const found = said(source);
  if (says === undefined) expect(found).toEqual([]);
  else expect(found).toEqual([expect.stringContaining(says)]);
});

test('nothing is said of what fits, of what only the run can tell, and of what is asked for', () => {
  const program = [
    'n = 3',
    'True_ = "x"',
    'trip("Ulm", 3.0, "2026-02-28", "boat", ["a", given, str(n)], {"stars": n}, None, not n, None)',
    'trip(given, n, given[0], given.by, [g for g in given], {given: 1}, f"{n}", n == 3, -2)',
    'trip("a" + given, given + n, "%s" % given, purse=1.5, hotel={"stars": 4, "pool": True})',
    'trip(place=("a", "b")[0], days=(1 if given else "2"), stops=("a", "b"), note="")',
    'def trip_of(trip):',
    '  return trip(1, "x")',
  ];
  expect(said(program.join('\n'))).toEqual([]);
});

test.each([
  ['trip(plase="Ulm")', 'error'],
  ['trip(place="Ulm", plase="Ulm")', 'warning'],
  ['trip(plase="Ulm", **given)', 'warning'],
])('%s: a parameter that is close to a missing one is an error', (source, severity) => {
  const { diagnostics } = checkProgram(source, environment, { dialect: 'starlark' });
  const [found] = diagnostics.filter(({ message }) => message === 'trip has no parameter plase');
  expect(found).toMatchObject({ severity, hint: 'did you mean place?' });
});
