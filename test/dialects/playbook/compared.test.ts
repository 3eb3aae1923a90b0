/** What a line compares with it needs, and does not set. */
import { expect, test } from 'vitest';
import { meaningOf } from '../../../src/dialects/playbook/steps/step-text.ts';

test.each(['==', '!=', '>=', '<='])('what stands behind %s is read', (sign) => {
  const { reads, writes } = meaningOf(
    { code: 'CND', text: `If $guess ${sign} $secret` },
    new Set(),
  );
  expect({ reads, writes }).toEqual({ reads: ['$guess', '$secret'], writes: [] });
});
