/** The form that models are taught: one JSON object a line, held against a playbook. */
import { expect, test } from 'vitest';
import { day, partsOf, shortly } from './sample.ts';

const first = [
  '{"step":"01"}',
  '{"call":"FreeBikes","args":{"day":"$day"},"into":"bikes"}',
  '{"step":"02"}',
  '{"yield":"call"}',
].join('\n');

test('a call, the variable of its result, and a yield', () => {
  const { parts, warnings } = partsOf(first);
  expect(warnings).toEqual([]);
  expect(parts).toEqual([
    { op: 'step', line: '01' },
    {
      ...{ op: 'call', id: '1', callee: 'FreeBikes', kind: 'tool', line: '01' },
      args: { day: { is: 'ref', name: 'day', scope: 'state', path: [] } },
      ...{ into: 'bikes', scope: 'state' },
      key: expect.stringContaining('FreeBikes'),
    },
    { op: 'step', line: '02' },
    { op: 'yield', for: 'call', line: '02', asks: [], whom: '' },
    expect.objectContaining({ op: 'end', line: '03', isWhole: true }),
  ]);
});

test('the loop, its way out, and the end', () => {
  const variables = [day, { name: 'bikes', scope: 'state' as const }];
  const reply = [
    '{"step":"03"}',
    '{"step":"04"}',
    '{"step":"04.01"}',
    '{"step":"04.01.01"}',
    '{"say":"A red one."}',
    '{"step":"04.01.01"}',
    '{"say":"A blue one, for {$day}."}',
    '{"step":"05"}',
    '{"set":{"choice":"blue"}}',
    '{"step":"06"}',
    '{"step":"07"}',
    '{"return":"$choice"}',
  ].join('\n');
  expect(shortly(reply, { line: '03', variables })).toEqual([
    ...['step 03', 'step 04', 'step 04.01', 'step 04.01.01', 'say 04.01.01', 'step 04.01.01'],
    ...['say 04.01.01', 'step 05', 'set $choice 05', 'step 06', 'step 07', 'return 07', 'end '],
  ]);
  expect(partsOf(reply, { line: '03', variables }).warnings).toEqual([]);
});

test('what is said without steps belongs to the lines that say it', () => {
  expect(shortly('{"call":"FreeBikes","args":["$day"]}\n{"yield":"call"}')).toEqual([
    ...['call FreeBikes 01', 'yield call 02', 'end 03'],
  ]);
});

test.each([
  [
    'a line that there is not',
    '{"step":"01"}\n{"step":"09"}',
    ['step 01', 'problem PV7302', 'end 01 broken'],
  ],
  ['a line of another playbook', '{"step":"Main:01:QUE"}', ['problem PV7302', 'end 01 broken']],
  [
    'a skipped call',
    '{"step":"01"}\n{"step":"03"}',
    ['step 01', 'problem PV7303', 'end 01 broken'],
  ],
  ['a skipped line', '{"step":"05"}', ['problem PV7303', 'end 01 broken']],
  [
    'a playbook that there is not',
    '{"step":"01"}\n{"call":"FreeBoats"}',
    ['step 01', 'problem PV7304', 'end 01 broken'],
  ],
  [
    'a call that is made twice',
    '{"step":"01"}\n{"call":"FreeBikes","args":["a"]}\n{"call":"FreeBikes","args":["a"]}',
    ['step 01', 'call FreeBikes 01', 'problem PV7305', 'end 02 broken'],
  ],
  [
    'a missing argument',
    '{"step":"01"}\n{"call":"FreeBikes"}',
    ['step 01', 'problem PV7306', 'end 01 broken'],
  ],
  [
    'an argument of another name',
    '{"call":"FreeBikes","args":{"date":1}}',
    ['problem PV7306', 'end 01 broken'],
  ],
  [
    'a variable without a value',
    '{"call":"FreeBikes","args":["$dy"]}',
    ['problem PV7307', 'end 01 broken'],
  ],
  [
    'a reply that ends in the middle',
    '{"step":"01"}\n{"call":"FreeBikes","args":["$d',
    ['step 01', 'problem PV7308', 'end 01 broken'],
  ],
  ['prose', 'I would look for bikes first.', ['problem PV7301', 'end 01 broken']],
  ['nothing', '', ['problem PV7301', 'end 01 broken']],
  ['no JSON', '{"step" "01" nonsense}}', ['problem PV7310', 'end 01 broken']],
])('%s', (_, reply, parts) => {
  expect(shortly(reply)).toEqual(parts);
});

test('what is behind a yield never acts', () => {
  const { parts, warnings } = partsOf(`${first}\n{"call":"Refund"}\n{"say":"done"}`);
  expect(parts.map(({ op }) => op)).toEqual(['step', 'call', 'step', 'yield', 'end']);
  expect(warnings).toEqual(['it went on behind the end of its turn: that was left out']);
});

test('who yields behind a return for having returned says nothing more', () => {
  const { parts, warnings } = partsOf('{"unexpected":"x"}\n{"return":null}\n{"yield":"return"}');
  expect(parts.map(({ op }) => op)).toContain('return');
  expect(warnings.join('\n')).not.toContain('behind the end');
});
