/** Logs as interpreters of 2025 wrote them: statements over lines, and without their backticks. */
import { describe, expect, test } from 'vitest';
import { ReplyReader } from '../../../src/planner/playbook/reply/reply-reader.ts';
import { day, partsOf, shortly } from './sample.ts';

const said = (text: string) => {
  const reader = new ReplyReader();
  return [...reader.feed(text), ...reader.end()].map((one) => one.said);
};

const step = { is: 'step', line: '01', playbook: 'Main' };

describe('a statement over lines', () => {
  test.each([
    ['`Say("user", "a\nb")`', { is: 'say', text: { value: 'a\nb' } }],
    ['`Say("user", "it is:\n\n- one\n- `two`")`', { text: { value: 'it is:\n\n- one\n- `two`' } }],
    ['`Say("user", "Run:\n```\nnpm i\n```")`', { text: { value: 'Run:\n```\nnpm i\n```' } }],
    ['Say("user", "a\nb")', { is: 'say', text: { value: 'a\nb' } }],
    [
      '`$r = F(\n  a=1,\n  b="x",\n)`',
      { callee: 'F', into: { name: 'r' }, named: { a: {}, b: {} } },
    ],
    ['$r = F(\n  1,\n)', { callee: 'F', into: { name: 'r' } }],
    ['`Var[$x, "a\nb"]`', { is: 'set', to: { name: 'x' }, value: { value: 'a\nb' } }],
    ['Var[$x, [\n  1,\n  2,\n]]', { is: 'set', value: { value: [1, 2] } }],
    ['`Return["a\nb"]`', { is: 'return', value: { value: 'a\nb' } }],
    ['```python\nawait Say("user", "a # 1\nb")\n```', { is: 'say', text: { value: 'a # 1\nb' } }],
  ])('is read whole: %s', (text, want) => {
    const around = `\`Step["Main:01:QUE"]\`\n${text}\nyld for user\n`;
    const python = `await self.Step("Main:01:QUE")\n${text}\nyld for user\n`;
    const reply = text.startsWith('```python') ? python : around;
    expect(said(reply)).toMatchObject([step, want, { is: 'yield', for: 'user' }]);
  });

  test('is named where its end is missing, and what stands behind it is not swallowed', () => {
    expect(said('`Say("user", "a\n`Step["Main:01:QUE"]`')).toMatchObject([
      { is: 'wrong', text: expect.stringContaining('without its end in "`Say') },
      step,
    ]);
  });

  test('goes on in no line of prose behind a mark of code', () => {
    expect(said('I call `FreeBikes` (line 1) and\nthen "wait.\n{"step":"01"}')).toEqual([
      { is: 'step', line: '01' },
    ]);
  });
});

describe('a statement without all of its backticks', () => {
  const call = { is: 'call', callee: 'F', into: { name: 'r', sign: true } };
  test.each([
    'Step["Main:01:QUE"] $r = F($x)',
    '`Step["Main:01:QUE"]` $r = `F($x)`',
    '`Step["Main:01:QUE"]` $r:list[int] = F($x)',
    '`Step["Main:01:QUE"]\n`$r = F($x)',
    '- Step["Main:1:QUE"]\n- $r = F($x)  # so',
    '1. `step["main:01:que"]`\n2. `$r = F($x)`',
  ])('is read: %s', (text) => {
    const [one, other] = said(text);
    expect([{ ...one, playbook: 'Main' }, other]).toMatchObject([step, call]);
  });

  test('is one of a reply that is a log', () => {
    const lines = '$n:int = 3\n$m = $n + 1\nSay("hi")\nFreeBikes($n)\nyld for call';
    const found = said(`\`Step["Main:01:QUE"]\`\n${lines}`).slice(1);
    expect(found.map(({ is }) => is)).toEqual(['set', 'set', 'say', 'call', 'yield']);
    expect(said('Plan:\n- Say("hi")\n- FreeBikes($n)\n{"step":"01"}')).toEqual([
      { is: 'think', text: '' },
      { is: 'step', line: '01' },
    ]);
  });

  test('is prose where nobody is called so', () => {
    const reply = '`Step["RentBike:01:QUE"]`\nLookup(x)\nFreeBikes($day)\nyld for call';
    expect(shortly(reply)).toEqual(['step 01', 'call FreeBikes 01', 'yield call 02', 'end 03']);
  });

  test('has code in its texts', () => {
    const { parts } = partsOf('`Say("user", "Use `npm i` now")`\nyld for user', {
      line: '03.01',
      variables: [day],
    });
    expect(parts[0]).toMatchObject({ text: { is: 'value', value: 'Use `npm i` now' } });
  });
});

test('a comment of Python says nothing', () => {
  const reply = 'await self.Step("Main:01:QUE")\n# `Say("user", "hi")`\n# trig? no';
  expect(said(reply)).toEqual([step]);
});
