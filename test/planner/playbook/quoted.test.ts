/**
 * What a line has in quotes is said as it stands there: what says something else is told to the
 * model, the same in other words is warned of, or told where everything is enforced.
 */
import { describe, expect, test } from 'vitest';
import type { Strictness } from '../../../src/dialects/playbook/source/manner.ts';
import { ops, played } from './played.ts';

const text = `# Shop
## Main
### Triggers
- At the beginning
### Steps
- $n = 1250
- $who = "Bob"
- Say("{$who}, your order {$n} is on its way.")
- Return 1
`;

const first = [{ step: '01' }, { set: { $n: 1250 } }, { step: '02' }, { set: { $who: 'Bob' } }];
const end = [{ step: '04' }, { return: 1 }];
const right = 'Bob, your order 1250 is on its way.';

async function play(said: readonly string[], strictness: Strictness) {
  const says = said.map((say) => ({ say }));
  const {
    result,
    said: heard,
    prompts,
  } = await played(text, {
    ...{ strictness, turns: 9 },
    replies: [
      ops(...first, { step: '03' }, ...says, ...end),
      ops({ step: '03' }, { say: right }, ...end),
      ops(...end),
    ],
  });
  const warnings = result.warnings.map(({ message }) => message).join('\n');
  return { heard, warnings, prompts, status: result.status };
}

describe.each<readonly [string, readonly string[]]>([
  ['as it stands', ['{$who}, your order {$n} is on its way.']],
  ['filled in', [right]],
  ['with other marks, blanks and capitals', ['bob, your order  1250 is on its way!']],
  ['a variable in it filled in', ['Bob, your order {$n} is on its way.']],
])('%s', (_, said) => {
  test('it is said under each strictness, without a word', async () => {
    for (const strictness of ['advise', 'repair', 'enforce'] as const) {
      const { heard, warnings, prompts, status } = await play(said, strictness);
      expect([heard.length, warnings, prompts.length, status]).toEqual([1, '', 1, 'done']);
    }
  });
});

describe.each<readonly [string, readonly string[]]>([
  ['in other words', ['Bob, order 1250 has been sent.']],
  ['in other words, without its number', ['Bob, it is on its way.']],
  ['in another language', ['Bob, Ihre Bestellung 1,250 ist unterwegs.']],
  ['with more behind it', [`${right} It comes tomorrow.`]],
])('%s', (_, said) => {
  test('it is warned of, and told where everything is enforced', async () => {
    const lenient = await play(said, 'repair');
    expect([lenient.heard, lenient.prompts.length]).toEqual([said, 1]);
    expect(lenient.warnings).toContain(`PV7315 line 03 says "${right}", got "${said[0]}"`);
    const strict = await play(said, 'enforce');
    expect([strict.heard, strict.status]).toEqual([[right], 'done']);
    expect(strict.prompts[1]).toContain(`line 03 says "${right}", got "${said[0]}"`);
  });
});

test('what another line has in quotes is told, and nobody hears it twice', async () => {
  const two = text.replace('- Return 1', '- Say("Thank you, {$who}.")\n- Return 1');
  const thanks = [{ step: '04' }, { say: 'Thank you, {$who}.' }, { step: '05' }, { return: 1 }];
  const { said, prompts } = await played(two, {
    replies: [
      ops(...first, { step: '03' }, { say: 'Thank you, Bob!' }, ...thanks),
      ops({ step: '03' }, { say: right }, ...thanks),
    ],
  });
  expect(prompts[1]).toContain(`line 03 says "${right}", got "Thank you, Bob!"`);
  expect(said).toEqual([right, 'Thank you, Bob.']);
});

describe.each<readonly [string, readonly string[]]>([
  ['with another number', ['Bob, your order 1205 is on its way.']],
  ['with another name', ['Rob, your order 1250 is on its way.']],
  ['in other words, with another number', ['Your order 17 was sent, Bob.']],
  ['in another language, with another number', ['Bob, Ihre Bestellung 1205 ist unterwegs.']],
])('%s', (_, said) => {
  test('it is told, and nobody hears it', async () => {
    for (const strictness of ['repair', 'enforce'] as const) {
      const { heard, prompts, status } = await play(said, strictness);
      expect([heard, status]).toEqual([[right], 'done']);
      expect(prompts[1]).toContain(`line 03 says "${right}", got "${said[0]}"`);
    }
    const advised = await play(said, 'advise');
    expect(advised.heard).toEqual(said);
    expect(advised.warnings).toContain('PV7315');
  });
});

