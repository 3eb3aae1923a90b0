/** What models put around operations: quotations, tags, tables, names of lines, further keys. */
import { describe, expect, test } from 'vitest';
import { ReplyReader } from '../../../src/planner/playbook/reply/reply-reader.ts';
import { points } from '../../support/depth.ts';
import { partsOf } from './sample.ts';

const read = (...pieces: readonly string[]) => {
  const reader = new ReplyReader();
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.end()];
};

const said = (text: string) => read(text).map((one) => one.said);

const step = { is: 'step', line: '01' };
const hi = { is: 'say', text: { is: 'value', value: 'hi' } };
const call = { is: 'call', callee: 'F', named: { x: { is: 'value', value: 1 } } };
const end = { is: 'return', value: { is: 'value', value: 2 } };

const yaml = '- step: "01"\n- say: hi\n- call: F\n  args:\n    x: 1\n- return: 2';
const list = [{ step: '01' }, { say: 'hi' }, { call: 'F', args: { x: 1 } }, { return: 2 }];
const code =
  'await self.Step("Main:01:QUE")\nawait Say("user",\n    "hi")\nawait F(\n    x=1\n)\n' +
  'await self.Return(2)';
const trace = JSON.stringify(
  {
    trace: [
      { 'Main:01:QUE': [{ call: { fn: 'Say', args: ['hi'] } }, { call: 'F', args: { x: 1 } }] },
      { return: 2 },
    ],
  },
  null,
  2,
);

describe('a quotation, whose every line has its mark, is read as what is quoted:', () => {
  const quoted = (text: string) => text.replace(/^/gm, '> ');
  test.each([
    ['YAML', yaml],
    ['YAML in a fence', `\`\`\`yaml\n${yaml}\n\`\`\``],
    ['a list over lines', JSON.stringify(list, null, 2)],
    ['a trace in a fence', `\`\`\`json\n${trace}\n\`\`\``],
    ['Python', code],
    ['Python in a fence', `\`\`\`python\n${code}\n\`\`\``],
    ['a quotation', quoted(yaml)],
  ])('%s', (_, text) => {
    const whole = read(quoted(text));
    expect(whole.map((one) => one.said)).toMatchObject([step, hi, call, end]);
    expect(read(...quoted(text))).toEqual(whole);
    expect(read(`Well.\n${quoted(text)}\nThat is all.`).map((one) => one.said)).toEqual(
      whole.map((one) => one.said),
    );
  });

  test('and does nothing in half where it is cut', () => {
    for (const text of [yaml, code, JSON.stringify(list, null, 2)].map(quoted)) {
      const whole = said(text);
      for (const at of points(1, 5, text.length - 1)) {
        const reader = new ReplyReader();
        const part = [...reader.feed(text.slice(0, at)), ...reader.end(true)];
        const done = part.map((one) => one.said).filter(({ is }) => !/^(?:cut|mended)$/.test(is));
        expect(done).toEqual(whole.slice(0, done.length));
      }
    }
  });

  test('and begins anew within what is quoted', () => {
    const lines = ['- say: hi', '{', ' "say": "hi"', '}', '`Say("hi")`', '[{', '"say":"hi"}]'];
    expect(said(quoted(lines.join('\n')))).toEqual([hi, hi, hi, hi]);
  });

  test('and what another one has within it is of its text', () => {
    expect(said('- say: |\n    > hi\n    > you\n')).toMatchObject([
      { is: 'say', text: { value: expect.stringMatching(/^> hi\n> you/) } },
    ]);
  });
});

describe('marks before an operation are none of it:', () => {
  test.each([
    '<op>{"say":"hi"}</op>',
    '<tool_call>{"say":"hi"}</tool_call>',
    '<artifact type="json">{"say":"hi"}',
    '<pre><code>{"say":"hi"}',
    '<|python_tag|>{"say":"hi"}',
    '[TOOL_CALLS][{"say":"hi"}]',
    '| 2 | {"say":"hi"} |',
    '| 2 | `{"say":"hi"}` |',
    '- [x] {"say":"hi"}',
    '/* greet */ {"say":"hi"}',
    '```{json}\n{"say":"hi"}\n```',
  ])('%s', (text) => {
    expect(said(text)).toEqual([hi]);
  });
});

