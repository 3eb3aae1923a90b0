/**
 * Statements of Python as models write them in replies of late 2025: computed where that is simple
 * and sure, told where it is not, with what to write instead.
 */
import { describe, expect, test } from 'vitest';
import { ReplyReader } from '../../../src/planner/playbook/reply/reply-reader.ts';
import { played } from './played.ts';

const said = (code: string) => {
  const reader = new ReplyReader();
  const text = `\`\`\`python\n${code}\n\`\`\``;
  return [...reader.feed(text), ...reader.end()].map((one) => one.said);
};

const program = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- Choose what $x is by what there is
- Return $x
`;

const comingTo = async (...statements: readonly string[]) => {
  const code = [
    ...['await self.Step("Main:01:EXE")', 'self.state.n = 3', 'self.state.name = " Eve "'],
    ...['self.state.l = ["a", "b"]', 'self.state.d = {"k": 1}', 'self.state.no = None', 'i = 1'],
    ...[...statements, 'await self.Step("Main:02:RET")', 'await self.Return(self.state.x)'],
  ];
  const reply = `\`\`\`python\n${code.join('\n')}\n\`\`\``;
  const { result } = await played(program, { replies: [reply] });
  return [result.error?.message, result.answer];
};

describe('is computed', () => {
  test.each<readonly [string, unknown]>([
    ['self.state.x = 1 if self.state.n > 2 else 2', 1],
    ['self.state.x = "a" if self.state.no else f"b {self.state.n}"', 'b 3'],
    ['self.state.x = {"k": 1 if self.state.n is None else [self.state.n]}', { k: [3] }],
    ['self.state.x = self.state.no is None and self.state.n is not None', true],
    ['self.state.x = self.state.name.strip().lower()', 'eve'],
    ['self.state.x = "{} of {}".format(self.state.n, len(self.state.l))', '3 of 2'],
    ['self.state.x = "%s!" % self.state.n', '3!'],
    ['self.state.x = self.state.l[i]', 'b'],
    ['self.state.x = self.state.l[i:]', ['b']],
    ['self.state.x = self.state.name[:-1]', ' Eve'],
    ['self.state.x = self.state.d.get("q", 7) + 1', 8],
    ['self.state.x = ", ".join(self.state.l)', 'a, b'],
    ['self.state.x: dict[str, list[int]] = {"a": [1]}', { a: [1] }],
    ['self.state.x: Literal["a", "b"] | None = "b"', 'b'],
    ['self.state.x = \\\n    self.state.n + \\\n    1', 4],
    ['self.state.x, j = self.state.n, 2', 3],
    ['(j, self.state.x) = (1, 2)', 2],
    ['self.state.x = self.state.n\nself.state.x *= 2\nself.state.x -= i', 5],
    ['self.state.x = self.state.l\nself.state.x.append("c")', ['a', 'b', 'c']],
    ['self.state.x = []\nself.state.x.extend(self.state.l)', ['a', 'b']],
  ])('%s', async (statements, want) => {
    expect(await comingTo(statements)).toEqual([undefined, want]);
  });
});

describe('is told', () => {
  test.each([
    ['self.state.a, self.state.b = self.state.b, self.state.a', 'want one variable a line'],
    ['a, b = self.state.pair', 'got 2 names for one value, want one name'],
    ['r = await asyncio.gather(F(1), G(2))', 'got 2 calls for r, want a name for each'],
    ['self.state.d["k"] = 5', 'got a part of self.state.d set, want all of it set'],
    ['self.state["d"]["k"] = 5', 'got a part of self.state["d"] set, want all of it set'],
    ['self.state.d.update({"k": 5})', 'changes a variable in place, want all that it has then'],
    ['x = self.state.l.pop()', 'changes a variable in place, want all that it has then set'],
    ['self.state.x = round(self.state.n, 1)', 'is not computed here, want what it comes to'],
    ['self.state.x = [one for one in self.state.l]', 'want , or ]'],
    ['self.state.n += await F(1)', 'want it queued first, into a variable'],
    ['if self.state.n > 2: await Say("user", "hi")', 'decided by you'],
    ['await Say("user", "{x}".format(x=1))', 'want , or )'],
  ])('%s', (statement, want) => {
    const found = said(statement);
    expect(found).toEqual([expect.objectContaining({ is: 'wrong' })]);
    expect(JSON.stringify(found)).toContain(JSON.stringify(want).slice(1, -1));
  });

  test('as a warning where it does nothing', () => {
    expect(said('print("hi")\ndel self.state.x')).toMatchObject([
      { is: 'mended', text: expect.stringContaining('does nothing') },
      { is: 'mended' },
    ]);
  });
});

