/** Where the machine sets the item of a round, and that fires a trigger, nothing of it acts before. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';

const program = (first: string, trigger: string, retrigger = ''): string => `# Desk

## Main
### Triggers
- At the beginning
### Steps
- For each $x in [3, 700, 5]
  - ${first}
  - order($x)
- Return 1

## Stop
${retrigger}### Triggers
- When ${trigger}
### Steps
- note($x)
- Say("Too dear: {$x}.")
`;

const order = { call: 'order', args: { n: '$x' } };
const stop = ops(...[{ step: '01' }, { call: 'note', args: { n: '$x' } }, { step: '02' }], {
  say: 'Too dear: {$x}.',
});

describe.each([['$x > 500'], ['$x sounds like a lot']])('when %s', (trigger) => {
  test.each([
    ['with the line first', [{ step: '01.01' }, { say: 'Item {$x}.' }]],
    ['with what it does alone', [{ say: 'Item {$x}.', line: '01.01' }]],
  ])('%s', async (_, first) => {
    const acts: unknown[] = [];
    const round = [...first, { step: '01.02' }, order];
    const { result, said, prompts } = await played(program('Say("Item {$x}.")', trigger), {
      replies: [
        ops({ step: '01' }, ...round, ...round, ...round, { step: '02' }, { return: 1 }),
        stop,
        ops(...round, ...round, { step: '02' }, { return: 1 }),
      ],
      tools: [
        quickTool('order', ({ n }) => acts.push(`order ${n}`), orders),
        quickTool('note', ({ n }) => acts.push(`note ${n}`), orders),
      ],
      matches: ({ changed }) => (Object(changed).$x > 500 ? ['Desk.Stop:T1'] : []),
    });
    expect(prompts[2] ?? result.error?.message).toContain('item 2 of 3');
    expect(result.error).toBeUndefined();
    expect(acts).toEqual(['order 3', 'note 700', 'order 700', 'order 5']);
    expect(said).toEqual(['Item 3.', 'Too dear: 700.', 'Item 700.', 'Item 5.']);
  });
});
