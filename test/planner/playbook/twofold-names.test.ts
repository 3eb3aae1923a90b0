/**
 * Playbooks whose lines have both `x`, of the call, and `$x`, of the agent: a reply means the one
 * that its line has, whatever form it is written in.
 */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const main = (...steps: readonly string[]): string =>
  `# Shop\n## Main\n### Triggers\n- At the beginning\n### Steps\n- ${steps.join('\n- ')}\n`;

const at = (step: string) => ({ step });

const fetching = quickTool('Fetch', ({ o }) => `order ${o}`, {
  effect: 'read',
  parameters: { type: 'object', properties: { o: {} }, required: ['o'] },
});

const order = `${main('GetOrder(7)', 'Say("Main knows {$order}")', 'Return $order')}
## GetOrder(order)
### Steps
- $order = Fetch(order)
- Say("Got {$order} for {order}")
`;

const called = ops(at('01'), { call: 'GetOrder', args: { order: 7 } }, { yield: 'call' });
const rest = ops(at('02'), { say: 'Main knows {$order}' }, at('03'), { return: '$order' });
const got = ops(at('03'), { say: 'Got {$order} for {order}' }, { yield: 'return' });
const wait = { yield: 'call' };

describe('a call into a variable of the agent, where a parameter has its name', () => {
  const python = (...lines: readonly string[]) => ['```python', ...lines, '```'].join('\n');

  test.each([
    ['with a sign', ops(at('01'), { call: 'Fetch', args: ['$order'], into: '$order' }, wait), got],
    ['without one', ops(at('01'), { call: 'Fetch', args: ['{order}'], into: 'order' }, wait), got],
    [
      'in the oldest form',
      '[{"GetOrder:01:QUE": [{"call": {"fn": "Fetch", "args": ["$order"]}, "into": "$order"}]},' +
        ' {"GetOrder:02:YLD": [{"yield_type": "ForCallComplete"}]}]',
      '[{"GetOrder:03:QUE": [{"call": {"fn": "Say", "args": ["Got {$order} for {order}"]}},' +
        ' {"return": null}]}]',
    ],
    [
      'in lines of a log',
      '`Step["GetOrder:01:QUE"]`\n`$order = Fetch($order)`\n`Step["GetOrder:02:YLD"]` yld for call',
      '`Step["GetOrder:03:QUE"]` `Say("user", "Got {$order} for {order}")`\nyld for return',
    ],
    [
      'in Python',
      python(
        'await self.Step("GetOrder:01:QUE")',
        'self.state.order = await self.Fetch(order)',
        'await self.Step("GetOrder:02:YLD")',
        'await self.Yield("call")',
      ),
      python(
        'await self.Step("GetOrder:03:QUE")',
        'await self.Say("user", f"Got {self.state.order} for {order}")',
        'await self.Return()',
      ),
    ],
  ])('%s', async (_, fetched, told) => {
    const { result, said } = await played(order, {
      tools: [fetching],
      replies: [called, fetched, told, rest],
    });
    expect(result.error).toBeUndefined();
    expect([said, result.answer]).toEqual([['Got order 7 for 7', 'Main knows order 7'], 'order 7']);
  });
});

const guest = `${main('Register("Bob")', 'Say("Main knows {$name}")', 'Return $name')}
## Register(name)
### Steps
- $name = name
- name = "guest"
- Say("{name} {$name}")
`;

describe('values that lines set to both', () => {
  const begun = ops(at('01'), { call: 'Register', args: { name: 'Bob' } }, { yield: 'call' });
  const end = ops(at('02'), { say: 'Main knows {$name}' }, at('03'), { return: '$name' });
  const sets: readonly (readonly [string, object, object])[] = [
    ['with signs as the lines have them', { set: { $name: 'Bob' } }, { set: { name: 'guest' } }],
    ['without a sign', { set: { name: '$name' } }, { set: { name: 'guest' } }],
    ['with signs throughout', { set: { $name: '{name}' } }, { set: { $name: 'guest' } }],
  ];

  test.each(sets)('%s', async (_, one, two) => {
    const told = ops(at('01'), one, at('02'), two, at('03'), { say: '{name} {$name}' });
    const { result, said } = await played(guest, { replies: [begun, told, end] });
    expect(result.error).toBeUndefined();
    expect([said, result.answer]).toEqual([['guest Bob', 'Main knows Bob'], 'Bob']);
  });
});

const both = quickTool('F', ({ a, b }) => `${a}/${b}`, {
  effect: 'read',
  parameters: { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] },
});

test('a call takes both', async () => {
  const program = main('x = 1', '$x = 2', '$r = F(x, $x)', 'Return $r');
  const first = ops(
    ...[at('01'), { set: { x: 1 } }, at('02'), { set: { $x: 2 } }, at('03')],
    ...[{ call: 'F', args: ['{x}', '$x'], into: '$r' }, { yield: 'call' }],
  );
  const { result, prompts } = await played(program, {
    tools: [both],
    replies: [first, ops({ return: '$r' })],
  });
  expect(result.answer).toBe('1/2');
  expect(prompts[0]).toContain('x and $x are two variables: name each as its line does');
});

test('a type is that of its own variable alone', async () => {
  const program = `${main('GetOrder(7)', 'Return $order')}
## GetOrder(order: int)
### Steps
- $order = the name of the order
`;
  const set = ops(at('01'), { set: { $order: 'Cake' } });
  const { result } = await played(program, { replies: [called, set, ops({ return: '$order' })] });
  expect([result.error, result.answer]).toEqual([undefined, 'Cake']);
});

test('a parameter may be written with a sign where no such variable of the agent is', async () => {
  const text =
    '# Shop\n## Main(day)\n### Triggers\n- At the beginning\n### Steps\n- Say("On {$day}.")\n- Return {$day}\n';
  const replies = [ops(at('01'), { say: 'On {$day}.' }, at('02'), { return: '$day' })];
  const { result, said, prompts } = await played(text, { replies, given: { day: 'Sunday' } });
  expect([result.answer, said]).toEqual(['Sunday', ['On Sunday.']]);
  expect(prompts[0]).not.toContain('two variables');
});
