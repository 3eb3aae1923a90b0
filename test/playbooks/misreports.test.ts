/**
 * Each way of not keeping to a playbook under each strictness: what is a problem there is told once,
 * the good reply behind it comes to the same as if nothing had been, and no tool acts twice; what is
 * let pass is a warning. Nothing is left out without a word.
 */
import { describe, expect, test } from 'vitest';
import type { Strictness } from '../../src/dialects/playbook/source/manner.ts';
import { quickTool } from '../engine/support.ts';
import { ops, orders, played } from '../planner/playbook/played.ts';

const text = `# Library

## Main
### Triggers
- At the beginning
### Steps
- $book = find("Moby Dick")
- Say("We have it.")
- $n:int = how many of $book there are
- Look along the shelf
- If $n is more than 1
  - $slip = lend(2)
- Otherwise
  - Say("Come back later.")
- Say("Bye.")
- Return $slip
`;

const first = ops(
  ...[{ step: '01' }, { call: 'find', args: { title: 'Moby Dick' }, into: '$book' }],
  ...[{ step: '02' }, { say: 'We have it.' }, { step: '03' }, { yield: 'call' }],
);

const lend = { call: 'lend', args: { n: 2 }, into: '$slip' };
const good: readonly object[] = [
  ...[{ step: '04' }, { set: { $n: 2 } }, { step: '05' }, { step: '06' }, { step: '06.01' }, lend],
  ...[{ step: '08' }, { say: 'Bye.' }, { step: '09' }, { return: '$slip' }],
];
const lines = ['04', '04', '05', '06', '06.01', '06.01', '08', '08', '09', '09'];

/** The good reply with something else in the place of operations from `from` to `to`. */
const but = (from: number, to: number, ...others: object[]): string =>
  ops(...good.slice(0, from), ...others, ...good.slice(to));

const other = { call: 'find', args: { title: 'Emma' }, into: 'x' };

type Kind = readonly [what: string, reply: string, code: string, problem: Strictness];

/** From which strictness on it is a problem: at `repair`, or only where everything is enforced. */
const kinds: readonly Kind[] = [
  ['a line that there is not', but(0, 0, { step: '17' }), 'PV7302', 'repair'],
  ['a line of another playbook', but(0, 0, { step: 'Burn:03' }), 'PV7302', 'repair'],
  ['a line before it', but(0, 0, { step: '01' }), 'PV7309', 'repair'],
  ['the other branch as well', but(6, 6, { step: '07' }), 'PV7309', 'repair'],
  ['a message left out', but(6, 8), 'PV7303', 'repair'],
  ['a call left out', but(5, 6), 'PV7303', 'repair'],
  ['a value left out', but(0, 2), 'PV7303', 'repair'],
  ['a line in words left out', but(2, 3), 'line 05 was passed', 'enforce'],
  ['an end too early', but(0, 10, { return: 1 }), 'PV7303', 'repair'],
  ['a call of nothing', but(5, 5, { call: 'burn' }), 'PV7304', 'repair'],
  ['an argument too many', but(5, 6, { ...lend, args: { n: 2, to: 1 } }), 'PV7306', 'repair'],
  ['an argument too few', but(5, 6, { ...lend, args: {} }), 'PV7306', 'repair'],
  ['a call made twice', but(6, 6, lend), 'PV7305', 'repair'],
  ['a call at no line for it', but(7, 7, other), 'find is not what line 08', 'enforce'],
  ['a result for another variable', but(5, 6, { ...lend, into: '$slap' }), 'PV7303', 'repair'],
  ['a value of another type', but(1, 2, { set: { $n: 'two' } }), 'PV7314', 'repair'],
  ['a variable that there is not', but(1, 2, { set: { $n: '$copies' } }), 'PV7307', 'repair'],
  ['an operation that cannot be read', but(0, 0, { set: 'n is 2' }), 'PV7310', 'repair'],
  ['a message to nobody', but(7, 8, { say: 'Bye.', to: 'Ghost' }), 'PV7312', 'enforce'],
  ['prose', 'I have told them that we have it.', 'PV7301', 'repair'],
  ['half a reply', but(2, 10), 'PV7308', 'repair'],
  ['a wait that is not said', but(6, 10), 'ended without a yield', 'enforce'],
];