describe('of what a line is set to, only the last value counts', () => {
  const doubled = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $a = 3
- $b = $a * 2
- Say("It is {$b}.")
- Return $b
`;
  const reply = (...statements: readonly string[]) =>
    [
      ...['await self.Step("Main:01:EXE")', 'self.state.a = 3', 'await self.Step("Main:02:EXE")'],
      ...[...statements, 'await self.Step("Main:03:QUE")'],
      ...['await Say("user", f"It is {self.state.b}.")', 'await self.Step("Main:04:RET")'],
      'await self.Return(self.state.b)',
    ].join('\n');

  test.each([
    ['self.state.b = self.state.a\nself.state.b *= 2'],
    ['self.state.b = 0\n# plan: so\nself.state.b = self.state.a + self.state.a'],
    ['self.state.b = 1\nself.state.b += self.state.b\nself.state.b *= self.state.a'],
  ])('%s', async (statements) => {
    const { result, said: heard } = await played(doubled, { replies: [reply(statements)] });
    expect(result).toMatchObject({ answer: 6, warnings: [] });
    expect(heard).toEqual(['It is 6.']);
  });

  test('and is told where it is another one', async () => {
    const wrong = reply('self.state.b = self.state.a', 'self.state.b += 1');
    const rest = reply('self.state.b = 6').split('\n').slice(2).join('\n');
    const { result, said: heard, prompts } = await played(doubled, { replies: [wrong, rest] });
    expect(prompts[1]).toContain('line 02 sets $b to 6, got 4');
    expect([result.answer, heard]).toEqual([6, ['It is 6.']]);
  });

  test('or all that is advised', async () => {
    const lenient = { replies: [reply('self.state.b = 5')], strictness: 'advise' } as const;
    const { result } = await played(doubled, lenient);
    expect(result).toMatchObject({
      answer: 5,
      warnings: [{ message: 'PV7316 line 02 sets $b to 6, got 5' }],
    });
  });
});

describe('calls side by side', () => {
  test.each([
    ['await asyncio.gather(F(1), self.G(2))', undefined, undefined],
    ['a, b = await asyncio.gather(\n    F(1),\n    self.G(2),\n)', 'a', 'b'],
    ['self.state.a, b = await asyncio.gather(F(1), self.G(2))', 'a', 'b'],
  ])('%s', (statement, first, second) => {
    const found = said(statement).map((one) => (one.is === 'call' ? one : undefined));
    expect(found.map((one) => [one?.callee, one?.into?.name])).toEqual([
      ['F', first],
      ['G', second],
    ]);
  });
});

test('what a playbook or function is called is a call of it', async () => {
  const text = `# Desk
\`\`\`tools
def find(text):
    return 5
\`\`\`
## Main
### Triggers
- At the beginning
### Steps
- Look it up, and note it in $x
- Return $x
`;
  const reply = (call: string) =>
    `await self.Step("Main:01:EXE")\nself.state.x = await ${call}\nawait self.Yield("call")`;
  const rest = 'await self.Step("Main:02:RET")\nawait self.Return(self.state.x)';
  const { result } = await played(text, { replies: [reply('Desk.find("a")'), rest] });
  expect(result.answer).toBe(5);
  const { prompts } = await played(text, {
    replies: [reply('Shelf.find("a")'), reply('find("a")'), rest],
  });
  expect(prompts[1]).toContain('there is no playbook or tool Shelf.find');
});
