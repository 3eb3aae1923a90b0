/** One turn in every form that interpreters of playbooks have had, and what goes wrong in each. */
import { describe, expect, test } from 'vitest';
import { statementSaid } from '../../../src/planner/playbook/reply/forms/statement.ts';
import { points } from '../../support/depth.ts';
import { day, partsOf, shortly } from './sample.ts';

/** The same turn: a line that calls, one that waits; then a branch, a question, and a wait. */
const first = ['step 01', 'call FreeBikes 01', 'step 02', 'yield call 02', 'end 03'];
const second = [
  'step 03',
  'step 03.01',
  'say 03.01',
  'set $mood 03.01',
  'step 03.02',
  'yield user 03.02',
  'end 03.03',
];

const bikes = { name: 'bikes', scope: 'state' as const };
const later = { line: '03', variables: [day, bikes, { name: 'mood', scope: 'state' as const }] };

const march = (trace: readonly object[]) =>
  `\`\`\`json\n${JSON.stringify({ trace }, null, 2)}\n\`\`\``;

interface Form {
  readonly first: string;
  readonly second: string;
  /** One line, and what cannot stand in it. */
  readonly unknownLine: string;
  readonly skipped: string;
  readonly unknownCall: string;
  readonly twice: string;
  readonly cut: string;
}

