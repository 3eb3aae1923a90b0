/** Values of functions are data: what they do with them later is theirs. */
import { expect, test } from 'vitest';
import { ops, played } from '../planner/playbook/played.ts';

test('what a function keeps or changes of a value is its own, and changes no variable', async () => {
  const text = `# Desk
\`\`\`tools
seen = []
def Add(x):
    seen.append(x)
    return seen
def Put(d):
    d["parts"].append(len(d["parts"]))
    return d
def Twice(d):
    got = Back(d)
    got["parts"].clear()
    return Back(d)
\`\`\`
## Main
### Triggers
- At the beginning
### Steps
- $a = Add("one")
- $b = Add("two")
- $d = {"parts": []}
- $e = Put($d)
- $f = Twice($e)
- Return [$a, $b, $d, $e, $f]

## Back(d)
### Steps
- $kept = d
- Return d
`;
  const back = ops({ step: '01' }, { set: { $kept: '$d' } }, { step: '02' }, { return: '$d' });
  const { result } = await played(text, {
    inline: 0,
    replies: [
      ops(
        ...[{ step: '01' }, { call: 'Add', args: { x: 'one' }, into: '$a' }],
        ...[{ step: '02' }, { call: 'Add', args: { x: 'two' }, into: '$b' }],
        ...[{ step: '03' }, { set: { $d: { parts: [] } } }],
        ...[{ step: '04' }, { call: 'Put', args: { d: '$d' }, into: '$e' }],
        ...[{ step: '05' }, { yield: 'call' }],
      ),
      ops(
        ...[{ step: '06' }, { call: 'Twice', args: { d: '$e' }, into: '$f' }],
        ...[{ step: '07' }, { return: ['$a', '$b', '$d', '$e', '$f'] }],
      ),
      ...[back, back],
    ],
  });
  expect(result.error?.message).toBeUndefined();
  expect(result.answer).toEqual([
    ...[['one'], ['one', 'two'], { parts: [0] }, { parts: [0] }, { parts: [0] }],
  ]);
});
