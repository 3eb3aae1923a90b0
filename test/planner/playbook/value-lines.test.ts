/** Variables as a model sees them. */
import { expect, test } from 'vitest';
import { valueLine } from '../../../src/planner/playbook/prompt/value-lines.ts';

test.each([
  [{ how: 'full', value: 'Sunday' }, '$day = "Sunday"'],
  [
    { how: 'name', about: { type: 'list', size: 3000 } },
    '$day: list of 3000 characters, not shown',
  ],
  [{ how: 'name', about: { type: 'str', size: 1 } }, '$day: str of 1 character, not shown'],
  [{ how: 'name', about: { type: 'int', size: 1 } }, '$day: int, not shown'],
  [{ how: 'name' }, '$day: a value, not shown'],
  [
    { how: 'summary', about: { type: 'str', size: 3000, start: 'It was' } },
    '$day: str of 3000 characters, begins "It was"',
  ],
] as const)('%o is %s', (shown, line) => {
  expect(valueLine({ name: 'day', scope: 'state', ...shown })).toBe(line);
});
