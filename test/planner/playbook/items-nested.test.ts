/** Loops over known items in each other: whatever of their heads and items a model tells. */
import { expect, test } from 'vitest';
import { ops, played } from './played.ts';

const program = `# Shop
## Main
### Triggers
- At the beginning
### Steps
- For each $a in [1, 2]
  - For each $b in ["x", "y"]
    - Say("{$a}{$b}")
- Return 1
`;

const at = (step: string) => ({ step });
const a = (value: number) => ({ set: { $a: value } });
const b = (value: string) => ({ set: { $b: value } });
const say = (text: string) => ({ say: text });
const done = { return: 1 };

type Ops = readonly object[];

/** The operations of all rounds: `outer` before those of an item, `inner` for each in it. */
const rounds = (outer: (a: number) => Ops, inner: (b: string, a: number) => Ops): Ops =>
  [1, 2].flatMap((one) => [...outer(one), ...['x', 'y'].flatMap((two) => inner(two, one))]);

test.each<readonly [string, Ops]>([
  [
    'all lines',
    [
      ...rounds(
        (n) => [...(n > 1 ? [at('01.01'), at('01.02')] : []), at('01'), a(n), at('01.01')],
        (x, n) => [b(x), at('01.01.01'), say(`${n}${x}`), at('01.01.02'), at('01.01')],
      ),
      ...[at('01.02'), at('01'), at('02')],
    ],
  ],
  [
    'no way back',
    rounds(
      (n) => [at('01'), a(n)],
      (x, n) => [at('01.01'), b(x), at('01.01.01'), say(`${n}${x}`)],
    ),
  ],
  [
    'items alone',
    rounds(
      (n) => [a(n)],
      (x, n) => [b(x), say(`${n}${x}`)],
    ),
  ],
  [
    'both items each time',
    rounds(
      () => [],
      (x, n) => [a(n), b(x), at('01.01.01'), say(`${n}${x}`)],
    ),
  ],
  [
    'the body alone',
    rounds(
      () => [],
      (x, n) => [at('01.01.01'), say(`${n}${x}`)],
    ),
  ],
  [
    'the inner items',
    rounds(
      () => [],
      (x, n) => [b(x), at('01.01.01'), say(`${n}${x}`)],
    ),
  ],
])('a model that tells %s', async (_, operations) => {
  const { prompts, result, said } = await played(program, { replies: [ops(...operations, done)] });
  expect(result.error).toBeUndefined();
  expect(prompts).toHaveLength(1);
  expect(said).toEqual(['1x', '1y', '2x', '2y']);
});

const first = [a(1), b('x'), say('1x')];
const whole = [...first, b('y'), say('1y')];

test.each<readonly [string, Ops, string]>([
  ['the outer loop goes round early', [...first, a(2)], 'line 01.01 is left early'],
  ['the inner loop is done again', [...whole, b('x')], 'all 2 are done'],
  ['the outer loop is left early', [...whole, done], 'line 01 is left early'],
])('a problem is that %s', async (_, operations, told) => {
  const { prompts } = await played(program, { replies: [ops(...operations), ops(done)] });
  expect(prompts[1]).toContain(told);
});
