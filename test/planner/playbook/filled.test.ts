/** What stands between braces in quotes is computed by the machine, whoever copies or computes it. */
import { describe, expect, test } from 'vitest';
import { ops, played } from './played.ts';

const program = (line: string, rest = '') => `# Deli

\`\`\`tools
def Price(k): return 3
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $n = "ham"
- $price = 3
- $all = [{"kilo": 2}, {"kilo": 5}]
- ${line}
- Return $n
${rest}`;

const begun = [
  ...[{ step: '01' }, { set: { $n: 'ham' } }, { step: '02' }, { set: { $price: 3 } }],
  ...[{ step: '03' }, { set: { $all: [{ kilo: 2 }, { kilo: 5 }] } }, { step: '04' }],
];
const ended = [{ step: '05' }, { return: '$n' }];

const saying = (quoted: string, said: string) =>
  played(program(`Say(${JSON.stringify(quoted)})`), {
    replies: ({ number }) => ops(...(number === 1 ? begun : []), { say: said }, ...ended),
  });

describe('an expression in quotes', () => {
  test.each([
    ['Two cost {$price * 2} euros, {$n.upper()}!', 'Two cost 6 euros, HAM!'],
    ["{'dear' if $price > 2 else 'cheap'}: {$n[0:2]}", 'dear: ha'],
    ["{$all[1].kilo + $all[0]['kilo']} of {len($all)}", '7 of 2'],
    ["{', '.join([$n, 'egg'])} {$n.replace('h', 'j')}", 'ham, egg jam'],
    ['{$price / 2} and {$price * 1.5}', '1.5 and 4.5'],
    ["{$price > 1 and 'more'}", 'more'],
    ['{$price:.2f} and {$price * 1000.5:,.1f}, {$price / 4:.0%}', '3.00 and 3,001.5, 75%'],
    ['{$n:>5}|{$all[0].kilo:03d}', '  ham|002'],
  ])('%s', async (quoted, wanted) => {
    for (const said of [quoted, wanted]) {
      const ended = await saying(quoted, said);
      expect(ended.result.error).toBeUndefined();
      expect(ended.said).toEqual([wanted]);
      expect(ended.prompts).toHaveLength(1);
    }
  });

  test('that a model computes otherwise is told to it, and nobody hears that', async () => {
    const { result, said } = await saying('Two cost {$price * 2} euros', 'Two cost 7 euros');
    expect(result.error?.message).toContain(
      'line 04 says "Two cost 6 euros", got "Two cost 7 euros"',
    );
    expect(said).toEqual([]);
  });

  test.each(['{$price euros}', '{$all.pop()}', '{$price: .2f}', '{Price($n)}'])(
    'that cannot be computed is never said by halves: %s',
    async (written) => {
      const { result, said } = await saying('Well', `Well, ${written}`);
      expect(result.error?.message).toContain(`${written} is not filled in`);
      expect(said).toEqual([]);
    },
  );

  test('of words, and braces of data, are texts', async () => {
    const { said } = await saying('{"name": "{$n}"} {x + y}', '{"name": "{$n}"} {x + y}');
    expect(said).toEqual(['{"name": "ham"} {x + y}']);
  });
});

test.each(['{$price * 2}', '6'])('the same is set, given and returned: %s', async (six) => {
  const text = program(
    '$label = "{$n.upper()} at {$price * 2}"\n- $w = Price("{$price * 2} kilos")',
  ).replace('Return $n', 'Return "{$label} ({$price - 1})"');
  const { result } = await played(text, {
    replies: ({ number }) =>
      number === 1
        ? ops(
            ...begun,
            { set: { $label: six === '6' ? 'HAM at 6' : `{$n.upper()} at ${six}` } },
            { step: '05' },
            { call: 'Price', args: [`${six} kilos`], into: '$w' },
            { step: '06' },
            { yield: 'call' },
          )
        : ops({ step: '06' }, { return: six === '6' ? 'HAM at 6 (2)' : '{$label} ({$price - 1})' }),
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toBe('HAM at 6 (2)');
});

test.each([0, 8])('and of variables of a call, inlined up to %i steps', async (inline) => {
  const rest = '\n## Tell(kilo)\n### Steps\n- Say("Now {kilo * 2}")\n- Return kilo\n';
  const now = { say: 'Now {kilo * 2}' };
  const { result, said } = await played(program('Tell(4)', rest), {
    inline,
    replies: ({ prompt, number }) => {
      if (inline > 0) {
        const said = { say: 'Now {tell_04_kilo * 2}' };
        const given = [{ step: '04.01' }, { set: { tell_04_kilo: 4 } }, { step: '04.02' }, said];
        return ops(...begun, ...given, { step: '04.03' }, ...ended);
      }
      if (prompt.includes('## Tell(')) {
        return ops({ step: '01' }, now, { step: '02' }, { return: 4 });
      }
      const called = [...begun, { call: 'Tell', args: [4] }, { yield: 'call' }];
      return ops(...(number === 1 ? called : ended));
    },
  });
  expect(result.error).toBeUndefined();
  expect(said).toEqual(['Now 8']);
});

test('a variable without braces is filled in where there is such a one, as its model is told', async () => {
  const { prompts, said } = await saying('a $price tag', 'A $price tag, $$price, $prize');
  expect(said).toEqual(['A 3 tag, $price, $prize']);
  expect(prompts[0]).toContain('"$x" there where\nthere is an x; "$$" is a dollar sign');
});
