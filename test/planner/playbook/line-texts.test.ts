/**
 * Texts that a line itself passes on: a call with another one is told, and nothing of it is done.
 * Words that say what is meant, rather than being it, are the model's to find.
 */
import { describe, expect, test } from 'vitest';
import type { Strictness } from '../../../src/dialects/playbook/source/manner.ts';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';
import { desk } from './shop.ts';

const pays = {
  effect: 'write',
  parameters: {
    type: 'object',
    properties: { to: { type: 'string' }, euros: { type: 'integer' } },
    required: ['to', 'euros'],
  },
} as const;

/** A model that calls the tool so, and once more where it is told. */
async function pay(line: string, args: readonly unknown[], strictness: Strictness = 'repair') {
  const paid: unknown[] = [];
  const program = desk('- $who = "Ann"', '- $payee = "Ben"', `- $a = ${line}`, '- Return $a');
  const call = [{ step: '03' }, { call: 'Pay', args }, { yield: 'call' }];
  const set = [
    { step: '01' },
    { set: { $who: 'Ann' } },
    { step: '02' },
    { set: { $payee: 'Ben' } },
  ];
  const end = ops({ step: '04' }, { return: '$a' });
  const first = ops(...set, ...call);
  const { result, prompts } = await played(program, {
    ...{ strictness, tools: [quickTool('Pay', ({ to }) => paid.push(to), pays)] },
    replies: ({ prompt, number }) =>
      number === 1 ? first : prompt.includes('could not be taken further') ? ops(...call) : end,
  });
  return { paid, prompts, code: result.error?.code };
}

describe.each(['repair', 'enforce'] as const)('a text is passed on as it is: %s', (strictness) => {
  test.each<readonly [string, readonly unknown[], string]>([
    ['Pay("Ben", 20)', ['Eve', 20], 'to = "Ben", got "Eve"'],
    ['Pay("Ben", 20)', ['$who', 20], 'to = "Ben", got $who'],
    ['Pay("Ben", 20)', ['Ben and {$who}', 20], 'to = "Ben", got'],
    ['Pay("Ben", 20)', ['Ben', '$who'], 'euros = 20, got $who'],
    ['Pay("Ben\'s bakery", 20)', ['Eve', 20], 'got "Eve"'],
    ['Pay("Le Mans", 20)', ['Eve', 20], 'got "Eve"'],
    ['Pay("Plan A", 20)', ['Plan B', 20], 'got "Plan B"'],
    ['Pay($payee, 20)', ['Eve', 20], 'to = $payee, got "Eve"'],
  ])('%s, not %j', async (line, args, told) => {
    const { paid, prompts, code } = await pay(line, args, strictness);
    expect(prompts[1]).toContain(told);
    expect([paid, code]).toEqual([[], 'PV7306']);
  });

  test.each<readonly [string, readonly unknown[]]>([
    ['Pay("Ben", 20)', ['$payee', 20]],
    ['Pay("Ben", 20)', [' ben ', 20]],
    ['Pay("Ben \'the bear\'", 20)', ['Ben “the bear”', 20]],
  ])('%s: %j is the same', async (line, args) => {
    const { paid, prompts } = await pay(line, args, strictness);
    expect([paid.length, prompts.length]).toEqual([1, 2]);
  });
});

const described = [
  'the name of the payee',
  "user's choice",
  'name of payee',
  'whoever is first, ...',
  'der Name des Kunden',
];

test.each([...described, '<name>', '{name}', 'To'])(
  'what is meant by %j is the model’s to say',
  async (words) => {
    for (const name of ['Eve', '$who']) {
      const { paid, prompts } = await pay(`Pay("${words}", 20)`, [name, 20]);
      expect([paid.length, prompts.length]).toEqual([1, 2]);
    }
  },
);

test('what a parameter does not take is put otherwise', async () => {
  const { paid, prompts } = await pay('Pay("Ben", "as ever")', ['Ben', 20]);
  expect([paid.length, prompts.length]).toEqual([1, 2]);
});
