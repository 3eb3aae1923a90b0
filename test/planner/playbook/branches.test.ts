/** Branches that are left out, of conditions that only a model can judge. */
import { expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';

const text = `# Support

## Main
### Triggers
- At the beginning
### Steps
- $kind = "billing"
- If $kind sounds technical
  - charge(1)
- Otherwise
  - charge(2)
- Return $kind
`;

test('a model is told of both, as nobody but it knows which is due', async () => {
  const calls: unknown[] = [];
  const charge = quickTool('charge', ({ n }) => calls.push(n), orders);
  const begins = [{ step: '01' }, { set: { $kind: 'billing' } }];
  const replies = [
    ops(...begins, { step: '04' }, { return: '$kind' }),
    ops({ step: '02' }, { step: '03' }, { step: '03.01' }, { call: 'charge', args: { n: 2 } }),
    ops({ return: '$kind' }),
  ];
  const { prompts } = await played(text, { replies, tools: [charge] });
  const neither = /neither line 0[23]\.01 nor what is due otherwise was done \(line 0[23]: /;
  expect(prompts[1]).toMatch(neither);
  expect(calls).toEqual([2]);
});
