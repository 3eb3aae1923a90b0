/** What a reply that is mended sets: what it did not set before counts, what it did stands. */
import { describe, expect, test } from 'vitest';
import { ops, played } from './played.ts';
import { at, desk } from './shop.ts';

const set = (name: string, value: unknown) => ({ set: { [name]: value } });
const bad = { call: 'nothing', args: {} };

async function play(lines: readonly string[], replies: readonly (readonly object[])[]) {
  const ran = await played(desk(...lines), { replies: replies.map((one) => ops(...one)) });
  return { ...ran, warnings: ran.result.warnings.map(({ message }) => message).join('\n') };
}

describe('at the last line that it had come to', () => {
  test.each<readonly [string, readonly string[]]>([
    ['a return', ['- $n = 1', '- Return what it has come to']],
    ['a condition', ['- $n = 1', '- If all is well', '  - Return $n', '- Return "never"']],
    ['a thought', ['- $n = 1', '- Think about it', '- Return $n']],
    ['a line of its own', ['- $n = 1', '- $n = what it comes to', '- Return $n']],
  ])('%s: it is set', async (_, lines) => {
    const begun = [at('01'), set('$n', 1), at('02')];
    const end = lines.length === 2 ? [] : [at(lines.length === 4 ? '02.01' : '03')];
    const whole = [...begun, set('$n', 7), ...end, { return: '$n' }];
    const { result } = await play(lines, [[...begun, bad], whole]);
    expect(result).toMatchObject({ status: 'done', answer: 7 });
  });
});

test('what is said there, too, is said', async () => {
  const begun = [at('01'), set('$n', 1), at('02')];
  const { result, said } = await play(
    ['- $n = 1', '- Return $n'],
    [
      [...begun, bad],
      [...begun, { say: 'Well.' }, { return: '$n' }],
    ],
  );
  expect([result.status, said]).toEqual(['done', ['Well.']]);
});

describe('at a line that is told again', () => {
  const lines = ['- Choose a colour and a size', '- Think about it', '- Return what was chosen'];
  const first = [at('01'), set('$colour', 'red'), at('02')];
  const chosen = '{$colour}, {$size}';

  test('what was not set there is set', async () => {
    const without = [...first, at('03'), { return: chosen }];
    const whole = [at('01'), set('$colour', 'red'), set('$size', 7), at('02'), at('03')];
    const { result, prompts } = await play(lines, [without, [...whole, { return: chosen }]]);
    expect(prompts[1]).toContain('$size');
    expect(result).toMatchObject({ status: 'done', answer: 'red, 7' });
  });

  test('what was set there stands, and who says otherwise is told of', async () => {
    const again = [at('01'), set('$colour', 'blue'), at('02'), at('03'), { return: '$colour' }];
    const { result, warnings } = await play(lines, [[...first, bad], again]);
    expect(result.answer).toBe('red');
    expect(warnings).toContain(
      '$colour was set to "red" before, which stands: "blue" was left out',
    );
  });

  test('the same in other words is the same', async () => {
    const copied = [at('01'), set('$colour', 'red'), set('$own', '{$colour}'), at('02'), bad];
    const again = [at('01'), set('$colour', 'red'), set('$own', 'red'), at('02'), at('03')];
    const { result, warnings } = await play(lines, [copied, [...again, { return: '$own' }]]);
    expect(result.answer).toBe('red');
    expect(warnings).not.toContain('stands');
  });
});