const forms: Readonly<Record<string, Form>> = {
  'JSON, a line each': {
    first:
      '{"step":"01"}\n{"call":"FreeBikes","args":{"day":"$day"},"into":"bikes"}\n{"step":"02"}\n{"yield":"call"}',
    second:
      '{"step":"03"}\n{"step":"03.01"}\n{"say":"Which day?"}\n{"set":{"mood":"sad"}}\n{"step":"03.02"}\n{"yield":"user"}',
    unknownLine: '{"step":"12"}',
    skipped: '{"step":"05"}',
    unknownCall: '{"call":"FreeBoats"}',
    twice: '{"call":"FreeBikes","args":[1]}\n{"call":"FreeBikes","args":[1]}',
    cut: '{"call":"FreeBikes","args":[1',
  },
  'JSON in one list, in a fence': {
    first:
      'Here it is:\n```json\n[\n {"step": "01"},\n {"call": "FreeBikes", "args": ["$day"]},\n {"step": "02"},\n {"yield": "call"}\n]\n```',
    second:
      '[{"step":"03"},{"step":"03.01"},{"say":"Which day?"},{"set":{"mood":"sad"}},{"step":"03.02"},{"yield":"user"}]',
    unknownLine: '[{"step":"12"}]',
    skipped: '[{"step":"05"}]',
    unknownCall: '[{"call":"FreeBoats"}]',
    twice: '[{"call":"FreeBikes","args":[1]},{"call":"FreeBikes","args":[1]}]',
    cut: '[{"call":"FreeBikes","args":[1',
  },
  'JSON with other keys': {
    first:
      '{"op":"step","line":"1"}\n{"name":"FreeBikes","arguments":{"day":"$day"}}\n{"op":"step","line":2}\n{"op":"yield","for":"call"}',
    second:
      '{"line":"03"}\n{"step":"RentBike:03.01:QUE","say":"Which day?","set":{"$mood":"sad"}}\n{"step":"03.02","yield":"for user"}',
    unknownLine: '{"op":"step","line":"12"}',
    skipped: '{"line":5}',
    unknownCall: '{"op":"call","callee":"FreeBoats"}',
    twice: '{"tool":"FreeBikes","input":{"day":1}}\n{"tool":"FreeBikes","input":{"day":1}}',
    cut: '{"op":"call","callee":"FreeBi',
  },
  'a trace in JSON (March)': {
    first: march([
      { prologue: 'looking for bikes' },
      {
        'RentBike:01:QUE': [
          { think: 'x' },
          { call: { fn: 'FreeBikes', args: ['$day'], kwargs: {} } },
        ],
      },
      { 'RentBike:02:YLD': [{ yield_type: 'ForCallComplete' }] },
    ]),
    second: march([
      { 'RentBike:03:CND': [] },
      {
        'RentBike:03.01:QUE': [
          { call: { fn: 'Say', args: ['Which day?'], kwargs: {} } },
          { updated_vars: { $mood: 'sad' } },
        ],
      },
      { 'RentBike:03.02:YLD': [{ yield_type: 'ForUserInput' }] },
    ]),
    unknownLine: march([{ 'RentBike:12:EXE': [] }]),
    skipped: march([{ 'RentBike:05:EXE': [] }]),
    unknownCall: march([{ 'RentBike:01:QUE': [{ call: { fn: 'FreeBoats' } }] }]),
    twice: march([
      {
        'RentBike:01:QUE': [
          { call: { fn: 'FreeBikes', args: [1] } },
          { call: { fn: 'FreeBikes', args: [1] } },
        ],
      },
    ]),
    cut: '```json\n{"trace": [{"RentBike:01:QUE": [{"call": {"fn": "FreeBikes"',
  },
  'a trace in YAML (February)': {
    first:
      '```yaml\nthread_id: main\nprologue: looking\ntrace:\n  - RentBike:01:QUE:\n    - call:\n        fn: FreeBikes\n        args: [$day]\n  - RentBike:02:YLD:\n    - yield_type: ForCallComplete\n```',
    second:
      'trace:\n- RentBike:03:CND: []\n- RentBike:03.01:QUE:\n  - call:\n      fn: Say\n      args:\n        - |\n          Which day?\n  - updated_vars:\n      $mood: sad # a comment\n- RentBike:03.02:YLD:\n  - yield_type: ForUserInput',
    unknownLine: 'trace:\n  - RentBike:12:EXE: []',
    skipped: 'trace:\n  - RentBike:05:EXE: []',
    unknownCall: 'trace:\n  - RentBike:01:QUE:\n    - call: {"fn": "FreeBoats"}',
    twice:
      'trace:\n  - RentBike:01:QUE:\n    - call: {"fn": "FreeBikes", "args": [1]}\n    - call: {"fn": "FreeBikes", "args": [1]}',
    cut: 'trace:\n  - RentBike:01:QUE:\n    - call: {"fn": "FreeBi',
  },
  'a list in YAML': {
    first:
      '- step: "01"\n- call: FreeBikes\n  args:\n    day: $day\n  into: bikes\n- step: "02"\n- yield: call',
    second:
      '```yaml\n- step: "03"\n\n- step: "03.01"\n  say: Which day?\n- set:\n    $mood: sad # so\n- step: 03.02\n- yield: "for user"\n```',
    unknownLine: '- step: "12"',
    skipped: '- step: "05"',
    unknownCall: '- call: FreeBoats',
    twice: '- call: FreeBikes\n  args: [1]\n- call: FreeBikes\n  args: [1]',
    cut: '- call: FreeBikes\n  args:\n    day: 1',
  },
  'lines with backticks (April to v0.6)': {
    first:
      'recap - new\nplan - look up bikes\n`Step["RentBike:01:QUE"]` `$bikes:list = FreeBikes(day=$day)`\ntrig? no\nyld? no\n`Step["RentBike:02:YLD"]`\nyld for call',
    second:
      '- `Step["RentBike:03:CND"]` none\n- `Step["RentBike:03.01:QUE"]` `Say("user", "Which day?")`\n- `Var[$mood:str, "sad"]`\n- trig? no\n- `Step["RentBike:03.02:YLD"]` yld for user',
    unknownLine: '`Step["RentBike:12:EXE"]`',
    skipped: '`Step["RentBike:05:EXE"]`',
    unknownCall: '`Step["RentBike:01:QUE"]` `FreeBoats()`',
    twice: '`FreeBikes(1)`\n`FreeBikes(1)`',
    cut: '`Step["RentBike:01:QUE"]` `FreeBikes(1',
  },
  'Python (v0.7)': {
    first:
      '```python\n# execution_id: 1\n# recap: new\nawait self.Step("RentBike:01:QUE")\nself.state.bikes = await FreeBikes(\n    day=self.state.day,\n)\n# trig? no\nawait self.Step("RentBike:02:YLD")\nawait self.Yield("call")\n```',
    second:
      '```python\nawait self.Step("RentBike:03:CND")\nawait self.Step("RentBike:03.01:QUE")\nawait Say("user", f"""Which\nday?""")\nself.state.mood = \'sad\'  # so\nawait self.Step("RentBike:03.02:YLD")\nawait self.Yield("user")\n```',
    unknownLine: 'await self.Step("RentBike:12:EXE")',
    skipped: 'await self.Step("RentBike:05:EXE")',
    unknownCall: 'await self.Step("RentBike:01:QUE")\nx = await FreeBoats()',
    twice: 'await self.FreeBikes(1)\nawait self.FreeBikes(1)',
    cut: '```python\nawait FreeBikes(\n    day=',
  },
};

