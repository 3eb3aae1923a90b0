/** `Return $a and $b`: what its model makes of it, both or one; nothing is computed of the words. */
import { expect, test } from 'vitest';
import { ops, played } from './played.ts';

const text = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- $r = Pair()
- Return $r

## Pair
### Steps
- $a = "yes"
- $b = "no"
- Return $a and $b
`;

const set = [{ step: '01' }, { set: { $a: 'yes' } }, { step: '02' }, { set: { $b: 'no' } }];
const call = ops({ step: '01' }, { call: 'Pair', into: '$r' }, { yield: 'call' });
const back = ops({ step: '03' }, { return: '$r' });

test.each([
  [
    ['yes', 'no'],
    ['$a', '$b'],
  ],
  [true, true],
  ['no', '$b'],
  ['yes and no', '$a and $b'],
])('gives %j', async (answer, given) => {
  const pair = ops(...set, { step: '03' }, { return: given });
  const { result } = await played(text, { replies: [call, pair, back] });
  expect(result.error).toBeUndefined();
  expect(result.answer).toEqual(answer);
});

test('in the place of its call, too', async () => {
  const inlined = [{ step: '01' }, { step: '01.01' }, { set: { $a: 'yes' } }, { step: '01.02' }];
  const rest = [{ set: { $b: 'no' } }, { step: '01.03' }, { set: { $r: ['$a', '$b'] } }];
  const { result } = await played(text, {
    inline: 8,
    replies: [ops(...inlined, ...rest, { step: '02' }, { return: '$r' })],
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toEqual(['yes', 'no']);
});
