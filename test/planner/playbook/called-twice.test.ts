/** A line in words that calls the same twice. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const text = `# Dice\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Roll two dice, and add them up as $sum\n- Return $sum\n`;
const roll = (into?: string) => ({ call: 'roll', args: {}, ...(into !== undefined && { into }) });
const rest = ops({ step: '01' }, { set: { $sum: 3 } }, { step: '02' }, { return: '$sum' });

describe.each(['read', 'write'] as const)('a tool that may %s', (effect) => {
  async function play(first: string) {
    let rolls = 0;
    const tool = quickTool('roll', () => ++rolls, { effect });
    const { result, prompts } = await played(text, { replies: [first, rest], tools: [tool] });
    return { result, prompts, rolls };
  }

  test('is called as often as there are variables for what it gives', async () => {
    const { result, rolls } = await play(
      ops({ step: '01' }, roll('$a'), roll('$b'), { yield: 'call' }),
    );
    expect([rolls, result.answer, result.warnings]).toEqual([2, 3, []]);
  });

  test('is called once where the same is said twice', async () => {
    const { rolls, prompts } = await play(
      ops({ step: '01' }, roll('$a'), roll('$a'), { yield: 'call' }),
    );
    expect(rolls).toBe(1);
    expect(prompts[1]).toContain('roll was called with these arguments already, at 01');
  });
});
