/**
 * What the next line says, done at a line that leaves open what to do: a model that names its line
 * too late has done it, and nobody has it done once more.
 */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';
import { at, desk, order, wait } from './shop.ts';

const greeted = desk('- Look at it closely', '- Say("Hello, {$name}.")', '- Return 1');
const ordered = desk('- Look at it closely', '- $got = order(7)', '- Return $got');

const hello = { say: 'Hello, {$name}.' };
const one = { return: 1 };
const got = { return: '$got' };

async function play(program: string, replies: readonly (readonly object[])[]) {
  const numbers: unknown[] = [];
  const tool = quickTool('order', ({ n }) => numbers.push(n), orders);
  const ran = await played(`${program}\n`, {
    ...{ replies: replies.map((each) => ops(...each)), strictness: 'enforce' },
    ...{ tools: [tool], given: { name: 'Ann' } },
  });
  return { ...ran, numbers };
}
const named = (program: string) => program.replace('## Main', '## Main($name)');

describe('what is said there', () => {
  const said = async (...replies: readonly (readonly object[])[]) => {
    const ran = await play(named(greeted), replies);
    expect(ran.result.error?.message).toBeUndefined();
    return ran.said;
  };

  test.each<readonly [string, readonly (readonly object[])[]]>([
    ['and the line named behind it', [[at('01'), hello, at('02'), at('03'), one]]],
    ['and the line not named', [[at('01'), hello, at('03'), one]]],
    [
      'and the line told when it was asked again',
      [
        [at('01'), hello, at('07')],
        [at('02'), hello, at('03'), one],
      ],
    ],
  ])('%s, is said once', async (_, replies) => {
    expect(await said(...replies)).toEqual(['Hello, Ann.']);
  });

  test('and at its own line once more, is meant', async () => {
    const both = [at('01'), hello, at('02'), hello, at('03'), one];
    expect(await said(both)).toEqual(['Hello, Ann.', 'Hello, Ann.']);
  });

  test('is held against the line where it is something else, or another line is meant', async () => {
    const { prompts, said } = await play(named(greeted), [
      [at('01'), { say: 'Hello, you.' }, at('02'), at('03'), one],
      [at('02'), hello, at('03'), one],
    ]);
    expect(prompts[1]).toContain('line 02 says something, and nothing was said');
    expect(said).toEqual(['Hello, you.', 'Hello, Ann.']);
    const far = named(desk('- Look at it', '- $n = 1', '- Say("Bye.")', '- Return 1'));
    const bye = { say: 'Bye.' };
    const set = [at('02'), { set: { n: 1 } }];
    const late = await play(far, [
      [at('01'), bye, ...set, at('03'), at('04'), one],
      [at('03'), bye, at('04'), one],
    ]);
    expect(late.said).toEqual(['Bye.', 'Bye.']);
  });
});

describe('what is called there', () => {
  test('is called once, for the variable of its line', async () => {
    const { numbers, result } = await play(ordered, [
      [at('01'), order(7), at('02'), wait],
      [at('03'), got],
    ]);
    expect(result.error?.message).toBeUndefined();
    expect([numbers, result.answer]).toEqual([[7], 1]);
  });

  test('and again behind a slip: it is asked whether that is meant', async () => {
    const slip = [at('01'), order(7), at('07')];
    const again = [at('02'), order(7), wait];
    const asked = 'order was called with these arguments right before line 02: leave it out';
    const once = await play(ordered, [slip, again, [at('02'), wait], [at('03'), got]]);
    expect(once.prompts[2]).toContain(asked);
    expect([once.numbers, once.result.answer]).toEqual([[7], 1]);
    const twice = await play(ordered, [slip, again, again, [at('03'), got]]);
    expect([twice.numbers, twice.result.answer]).toEqual([[7, 7], 2]);
  });

  test('with something else, is not what the line calls', async () => {
    const { numbers, prompts } = await play(ordered, [
      [at('01'), order(8), at('02'), at('03'), got],
      [at('02'), order(7), wait],
      [at('03'), got],
    ]);
    expect(prompts[1]).toContain('line 02 calls order, and no call was reported');
    expect(numbers).toEqual([8, 7]);
  });
});