async function played1(reply: string | undefined, strictness: Strictness, isAlways = false) {
  const lent: unknown[] = [];
  const find = quickTool('find', () => ({ copies: 2 }), {
    effect: 'read',
    parameters: { type: 'object', properties: { title: { type: 'string' } } },
  });
  const tools = [find, quickTool('lend', ({ n }) => `slip ${lent.push(n)}`, orders)];
  let left = reply;
  const ran = await played(text, {
    ...{ strictness, tools, turns: 8 },
    replies({ prompt, number }) {
      if (number === 1) return first;
      const bad = left;
      if (!isAlways) left = undefined;
      if (bad !== undefined) return bad;
      const line = [...prompt.matchAll(/Go on at line ([\d.]+\d)/g)].at(-1)?.[1] ?? '09';
      return ops(...good.slice(Math.max(0, lines.indexOf(line))));
    },
  });
  const warnings = ran.result.warnings.map(({ message }) => message);
  return { ...ran, lent, warnings };
}

const outcome = { status: 'done', answer: 'slip 1' };
const said = ['We have it.', 'Bye.'];

describe.each(kinds)('%s', (_, reply, code, problem) => {
  test('is no end where it is advised: it is done as far as may be, and warned of', async () => {
    const { lent, warnings, result } = await played1(reply, 'advise');
    expect(result.status).toBe('done');
    expect(lent.length).toBeLessThanOrEqual(1);
    expect(warnings.join('\n')).toContain(code);
  });

  test.each(['repair', 'enforce'] as const)('under %s', async (strictness) => {
    const { lent, prompts, result, warnings, said: heard } = await played1(reply, strictness);
    expect(result).toMatchObject(outcome);
    expect(heard).toEqual(said);
    expect(lent).toEqual([2]);
    if (strictness === 'repair' && problem === 'enforce') {
      expect(warnings.join('\n')).toContain(code);
      expect(warnings.join('\n')).not.toContain('asked once more');
      return;
    }
    expect(prompts.length).toBeGreaterThan(2);
    expect(warnings.join('\n')).toContain('it is asked once more');
    const twice = await played1(reply, strictness, true);
    expect(twice.result).toMatchObject({ status: 'failed', error: { code: /PV73\d\d/ } });
    expect(twice.lent.length).toBeLessThanOrEqual(1);
  });
});

test('a reply that keeps to the playbook is the same under each strictness, and warned of in none', async () => {
  for (const strictness of ['advise', 'repair', 'enforce'] as const) {
    const ran = await played1(undefined, strictness);
    expect(ran.result).toMatchObject(outcome);
    expect([ran.said, ran.lent, ran.warnings, ran.prompts.length]).toEqual([said, [2], [], 2]);
  }
});

test('in a loop the results of its rounds may have variables of their own', async () => {
  const look = quickTool('look', ({ n }) => `at ${n}`, { ...orders, effect: 'read' });
  const round = (n: number) => [
    ...[{ step: '01' }, { step: '01.01' }, { call: 'look', args: { n }, into: `seen_${n}` }],
  ];
  const { result } = await played(
    '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n' +
      '- For each n in 1 and 2\n  - seen = look(n)\n- Return all that was seen\n',
    {
      tools: [look],
      replies: [
        ops(...round(1), ...round(2), { yield: 'call' }),
        ops({ return: ['$seen_1', '$seen_2'] }),
      ],
    },
  );
  expect(result).toMatchObject({ status: 'done', answer: ['at 1', 'at 2'] });
  expect(result.warnings.filter(({ message }) => message.includes('PV73'))).toEqual([]);
});

test('a return that cannot stand is asked for at its line', async () => {
  const { prompts, result } = await played(
    '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $n = 2\n- Return $n\n',
    {
      replies: [
        ops({ step: '01' }, { set: { $n: 2 } }, { step: '02' }, { return: '$m' }),
        ops({ step: '02' }, { return: '$n' }),
      ],
    },
  );
  expect(prompts[1]).toMatch(/Go on at line 02\.$/);
  expect(result).toMatchObject({ status: 'done', answer: 2 });
});