describe('the name of a line is a step:', () => {
  test.each([
    ...['Main:01:QUE', '`Main:01:QUE`', '**Main:01:QUE**', '## Main:01:QUE', '- Main:01:QUE:'],
    ...['["Main:01:QUE"]', 'Main:01:QUE - I greet them'],
  ])('%s', (line) => {
    expect(said(`${line}\n{"say":"hi"}`)).toEqual([{ ...step, playbook: 'Main' }, hi]);
  });

  test('with what is done behind it, in any form', () => {
    const line = { ...step, playbook: 'Main' };
    expect(said('Main:01:QUE {"say":"hi"}')).toEqual([line, hi]);
    expect(said('`Main:01:QUE`: `Say("hi")`')).toEqual([line, hi]);
    expect(said('Main:01:QUE was done before.')).toEqual([]);
  });
});

describe('what is done may stand below a key', () => {
  test.each([
    { step: '01', do: { say: 'hi' } },
    { step: '01', do: [{ say: 'hi' }] },
    { step: '01', operation: { say: 'hi' } },
    { step: '01', op: JSON.stringify({ say: 'hi' }) },
    { step: '01', action: 'Say("hi")' },
    { step: '01', actions: ['Say("hi")'] },
    { 'step 01': { say: 'hi' } },
    { '01': ['Say("hi")', 'so it is'] },
    { step: '01', type: 'say', params: { message: 'hi' } },
    { result: [{ step: '01' }, { say: 'hi' }] },
  ])('%j', (written) => {
    expect(said(JSON.stringify(written))).toEqual([step, hi]);
  });

  test('with what it waits for behind it', () => {
    const asking = { step: '01', yield: 'user', do: { say: 'hi' } };
    expect(said(JSON.stringify(asking))).toEqual([step, hi, { is: 'yield', for: 'user' }]);
  });

  test('and where the key may mean anything, the model is told', () => {
    expect(said('{"step":"01","next":{"say":"hi"}}')).toEqual([
      step,
      { is: 'wrong', text: 'got an operation below the key "next", want it by itself' },
    ]);
    expect(said('{"step":"01","context":{"message":"hi"}}')).toMatchObject([
      step,
      { is: 'mended' },
    ]);
    const given = { call: 'F', do: { say: 'hi' } };
    expect(said(JSON.stringify(given))).toMatchObject([{ beside: { do: { is: 'value' } } }]);
  });
});

describe('calls as tools have them', () => {
  test.each([
    { step: '01', name: 'F', arguments: { x: 1 } },
    { step: '01', action: 'F', action_input: { x: 1 } },
    { step: '01', tool_name: 'F', tool_params: { x: 1 } },
    { step: '01', function_call: { name: 'F', arguments: '{"x":1}' } },
    { step: '01', recipient_name: 'functions.F', parameters: { x: 1 } },
    { step: '01', call: { F: { x: 1 } } },
    { step: '01', calls: ['F(x=1)'] },
  ])('%j', (written) => {
    expect(said(JSON.stringify(written))).toMatchObject([step, call]);
  });

  test('may be of what operations do', () => {
    const set = { is: 'set', to: { name: 'day', sign: true }, value: { value: 'Sunday' } };
    const args = { name: '$day', value: 'Sunday' };
    expect(said(JSON.stringify({ name: 'set', arguments: args }))).toMatchObject([set]);
    expect(said('{"name":"step","arguments":{"line":"1"}}')).toMatchObject([step]);
    expect(said('{"name":"say","arguments":{"say":"hi"}}')).toEqual([hi]);
  });

  test('between tags that are not read are said to be left out', () => {
    const text = '<invoke name="F"><parameter name="x">1</parameter></invoke>';
    expect(said(text)).toMatchObject([{ is: 'mended', text: expect.stringContaining('left out') }]);
  });
});

test('a variable by its name is set', () => {
  expect(said('{"$day":"Sunday"}')).toEqual([
    { is: 'set', to: { name: 'day', sign: true }, value: { is: 'value', value: 'Sunday' } },
  ]);
});