test.each([
  ['Paid Ann: {$x}', 'Paid Zoe: {$x}', 2],
  ['Paid Ann: {$x}', 'Paid Zoe: Zoe', 2],
  ['Hello Ann', 'Hi Ann', 1],
  ['Guten Tag, die Ware ist da', 'Guten Tag, die Bestellung ist da', 1],
])('a name that the line itself has is held, and other words are not: %s, %s', async (...one) => {
  const [quoted, say, turns] = one;
  const named = `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $x = "Ann"
- Say("${quoted}")\n- Return 1\n`;
  const begin = [{ step: '01' }, { set: { $x: 'Ann' } }, { step: '02' }];
  const end = [{ step: '03' }, { return: 1 }];
  const { said, prompts } = await played(named, {
    replies: [ops(...begin, { say }, ...end), ops({ step: '02' }, { say: quoted }, ...end)],
  });
  expect(prompts).toHaveLength(turns);
  expect(said).toEqual([(turns === 1 ? say : quoted).replace('{$x}', 'Ann')]);
});

test('what is said behind it at its line is no quote of it', async () => {
  const { heard, warnings } = await play([right, 'It comes tomorrow.'], 'repair');
  expect(heard).toEqual([right, 'It comes tomorrow.']);
  expect(warnings).toContain('PV7315 line 03 says');
});

describe('in a loop', () => {
  const loop = `# Shop\n## Main\n### Triggers\n- At the beginning\n### Steps
- For each $n in [4, 5]\n  - Say("Number {$n}")\n- Return 1\n`;
  const round = (n: number, ...said: readonly string[]) => [
    ...[{ step: '01' }, { set: { $n: n } }, { step: '01.01' }],
    ...said.map((say) => ({ say })),
  ];
  const over = [{ step: '02' }, { return: 1 }];

  test('what is said twice in a round is told', async () => {
    const { said, prompts } = await played(loop, {
      replies: [
        ops(...round(4, 'Number {$n}', 'Number 4'), ...round(5, 'Number {$n}'), ...over),
        ops(...round(5, 'Number {$n}'), ...over),
      ],
    });
    expect(prompts[1]).toContain('this was said already, at 01.01');
    expect(said).toEqual(['Number 4', 'Number 5']);
  });

  test('more behind what is filled in is no quote', async () => {
    const { said, result } = await played(loop, {
      replies: [ops(...round(4, 'Number 4, at last'), ...round(5, 'Number {$n}'), ...over)],
    });
    expect(said).toEqual(['Number 4, at last', 'Number 5']);
    const warnings = result.warnings.map(({ message }) => message).join('\n');
    expect(warnings).toContain('PV7315 line 01.01 says "Number 4", got "Number 4, at last"');
  });

  test('the item of the round that a reply begins in is known, also where it mends', async () => {
    const { said, result } = await played(loop, {
      replies: [
        ops(...round(4, 'Number 7'), ...over),
        ops({ step: '01.01' }, { say: 'Number 7' }, ...round(5, 'Number 5'), ...over),
      ],
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7315' } });
    expect(said).toEqual([]);
  });

  test('where the loop goes round without its next item, that is not known', async () => {
    const next = [{ step: '01' }, { step: '01.01' }, { say: 'Number 5' }];
    const { said, result } = await played(loop, {
      replies: [
        ops(...round(4, 'Number 7'), ...over),
        ops({ step: '01.01' }, { say: 'Number 4' }, ...next, ...over),
      ],
    });
    expect([result.status, said]).toEqual(['done', ['Number 4', 'Number 5']]);
  });

  test('items that the machine has set are said as they are', async () => {
    const { said, prompts, result } = await played(loop, {
      replies: [ops({ say: 'Number 4' }, { say: 'Number 5' }, { return: 1 })],
    });
    expect([said, prompts.length]).toEqual([['Number 4', 'Number 5'], 1]);
    expect(result.warnings.filter(({ message }) => message.includes('PV7315'))).toEqual([]);
  });
});
