/**
 * Conditions in one line with what they are for, followed to the letter: a tool that writes acts
 * only where they hold.
 */
import { expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { orders, played } from '../planner/playbook/played.ts';
import { followed } from '../support/playbook-follower.ts';

/** What is ordered where $a is 7, and where it is 3. */
test.each<[line: string, holds: readonly number[], not: readonly number[]]>([
  ['If $a == 7, Charge(5) and say "paid". Otherwise, say "not paid".', [5], []],
  ['If $a == 7, Charge(5). Otherwise, Charge(6).', [5], [6]],
  ['Say("hi"). If $a == 7, Charge(5).', [5], []],
  ['Charge(9). If $a == 7, Charge(10)', [9, 10], [9]],
  ['If $a == 7, call Charge(5), and then Charge(6)', [5, 6], []],
  ['If $a == 7, Charge(5). If $a == 3, Charge(6).', [5], [6]],
  ['If $a == 7, return 1. Charge(6)', [], [6]],
  ['Charge(5) if $a == 7, otherwise Charge(6)', [5], [6]],
  ['If $a == 7: Charge(5), else if $a == 3: Charge(6), else Charge(8)', [5], [6]],
  ['If $a == 7 and Charge(5) == 1, say "x"', [5], []],
  ['$b = $a == 7 and Charge(5)', [5], []],
])('%s', async (line, holds, not) => {
  for (const [a, want] of [[7, holds] as const, [3, not] as const]) {
    const ordered: unknown[] = [];
    const charge = quickTool('Charge', ({ n }) => ordered.push(n), orders);
    const { result } = await played(
      `# D\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $a = ${a}\n- ${line}\n- Say("end")\n`,
      { tools: [charge], replies: ({ messages }) => followed(messages) },
    );
    expect(result.error).toBeUndefined();
    expect([a, ordered]).toEqual([a, want]);
  }
});
