/**
 * Replies that are one document: each item of its list is read as soon as it is whole, and what is
 * read depends on the text alone.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReplyReader, type SaidAt } from '../../../src/planner/playbook/reply/reply-reader.ts';
import { writtenText } from '../../../src/planner/playbook/reply/term.ts';
import { points } from '../../support/depth.ts';
import { partsOf, shortly } from './sample.ts';

/** What is read of a text in pieces, and of its end. */
function read(pieces: readonly string[], isCut = false): readonly SaidAt[] {
  const reader = new ReplyReader();
  return [...pieces.flatMap((one) => reader.feed(one)), ...reader.end(isCut)];
}

/** How many things were said before the end, of a text that has not gone on. */
const soFar = (text: string): readonly string[] =>
  new ReplyReader().feed(text).map(({ said }) => said.is);

const items = [
  { step: '01' },
  { call: 'FreeBikes', args: { day: '}],' }, into: 'bikes' },
  { yield: 'call' },
];
const steps = [
  { 'RentBike:01:QUE': [{ call: { fn: 'FreeBikes', args: ['$day'] } }] },
  { 'RentBike:02:YLD': [{ yield_type: 'ForCallComplete' }] },
];
const yaml = `thread_id: main
stack:
- RentBike:01
trace:
- RentBike:01:QUE:
  - updated_vars:
      note: |
        - no item
    think: so
  - call:
      fn: FreeBikes
      args: [$day]
- RentBike:02:YLD:
  - yield_type: ForCallComplete
vars:
  day: Sunday
`;

const documents: Readonly<Record<string, string>> = {
  'a list': JSON.stringify(items),
  'a list over lines': JSON.stringify(items, null, 2),
  'a list with a name': JSON.stringify({ playbook: 'RentBike', operations: items }, null, 2),
  'what stands around a list': JSON.stringify({
    think: 'so',
    yield: 'call',
    ops: items.slice(0, 2),
  }),
  'a trace': JSON.stringify({ thread_id: 'main', trace: steps, vars: { day: 'Sunday' } }),
  'a trace over lines': JSON.stringify({ trace: steps }, null, 2),
  'steps without a name': JSON.stringify(steps),
  'a trace in a fence': `Here:\n\`\`\`json\n${JSON.stringify({ trace: steps }, null, 1)}\n\`\`\`\nSo.`,
  'a list that is mended': `[{"step":"01",}, {'call': "FreeBikes", "args": ["a "b" c"]}, // so\n]`,
  'a list without its end': JSON.stringify(items, null, 1).slice(0, -2),
  'a list that breaks off': JSON.stringify(items, null, 1).slice(0, -12),
  'a list with a bad item': '[{"step":"01"},\n{"step": oh no}, {"yield":"call"}]\n{"yield":"call"}',
  'printed quotes': JSON.stringify(items, null, 1).replace(/"([^"]*)"/g, '“$1”'),
  'two documents': `${JSON.stringify(items.slice(0, 2))} ${JSON.stringify(items.slice(2))}`,
  'two lists': JSON.stringify({ steps: items.slice(0, 2), calls: items.slice(2) }),
  'a trace in YAML': yaml,
  'a trace in YAML in a fence': `- so:\n   \`\`\`yaml\n${yaml.replace(/^/gm, '   ')}\`\`\``,
  'items in YAML': '- step: "01"\n- call: FreeBikes\n  args: [x]\n- yield: call',
  'items in YAML with a name': '```yaml\noperations:\n  - step: "01"\n  - yield: call\n```',
  'JSON in a fence for YAML': '```yaml\n{"step":"01"}\n{"yield":"call"}\n```\n',
  'a bad item in YAML': 'trace:\n- A:01:\n- {a\n- RentBike:02:YLD:\n',
};

describe.each(Object.entries(documents))('%s', (_, text) => {
  test('in two pieces, wherever it is cut', () => {
    const whole = read([text]);
    expect(whole.length).toBeGreaterThan(0);
    for (const at of points(1, 5, text.length - 1)) {
      expect(read([text.slice(0, at), text.slice(at)])).toEqual(whole);
    }
  });

  test.each([text, text.replaceAll('\n', '\r\n'), `\ufeff${text}`])(
    'letter by letter, and where more was to come',
    (all) => {
      const whole = read([all]);
      expect(whole.map(({ said }) => said)).toEqual(read([text]).map(({ said }) => said));
      expect(read([...all])).toEqual(whole);
      expect(read([...all], true)).toEqual(read([all], true));
    },
  );
});

test('what is read depends on the text alone, whatever stands in it', () => {
  const one = fc.constantFrom(
    ...['[', ']', '{', '}', '"', ',', ':', '\n', ' ', '- ', '  ', '```', '```yaml\n', '\r\n', '#'],
    ...['"trace":[', '"step":"01"', '{"say":"a"}', 'trace:\n', '- say: x', '<think>', '</think>'],
    ...['“', '”', "'", '1. ', '> ', 'say', 'true', '\\', '`', 'call: F\n', '{"ops":[{"step":"1"}'],
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 25 }), fc.boolean(), (parts, isCut) => {
      const text = parts.join('');
      expect(read([...text], isCut)).toEqual(read([text], isCut));
      expect(read(parts, isCut)).toEqual(read([text], isCut));
    }),
    { numRuns: 1000 },
  );
});

