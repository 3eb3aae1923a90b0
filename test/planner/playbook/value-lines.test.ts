/** Variables as a model sees them. */
import { expect, test } from 'vitest';
import { onceLine, valueLine } from '../../../src/planner/playbook/prompt/value-lines.ts';

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
  [{ how: 'name', value: 4, about: { type: 'int', size: 1 } }, '$day = 4'],
  [{ how: 'name', value: 'Bonn', about: { type: 'string', size: 4 } }, '$day = "Bonn"'],
  [
    {
      how: 'name',
      value: 'by the harbour in Bonn, at half past noon',
      about: { type: 'string', size: 40 },
    },
    '$day: string of 40 characters, not shown',
  ],
] as const)('%o is %s', (shown, line) => {
  expect(valueLine({ name: 'day', scope: 'state', ...shown })).toBe(line);
});

test.each([
  [0, 300, 'it stood here whole for the reply below'],
  [0, 100, 'a part of it, from character 0 on, stood here for the reply below'],
  [40, 300, 'a part of it, from character 40 on, stood here for the reply below'],
])('from %i on with room for %i, the next turns tell that %s', (from, most, told) => {
  const about = { type: 'string', size: 200, start: 'x' };
  const shown = { how: 'once', value: 'x'.repeat(200), about, from } as const;
  const line = onceLine({ name: 'day', scope: 'state', ...shown }, most);
  expect(line).toBe(`$day: string of 200 characters, begins "x" (${told})`);
});