test('what is returned may stand beside the word for it', () => {
  const x = { is: 'return', value: { is: 'ref', to: { name: 'x' } } };
  expect(said('{"return":true,"value":"$x"}')).toMatchObject([x]);
  expect(said('{"yield":"return","value":"$x"}')).toMatchObject([x]);
  expect(said('{"yield":"return $x"}')).toMatchObject([x]);
  expect(said('{"yield":"return"}')).toEqual([{ is: 'yield', for: 'return' }]);
});

test('a message may be below whom it is for', () => {
  expect(said('{"say":{"user":"hi"}}')).toEqual([hi]);
});

test('texts of Python may be between closing marks of printers', () => {
  const n = { is: 'ref', to: { name: 'n' }, sure: true };
  for (const mark of ['””', '“”', '„“', '«»']) {
    const [first = '', last = ''] = mark;
    const text = `f${first}Hello {self.state.n}${last}`;
    expect(said(`await Say(${first}user${last}, ${text})`)).toMatchObject([
      { is: 'say', text: { parts: ['Hello ', n] } },
    ]);
  }
  expect(said('await Say("5” wide")\nawait Say("6” wide")')).toHaveLength(2);
});

describe('a call that is a line by itself', () => {
  const find = { call: 'FreeBikes', args: { day: '$day' }, into: '$bikes' };
  const told = (line: string, ...rest: readonly object[]) =>
    partsOf(`{"step":"01"}\n${line}\n${rest.map((one) => JSON.stringify(one)).join('\n')}`);
  const calls = (line: string, ...rest: readonly object[]) =>
    told(line, ...rest).parts.filter(({ op }) => op === 'call');

  test.each([
    ...['FreeBikes($day)', '- FreeBikes($day)', 'Call FreeBikes(day=$day).'],
    ...['FreeBikes {"day":"$day"}', 'call FreeBikes: {"day":"$day"}', '{"FreeBikes":"$day"}'],
  ])('is made: %s', (line) => {
    expect(calls(line, { step: '02' }, { yield: 'call' })).toMatchObject([
      { callee: 'FreeBikes', into: 'bikes', line: '01', args: { day: { is: 'ref' } } },
    ]);
    expect(calls(line)).toHaveLength(1);
  });

  test('is a word for the operation behind it that makes it', () => {
    for (const line of ['FreeBikes($day)', '1. Call FreeBikes(day="Monday")']) {
      const made = calls(line, find, { step: '02' }, { yield: 'call' });
      expect(made).toMatchObject([{ callee: 'FreeBikes', args: { day: { name: 'day' } } }]);
    }
    const { warnings } = told('FreeBikes($day)', find, { step: '02' }, { yield: 'call' });
    expect(warnings).toEqual([]);
  });

  test('is a word for the operation before it that has made it', () => {
    const again = `${JSON.stringify(find)}\nFreeBikes($day)`;
    const { parts, warnings } = partsOf(`{"step":"01"}\n${again}\n{"step":"02"}\n{"yield":"call"}`);
    expect(parts.filter(({ op }) => op === 'call' || op === 'problem')).toHaveLength(1);
    expect(warnings).toEqual([]);
    const other = 'FreeBikes("Monday")\n{"step":"02"}\n{"yield":"call"}';
    expect(partsOf(`{"step":"01"}\n${JSON.stringify(find)}\n${other}`).parts).not.toEqual(parts);
  });

  test('is of a plan where no operation has come', () => {
    expect(calls('{"think":"so"}')).toEqual([]);
    const { parts } = partsOf(`FreeBikes($day)\nSay("hi")\n{"step":"01"}\n${JSON.stringify(find)}`);
    expect(parts.filter(({ op }) => op === 'call' || op === 'say')).toHaveLength(1);
  });

  test('is prose where nobody is called so', () => {
    expect(calls('Nobody($day)', find)).toHaveLength(1);
    expect(told('Look (twice)').parts.filter(({ op }) => op === 'problem')).not.toEqual([]);
  });
});
