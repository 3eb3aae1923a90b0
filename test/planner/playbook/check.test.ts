/** What is checked of each operation by itself, and how the loop gets it. */
import { describe, expect, test } from 'vitest';
import { agent, line, playbook } from '../../dialects/playbook/link/lines.ts';
import { desk, fileOf, ops, refund, rent, turn } from './sample.ts';

const partOf = async (operation: unknown, frame = {}) => {
  const { parts } = await turn(ops(operation), { frame });
  const [part, ...others] = parts;
  expect(others).toMatchObject([{ op: 'end', isWhole: true }]);
  return part;
};

const value = (data: unknown) => ({ is: 'value', value: data });
const day = { is: 'ref', name: '$day', path: [] };

test.each<readonly [object, object]>([
  [{ at: '4.1' }, { op: 'at', line: '04.01' }],
  [
    { at: '04', holds: true },
    { op: 'at', line: '04', holds: true },
  ],
  [{ set: { $day: 'Monday', x: '$day' } }, { op: 'set', values: { day: value('Monday'), x: day } }],
  [
    { call: 'FreeBikes', args: { day: '$day' }, into: '$bikes' },
    { op: 'call', kind: 'tool', callee: 'FreeBikes', args: { day }, into: 'bikes' },
  ],
  [
    { call: 'FreeBikes', args: ['$day'] },
    { op: 'call', callee: 'FreeBikes', args: { day } },
  ],
  [
    { call: 'order', args: { n: '3', size: null } },
    // The call makes a number of the text.
    { op: 'call', callee: 'order', args: { n: value('3') } },
  ],
  [
    { call: 'Refund', args: { euros: 3 } },
    { op: 'call', kind: 'playbook', callee: 'Desk.Refund', args: { euros: value(3) } },
  ],
  [
    { call: 'give_a_refund', args: [3] },
    { op: 'call', callee: 'Desk.Refund' },
  ],
  [
    { call: 'Desk.Refund', args: [3] },
    { op: 'call', callee: 'Desk.Refund' },
  ],
  [
    { call: 'count', args: { items: '$bikes' } },
    { op: 'call', kind: 'function', callee: 'count' },
  ],
  [{ say: 'On {$day}' }, { op: 'say', text: { is: 'text', parts: ['On ', day] } }],
  [
    { say: 'Hi', to: 'user' },
    { op: 'say', text: value('Hi') },
  ],
  [
    { say: 'Hi', to: '$ann' },
    { op: 'say', to: '$ann' },
  ],
  [
    { yield: 'event', for: 'paid' },
    { op: 'yield', for: 'event', whom: 'paid' },
  ],
  [{ return: ['$day'] }, { op: 'return', value: { is: 'list', items: [day] } }],
  [{ show: ['$day'] }, { op: 'show', names: ['$day'] }],
  [{ unexpected: 'a' }, { op: 'unexpected', text: 'a' }],
])('%j stands', async (operation, part) => {
  expect(await partOf(operation)).toMatchObject({ raw: JSON.stringify(operation), ...part });
});

test.each<readonly [object, string, string]>([
  [{ at: '09' }, 'PV7302', 'got the line 09, want one from 01 to 08'],
  [{ at: 'Refund' }, 'PV7302', 'got the line Refund, want one from 01'],
  [{ set: { '$a.b': 1 } }, 'PV7310', 'got the variable $a.b, want a name: set the whole variable'],
  [
    { set: { x: '{$count * 2}' } },
    'PV7307',
    'got {$count * 2}, want a variable alone: compute it, and write the result',
  ],
  [{ say: '{$a + 1} euros' }, 'PV7307', 'got {$a + 1}'],
  [{ call: 'Say', args: ['Hi'] }, 'PV7304', 'got a call of Say, want {"say": "…"}'],
  [{ call: 'FreeBike' }, 'PV7304', 'got a call of FreeBike, did you mean FreeBikes?'],
  [
    { call: 'Destroy' },
    'PV7304',
    'got a call of Destroy, want one of RentBike, Refund, count, FreeBikes, weather, order',
  ],
  [{ call: 'order', args: {} }, 'PV7306', 'got no n, want order(n, size?)'],
  [{ call: 'order', args: { n: 1, m: 2 } }, 'PV7306', 'got the argument m, want order(n, size?)'],
  [{ call: 'order', args: [1, 'S', 3] }, 'PV7306', 'got 3 arguments, want order(n, size?)'],
  [
    { call: 'order', args: { n: 1.5 } },
    'PV7306',
    'n: got number, want integer, in a call of order',
  ],
  [
    { call: 'order', args: { n: 1, size: 'L' } },
    'PV7306',
    'size: want one of "S", "M", in a call of order',
  ],
  [
    { call: 'order', args: [1], into: 'a b' },
    'PV7310',
    'got "into": "a b", want the name of a variable',
  ],
  [{ say: 5 }, 'PV7310', 'got say: 5, want string: {"say":5}'],
])('%j is a problem: %s %s', async (operation, code, text) => {
  const part = await partOf(operation);
  expect(part).toMatchObject({ op: 'problem', code, raw: JSON.stringify(operation) });
  expect(part).toHaveProperty('text', expect.stringContaining(text));
});

test('a name that the reply has set may be filled in without braces', async () => {
  const { parts } = await turn(ops({ set: { gift: 'a bell' } }, { say: 'You get $gift, $else.' }));
  const gift = { is: 'ref', name: '$gift', path: [] };
  expect(parts[1]).toMatchObject({ text: { parts: ['You get ', gift, ', $else.'] } });
});

describe('with several agents', () => {
  const clerk = agent(
    [
      playbook('Rate', [line('01', { is: 'open' })], { isPublic: true, written: 'Get the rate' }),
      playbook('Secret', [line('01', { is: 'open' })]),
    ],
    { name: 'TaxClerk', written: 'Tax clerk' },
  );
  const ann = agent([], { name: 'Ann', written: 'Ann', kind: 'human' });
  const file = fileOf(desk([rent, refund]), clerk, ann);
  const first = async (operation: unknown, frame = {}) =>
    (await turn(ops(operation), { file, frame })).parts[0];

  test('public playbooks of others can be called, and no others', async () => {
    expect(await first({ call: 'TaxClerk.Rate' })).toMatchObject({ callee: 'TaxClerk.Rate' });
    expect(await first({ call: 'Tax clerk.Get the rate' })).toMatchObject({ op: 'call' });
    expect(await first({ call: 'TaxClerk.Secret' })).toMatchObject({ code: 'PV7304' });
    expect(await first({ call: 'Rate' })).toMatchObject({
      text: 'got a call of Rate, did you mean TaxClerk.Rate?',
    });
    expect(await first({ call: 'CreateAgent', args: { like: 'TaxClerk', rate: 5 } })).toMatchObject(
      {
        ...{ kind: 'function', callee: 'CreateAgent' },
      },
    );
  });

  test('agents that were created are called by their names', async () => {
    const frame = { made: { Bob: 'TaxClerk' } };
    const called = { callee: 'TaxClerk.Rate', kind: 'playbook' };
    expect(await first({ call: 'Bob.Rate' }, frame)).toMatchObject({ ...called, on: 'Bob' });
    const on = { is: 'ref', name: '$bob', path: [] };
    expect(await first({ call: '$bob.Rate' }, frame)).toMatchObject({ ...called, on });
  });
});
