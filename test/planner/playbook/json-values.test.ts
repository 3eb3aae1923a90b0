/** What operations in JSON have for values, and where results go: none is lost, none is guessed. */
import { describe, expect, test } from 'vitest';
import { ReplyReader } from '../../../src/planner/playbook/reply/reply-reader.ts';
import { ops, played } from './played.ts';

const said = (operation: object) => {
  const reader = new ReplyReader();
  return [...reader.feed(JSON.stringify(operation)), ...reader.end()].map((one) => one.said);
};

const state = (name: string) => ({ is: 'ref', to: { name }, sure: true });

describe('code of late 2025 in a text of JSON', () => {
  test('is what it comes to, wherever it stands', async () => {
    const program =
      '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $total = 7\n' +
      '- Tell the user the total\n- $twice = the double of it\n- Return $twice\n';
    const replies = [
      ops(
        ...[{ step: '01' }, { set: { $total: 7 } }, { step: '02' }],
        { say: 'Total {self.state.total}, or {self.state["total"] * 2:.2f}' },
        ...[{ step: '03' }, { set: { $twice: 'self.state.total * 2' } }, { step: '04' }],
        { return: 'self.state.twice' },
      ),
    ];
    const { result, said: heard } = await played(program, { replies });
    expect(result.error).toBeUndefined();
    expect([heard, result.answer]).toEqual([['Total 7, or 14.00'], 14]);
  });

  test('is an argument, and is not looked for in prose', () => {
    expect(said({ call: 'F', args: { x: 'self.state.a' } })).toMatchObject([
      { named: { x: state('a') } },
    ]);
    const prose = 'self.state.a is where it is';
    expect(said({ set: { $b: prose } })).toMatchObject([{ value: { is: 'value', value: prose } }]);
  });
});

describe('several calls in one operation', () => {
  test.each([
    [{ call: ['F', 'G'], into: ['$a', '$b'] }],
    [{ call: [{ name: 'F' }, { name: 'G' }], into: ['$a', '$b'] }],
    [{ call: ['$a = F()', 'G()'], into: ['$x', '$b'] }],
    [
      {
        call: [
          { fn: 'F', into: '$a' },
          { fn: 'G', into: '$b' },
        ],
      },
    ],
  ])('have a variable each: %j', (operation) => {
    expect(said(operation)).toMatchObject([
      { callee: 'F', into: { name: 'a' } },
      { callee: 'G', into: { name: 'b' } },
    ]);
  });

  test('have no variable together', () => {
    expect(said({ call: ['F', 'G'], into: '$r' })).toEqual([
      {
        is: 'wrong',
        text: expect.stringContaining('got 2 calls for $r, want a variable for each'),
      },
    ]);
    expect(said({ call: ['F'], into: '$r' })).toMatchObject([{ into: { name: 'r' } }]);
  });
});

test('a call has one variable for what it gives', () => {
  expect(said({ call: 'F', into: ['$a', '$b'] })).toEqual([
    { is: 'wrong', text: expect.stringContaining('want the name of one variable') },
  ]);
});

test('whom a call is for is no variable', () => {
  expect(said({ call: 'Say', args: { text: 'x' }, to: 'Bob' })).toMatchObject([
    { is: 'say', to: 'Bob', text: { value: 'x' } },
  ]);
  expect(said({ call: 'Mail', to: 'a@b.c' })).toMatchObject([
    { is: 'call', beside: { to: { value: 'a@b.c' } } },
  ]);
});

test('a text without its end takes nothing along unseen', () => {
  const reader = new ReplyReader();
  const found = [...reader.feed('{"set":{"$o":["x", $p]}}\n{"say":"so"}\n'), ...reader.end()];
  expect(found.map((one) => one.said)).toMatchObject([
    { is: 'wrong', text: expect.stringContaining('was dropped') },
    { is: 'say' },
  ]);
});

test('YAML has words where it says something, and loses none in its lists', () => {
  const set = ['$a: no', '$b: NO', '$c: yes', '$d: true', '$e: None', '$f: ["x", $p, red bike]'];
  const reader = new ReplyReader();
  const lines = ['- set:', ...set.map((one) => `    ${one}`), '- say: no'];
  const found = [...reader.feed(lines.join('\n')), ...reader.end()];
  const list = [{ value: 'x' }, { is: 'ref', to: { name: 'p' } }, { value: 'red bike' }];
  expect(found.map((one) => one.said)).toMatchObject([
    ...['no', 'NO', 'yes', true, null].map((value) => ({ is: 'set', value: { value } })),
    { is: 'set', value: { is: 'list', items: list } },
    { is: 'say', text: { value: 'no' } },
  ]);
});
