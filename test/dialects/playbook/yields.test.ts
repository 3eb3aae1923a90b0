/** Where a playbook gives control back for what has been called, or asked. */
import { describe, expect, test } from 'vitest';
import { stepsOf } from './written.ts';

describe('a condition on how a call has ended', () => {
  const wait = (call: string, condition: string): boolean =>
    stepsOf(`- $x = 1\n- ${call}\n- ${condition}\n  - Say("a")`, '', ['Pay'])[2] ===
    '03:YLD for call';

  test.each([
    ['Pay(3)', 'If the payment has failed'],
    ['Pay(3)', 'If the last call failed'],
    ['Pay(3)', 'Unless the payment went through'],
    ['Pay(3)', 'While there are errors'],
    ['$r = Pay($x)', 'If the payment of $x has failed'],
    ['$r = Pay($x)', 'When paying $x was a success'],
    ['Pay(3)', 'Si le paiement a échoué'],
  ])('waits for it: %s, %s', (call, condition) => {
    expect(wait(call, condition)).toBe(true);
  });

  test.each([
    ['Pay(3)', 'If the user is in a hurry'],
    ['$r = Pay(3)', 'If $x has failed'],
    ['$r = Pay(3)', 'If $x is "failed"'],
    ['$r = Pay($x)', 'If $x.errors > 3'],
  ])('of anything else does not: %s, %s', (call, condition) => {
    expect(wait(call, condition)).toBe(false);
  });
});