test('an item in JSON is read when its braces close, also in a line that goes on', () => {
  const text = JSON.stringify(items);
  const second = text.indexOf(',{"yield"');
  expect(soFar(text.slice(0, second - 1))).toEqual(['step']);
  expect(soFar(text.slice(0, second))).toEqual(['step', 'call']);
  const trace = JSON.stringify({ trace: steps }, null, 2);
  const [, first = ''] = /^([\s\S]*?\]\s*\},\n)\s*\{\s*"RentBike:02/.exec(trace) ?? [];
  expect(soFar(first.slice(0, -4))).toEqual([]);
  expect(soFar(first)).toEqual(['step', 'call']);
});

test('an item in YAML is read when the next one begins', () => {
  const next = yaml.indexOf('- RentBike:02');
  expect(soFar(yaml.slice(0, next))).toEqual([]);
  expect(soFar(`${yaml.slice(0, next)}- RentBike:02:YLD:\n`)).toEqual([
    ...['step', 'set', 'think', 'call'],
  ]);
});

test('what stands around a list is said before it, and what ends the turn behind it', () => {
  const around = { think: 'so', yield: 'call', calls: [{ name: 'FreeBikes', arguments: ['x'] }] };
  expect(shortly(JSON.stringify(around))).toEqual([
    ...['think', 'call FreeBikes 01', 'yield call 02', 'end 03'],
  ]);
  // The oldest traces have the variables at the end, and none with the steps.
  const late = { trace: [{ 'RentBike:01:QUE': [] }], vars: { mood: 'sad' } };
  expect(read([JSON.stringify(late)]).map(({ said }) => said.is)).toEqual(['step', 'set']);
  const both = { trace: [{ updated_vars: { mood: 'glad' } }], vars: { mood: 'sad' } };
  expect(read([JSON.stringify(both)]).map(({ said }) => said.is)).toEqual(['set']);
});

test.each([
  ['JSON', '[{"call":"FreeBikes","args":[1]},{"say":"we'],
  ['a trace in JSON', '{"trace":[{"RentBike:01:QUE":[{"call":"FreeBikes","args":[1]}]},{"RentB'],
  ['items in YAML', '- call: FreeBikes\n  args: [1]\n- say: we'],
  ['a trace in YAML', 'trace:\n- RentBike:01:QUE:\n  - call: FreeBikes\n    args: [1]\n- RentB'],
])('what was whole stands where %s is cut, and what was not does nothing', (_, text) => {
  const parts = shortly(text, { isCut: true }).filter((one) => !one.startsWith('step'));
  expect(parts).toEqual(['call FreeBikes 01', 'problem PV7308', 'end 02 broken']);
});

test.each([
  ['JSON', '[{"call":"FreeBikes","args":[1]},\n{"step": oh},\n{"call":"Refund"}]', 'line 2'],
  ['YAML', 'trace:\n- RentBike:01:QUE:\n  - call: FreeBikes(1)\n- {a\n- call: Refund\n', 'line 4'],
])(
  'an item that cannot be read takes back nothing in %s, and nothing behind it is done',
  (...of) => {
    const [, text, place] = of;
    const { parts } = partsOf(text);
    expect(parts.map(({ op }) => op).filter((op) => op !== 'step')).toEqual([
      ...['call', 'problem', 'end'],
    ]);
    expect(parts.find(({ op }) => op === 'problem')).toMatchObject({
      ...{ code: 'PV7310', text: expect.stringContaining(place) },
    });
  },
);

test.each([
  ['- say: We are in room #4 #now', 'We are in room #4 #now'],
  ['- say: "We are in room #4" # a quote ends it', 'We are in room #4'],
  ['- ask: #1 or #2?', '#1 or #2?'],
  ['- say: # greet\n    Room #4', 'Room #4'],
  ['- say: Room #4\n    and #5', 'Room #4 and #5'],
  ['- say: {$name}, room #4', '{$name}, room #4'],
  ['- say: [Ann] is here #now', '[Ann] is here #now'],
  ['- say: Room #4\n  to: user # who asks', 'Room #4'],
])('what is said keeps its signs in YAML: %s', (text, said) => {
  const texts = read([`${text}\n`]).flatMap(({ said: one }) =>
    one.is === 'say' ? [writtenText(one.text)] : [],
  );
  expect(texts).toEqual([said]);
});

test('a comment behind another text in YAML is left out, and that is said', () => {
  const texts = '- set:\n    title: Pick #1 # now\n    n: 3 # so\n    m: "a" # b\n';
  const [first, ...rest] = read([texts]).map(({ said }) => said);
  expect(first).toEqual({
    ...{ is: 'mended' },
    text: '"#1 # now" behind "Pick" was taken for a comment of YAML, and left out',
  });
  expect(rest.map(({ is }) => is)).toEqual(['set', 'set', 'set']);
});
