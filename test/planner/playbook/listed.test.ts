/** Problems of long playbooks, told in short. */
import { expect, test } from 'vitest';
import { partsOf, playbookOf, type SampleLine } from './sample.ts';

const numbers = Array.from({ length: 3000 }, (_, at) => String(at + 1).padStart(2, '0'));
const long = playbookOf(
  'Long',
  numbers.map((number, at): SampleLine => {
    const call = { callee: 'FreeBikes', args: '' };
    return [number, 'QUE', 'FreeBikes()', `next ${numbers[at + 1] ?? ''}`.trim(), { call }];
  }),
);

test.each([
  ['no such line', '{"step":"9999"}', 'PV7302'],
  ['lines left out', '{"step":"01"}\n{"call":"FreeBikes","args":[1]}\n{"step":"2900"}', 'PV7303'],
  ['lines left to do', '{"step":"01"}\n{"think":"so"}', 'PV7308'],
])('%s', (_, reply, code) => {
  const { parts } = partsOf(reply, { playbook: long, strictness: 'enforce' });
  const problem = parts.find((part) => part.op === 'problem');
  expect(problem).toMatchObject({ code });
  expect(JSON.stringify(problem).length).toBeLessThan(1500);
});
