/** What models write to be computed, and what has no value where it is needed. */
import { describe, expect, test } from 'vitest';
import { played } from './played.ts';

const program = `# Till
## Main
### Triggers
- At the beginning
### Steps
- $order = {"price": 3, "tags": ["a", "b"]}
- $total = $order.price * 2 + 1
- Say("That is {$total}.")
- Return $total - 1
`;

/** The same, where it is the model that says what they come to. */
const open = program
  .replace('$total = $order.price * 2 + 1', 'Work out the $total of the $order')
  .replace('Return $total - 1', 'Return what is left of it');

const first = '{"step":"01"}\n{"set":{"$order":{"price":3,"tags":["a","b"]}}}';

async function totalOf(set: string) {
  const said = '{"step":"03"}\n{"say":"That is {$total}."}\n{"step":"04"}\n{"return":"$total"}';
  return await played(program, { replies: [`${first}\n{"step":"02"}\n${set}\n${said}`] });
}

describe('a sum is computed', () => {
  test.each([
    ['the text of the line', '{"set":{"$total":"$order.price * 2 + 1"}}'],
    ['the same with braces', '{"set":{"$total":"{$order.price}*2+1"}}'],
  ])('%s', async (_, set) => {
    const { said, result } = await totalOf(set);
    expect(said).toEqual(['That is 7.']);
    expect(result.answer).toBe(7);
  });

  test.each([
    ['self.state.total = self.state.order["price"] * 2 + 1', 7],
    ['self.state.total = (1 + 2) * 3 - 4 // 2', 7],
    ['self.state.total = 2 + 3 * 4 == 14 and not 1 > 2', true],
    ['self.state.total = len(self.state.order["tags"]) - -1', 3],
    ['self.state.total = "b" in self.state.order["tags"]', true],
    ['self.state.total = "c" not in self.state.order["tags"]', true],
    ['self.state.total = max(sorted([3, 9, 4])) % 5', 4],
    ['self.state.total = -self.state.order["price"] + sum([1, 2.5])', 0.5],
    ['self.state.total = "x" + str(7)', 'x7'],
  ])('%s', async (statement, wanted) => {
    const reply = `\`\`\`python
await self.Step("Main:01:EXE")
self.state.order = {"price": 3, "tags": ["a", "b"]}
await self.Step("Main:02:EXE")
${statement}
await self.Step("Main:03:QUE")
await self.Say("user", f"That is {self.state.total}.")
await self.Step("Main:04:RET")
await self.Return(self.state.total)
\`\`\``;
    const { result } = await played(open, { replies: [reply] });
    expect(result.answer).toEqual(wanted);
  });

  test('the value of a return, too', async () => {
    const reply =
      `${first}\n{"step":"02"}\n{"set":{"$total":7}}\n{"step":"03"}\n` +
      '{"say":"That is {$total}."}\n{"step":"04"}\n{"return":"$total - 1"}';
    expect((await played(program, { replies: [reply] })).result.answer).toBe(6);
  });

  test('text with a sign in it is text elsewhere', async () => {
    const { said } = await played(open, {
      replies: [
        `${first}\n{"step":"02"}\n{"set":{"$total":"3 - 4"}}\n{"step":"03"}\n` +
          '{"say":"That is {$total}."}\n{"step":"04"}\n{"return":null}',
      ],
    });
    expect(said).toEqual(['That is 3 - 4.']);
  });
});

describe('what has no value', () => {
  const wrong = `${first}\n{"step":"02"}\n{"set":{"$total":"$order.cost"}}\n{"step":"03"}`;
  const right =
    '{"step":"02"}\n{"set":{"$total":7}}\n{"step":"03"}\n{"say":"That is {$total}."}\n' +
    '{"step":"04"}\n{"return":"$total"}';

  test('is told once, with what is done already', async () => {
    const { result, prompts } = await played(open, { replies: [wrong, right] });
    expect(result.answer).toBe(7);
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain('cost');
    expect(prompts[1]).toContain('at Till.Main:02');
  });

  test('ends the run the second time, with what was wrong', async () => {
    const { result } = await played(program, { replies: [wrong, wrong] });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7313' } });
  });

  test('is left out where all that can be done shall be', async () => {
    const lenient = `${wrong}\n{"say":"Well."}\n{"step":"04"}\n{"return":"$order.cost"}`;
    const { result, said } = await played(program, { replies: [lenient], strictness: 'advise' });
    expect(said).toEqual(['Well.']);
    expect(result.status).toBe('done');
    const warnings = result.warnings.map(({ message }) => message);
    expect(warnings.filter((one) => one.startsWith('PV7313'))).toEqual([
      'PV7313 at Till.Main:02: key "cost" not in dict: that was left out',
      'PV7313 at Till.Main:04: key "cost" not in dict: that was left out',
    ]);
  });
});

test('a text is a text, also where a sum could be meant', async () => {
  const text = `# Ways
\`\`\`tools
def Marked(way):
    return "<" + way + ">"
\`\`\`
## Main
### Triggers
- At the beginning
### Steps
- $from = 3
- $to = 4
- Say("{$from}/{$to}")
- $way = "{$from}-{$to}"
- $marked = Marked("{$to} - {$from}")
- Return "{$way} * {$marked}"
`;
  const replies = [
    '{"set":{"$from":3}}\n{"set":{"$to":4}}\n{"say":"{$from}/{$to}"}\n' +
      '{"set":{"$way":"{$from}-{$to}"}}\n' +
      '{"call":"Marked","args":["{$to} - {$from}"],"into":"marked"}\n{"yield":"call"}',
    '{"return":"{$way} * {$marked}"}',
  ];
  const { said, result } = await played(text, { replies });
  expect(said).toEqual(['3/4']);
  expect(result.answer).toBe('3-4 * <4 - 3>');
  // Where no line has it in quotes, it is a sum that nobody computes.
  const { result: other } = await played(text.replace('"{$from}-{$to}"', 'the way back'), {
    replies: [replies[0] ?? '', replies[0] ?? ''],
  });
  expect(other).toMatchObject({ status: 'failed', error: { code: 'PV7307' } });
});

test('a summary that a model leaves is a note, and no variable', async () => {
  const reply = `${first}\n{"set":{"$__":"it was cheap"}}\n{"step":"02"}\n{"set":{"$total":7}}`;
  const rest = '{"step":"03"}\n{"say":"That is {$total}."}\n{"step":"04"}\n{"return":"$total - 1"}';
  const { journal, result } = await played(program, { replies: [`${reply}\n${rest}`] });
  expect(result.answer).toBe(6);
  const events = JSON.stringify(journal.events(result.run));
  expect(events).toContain('it was cheap');
  expect(events).not.toContain('"name":"__"');
});
