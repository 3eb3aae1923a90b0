/** Replies that are right and oddly written: none of them is taken for something else. */
import { describe, expect, test } from 'vitest';
import { ReplyReader } from '../../../src/planner/playbook/reply/reply-reader.ts';
import { GuestValue } from '../../../src/program/json.ts';
import { float } from '../../../src/program/value.ts';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';

const said = (text: string) => {
  const reader = new ReplyReader();
  return [...reader.feed(text), ...reader.end()].map((one) => one.said);
};

const python = (line: string) => said(`\`\`\`python\n${line}\n\`\`\``);
const march = (...acts: readonly object[]) =>
  said(`\`\`\`json\n${JSON.stringify({ trace: [{ 'Main:01:QUE': acts }] })}\n\`\`\``);

describe('where a result goes', () => {
  const into = { name: 'r', sign: true };

  test('may stand beside a call that is written as one', () => {
    expect(said('{"call":"F(x=1)","into":"$r"}')).toMatchObject([{ callee: 'F', into }]);
    expect(said('{"call":"$q = F(1)","into":"$r"}')).toMatchObject([{ into: { name: 'q' } }]);
  });

  test('may stand beside the call of a trace', () => {
    const [, call] = march({ call: { fn: 'F', args: [1] }, into: '$r' });
    expect(call).toMatchObject({ is: 'call', callee: 'F', into });
  });
});

test('a message may have its text and whom it is for in one object', () => {
  expect(said('{"say":{"text":"hi","to":"Bob"}}')).toEqual([
    { is: 'say', text: { is: 'value', value: 'hi' }, to: 'Bob' },
  ]);
});

test('a float of Python without a fraction is a float', () => {
  const value = new GuestValue(float(5));
  expect(python('self.state.a = 5.0')).toMatchObject([{ value: { is: 'value', value } }]);
});

test('a comparison of three is not one of what comes of the first two', () => {
  expect(python('self.state.a = 1 < self.state.b < 3')).toMatchObject([
    { is: 'wrong', text: expect.stringContaining('want one comparison, or two with `and`') },
  ]);
  expect(python('self.state.a = 1 < self.state.b and b < 3')).toMatchObject([{ is: 'set' }]);
});

test('a text of Python means what it names between braces also where its f is forgotten', () => {
  const [one] = python('await self.Say("user", "Hi {self.state.a}!")');
  const ref = { is: 'ref', to: { name: 'a', sign: true }, written: '{$a}' };
  expect(one).toMatchObject({ is: 'say', text: { parts: ['Hi ', ref, '!'] } });
});

test('a method in quotes is told of, and nobody gets its text', async () => {
  const program =
    '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $a = "eve"\n' +
    '- $b = that in capitals\n- Return $b\n';
  const begun = [{ step: '01' }, { set: { $a: 'eve' } }, { step: '02' }];
  const { prompts, result } = await played(program, {
    replies: [
      ops(...begun, { set: { $b: '$a.upper()' } }, { step: '03' }, { return: '$b' }),
      ops({ step: '02' }, { set: { $b: '{$a.upper()}' } }, { step: '03' }, { return: '$b' }),
    ],
  });
  expect(prompts[1]).toContain('an expression is not computed');
  expect(result.answer).toBe('EVE');
});

describe('a thought', () => {
  const aloud = { is: 'say', text: { is: 'value', value: 'aloud' } };

  test.each([
    ['<thought>', '</thought>'],
    ['<think type="long">', '</think>'],
    ['<analysis>', '</analysis>'],
    ['<scratchpad>', '</scratchpad>'],
    ['Well. <think>', '</think>'],
  ])('between %s and its end says nothing', (begin, end) => {
    expect(said(`${begin}\n{"say":"to myself"}\n${end}\n{"say":"aloud"}`)).toEqual([aloud]);
  });

  test('that nothing began is told of, where something stands before its end', () => {
    const unopened = { is: 'mended', text: expect.stringContaining('ended a thought') };
    const before = { is: 'say', text: { is: 'value', value: 'to myself' } };
    expect(said('{"say":"to myself"}\n</think>\n{"say":"aloud"}')).toEqual([
      ...[before, unopened, aloud],
    ]);
    expect(said('So be it.\n</think>\n{"say":"aloud"}')).toEqual([aloud]);
  });
});

test.each(['// not', '#', '/* was'])('an operation behind %s in a line is none', (mark) => {
  expect(said(`{"say":"this"} ${mark} {"say":"that"}\n{"say":"more"}`)).toMatchObject([
    { is: 'say', text: { value: 'this' } },
    { is: 'mended', text: expect.stringContaining('which was left out: "{\\"say\\":\\"that\\"}"') },
    { is: 'say', text: { value: 'more' } },
  ]);
  expect(said('{"say":"this"} {"say":"that"}')).toHaveLength(2);
});

test('a message may stand in a list, with whom it is for before it', () => {
  const hi = { is: 'say', text: { is: 'value', value: 'hi' } };
  expect(said('{"say":["hi"]}\n{"say":["user","hi"]}')).toEqual([hi, hi]);
  expect(said('{"say":["one","two"]}')).toMatchObject([{ text: { value: ['one', 'two'] } }]);
});

test('what a call gives is returned as it is, not with something around it', async () => {
  const program =
    '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $a = look(1)\n- Return $a\n';
  const call = { call: 'look', args: [1], into: '$a' };
  const { prompts, result } = await played(program, {
    tools: [quickTool('look', () => 7, { parameters: orders.parameters })],
    replies: [ops(call, { return: { value: '$a' } }), ops({ step: '02' }, { return: '$a' })],
  });
  expect(prompts[1]).toContain('line 02 returns what look gives, got a dict around it');
  expect(result.answer).toBe(7);
});