const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);
const fenced = (text: string): string => (text.includes('```') ? text : `\`\`\`\n${text}\n\`\`\``);

/** What models put around a reply, and what becomes of it on its way. */
const around: Readonly<Record<string, (text: string) => string>> = {
  'with prose right above and below': (text) => `Sure:\n${text}\nThat is all for now.`,
  'below a heading': (text) => `## My reply\n\n${text}\n\nDone.`,
  'in tags': (text) => `<answer>\n${text}\n</answer>`,
  'behind a thought': (text) => `<thinking>\n- call: Refund\n</thinking>\n${text}`,
  'with CRLF': (text) => `${text}\n`.replaceAll('\n', '\r\n'),
  'behind a mark of the order of bytes': (text) => `\ufeff${text}`,
  'far in': (text) => indented(text, '        '),
  'behind tabs': (text) => indented(text, '\t'),
  'with spaces behind': (text) => text.replace(/$/gm, '  '),
  'in a fence': fenced,
  'in a fence of tildes': (text) => fenced(text).replaceAll('```', '~~~'),
  'in a fence in a list': (text) => `1. This:\n\n${indented(fenced(text), '   ')}\n\n2. Done.`,
  'told twice': (text) => `${text}\n\n${text}`,
};

const acts = (reply: string) => shortly(reply).filter((part) => part !== 'think');

describe.each(Object.entries(forms))('%s', (_, form) => {
  test('a call and a yield', () => {
    expect(acts(form.first)).toEqual(first);
    const call = partsOf(form.first).parts.find(({ op }) => op === 'call');
    expect(call).toMatchObject({
      args: { day: { is: 'ref', name: 'day', scope: 'state', path: [] } },
      ...{ into: 'bikes', scope: 'state' },
    });
  });

  test('a branch, a question, a variable, a yield', () => {
    expect(shortly(form.second, later)).toEqual(second);
    expect(partsOf(form.second, later).parts).toContainEqual({
      ...{ op: 'set', name: 'mood', scope: 'state', line: '03.01' },
      value: { is: 'value', value: 'sad' },
    });
  });

  test.each([
    ['unknownLine', 'PV7302'],
    ['skipped', 'PV7303'],
    ['unknownCall', 'PV7304'],
    ['twice', 'PV7305'],
    ['cut', 'PV7308'],
  ] as const)('%s: %s, and nothing behind it', (key, code) => {
    const parts = shortly(`${form[key]}\n`.trimEnd(), { isCut: key === 'cut' });
    expect(parts.at(-2)).toBe(`problem ${code}`);
    expect(parts.at(-1)).toMatch(/^end 0[12] broken$/);
    expect(parts.filter((part) => part.startsWith('call'))).toHaveLength(key === 'twice' ? 1 : 0);
  });

  test('cut into pieces anywhere, it says the same', () => {
    for (const reply of [form.first, form.second, form.twice]) {
      const whole = partsOf(reply, later);
      for (const at of points(1, 5, reply.length - 1)) {
        expect(partsOf(reply, { ...later, cuts: [at] })).toEqual(whole);
      }
      const everywhere = [...reply].map((_, at) => at).slice(1);
      expect(partsOf(reply, { ...later, cuts: everywhere })).toEqual(whole);
    }
  });

  test.each(Object.entries(around))('%s', (_name, write) => {
    expect(acts(write(form.first))).toEqual(first);
  });

  test('with thinking before it and prose around it', () => {
    const reply = `<think>\nI could {"call":"Refund"} first.\n</think>\nSure!\n\n${form.first}\n`;
    expect(acts(reply)).toEqual(first);
  });
});

test.each([
  ['await Say(self.state.ann, "Ready?")', { is: 'say', to: '$ann' }],
  ['await Say("agent $ann", "Ready?")', { is: 'say', to: 'agent $ann' }],
  ['await self.Yield("agent $ann")', { is: 'yield', for: 'agent', whom: '$ann' }],
  ['await self.Yield(f"agent {self.state.ann}")', { is: 'yield', for: 'agent', whom: '$ann' }],
])('whom a variable names is spoken to, and waited for: %s', (line, said) => {
  expect(statementSaid(line)).toMatchObject([said]);
});
