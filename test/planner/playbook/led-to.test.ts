/** What is well meant and written otherwise: behind words, as one text, with braces twice. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const program = (...lines: readonly string[]) =>
  `# Trips\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n`;

const shop = program('- $who = "Ann"', '- order($who)', '- Return 1');
const first = ops({ step: '01' }, { set: { who: 'Ann' } }, { step: '02' });
const end = ops({ step: '03' }, { return: 1 });

async function ordered(line: string) {
  const made: unknown[] = [];
  const give = (args: unknown): string => {
    made.push(args);
    return 'ok';
  };
  const parameters = {
    ...{ type: 'object', required: ['who'] },
    properties: { who: { type: 'string' }, n: { type: 'integer' } },
  };
  const tool = quickTool('order', give, { effect: 'write', parameters });
  const replies = [`${first}\n${line}\n{"yield":"call"}`, end, end];
  const { result } = await played(shop, { replies, tools: [tool] });
  return { made, result };
}

const call = '{"call":"order","args":{"who":"$who"}}';

describe('an operation behind words and a colon', () => {
  test.each(['Now: ', 'I call it: ', "So, here's the call: ", 'Action:'])('%s', async (words) => {
    const { made, result } = await ordered(words + call);
    expect([made, result.status]).toEqual([[{ who: 'Ann' }], 'done']);
  });

  test.each([
    ...['For example: ', 'I will not do this: ', 'Already done: ', 'Later: ', 'If it rains: '],
    ...['Now (perhaps): ', 'Now: {"a": 1} '],
  ])('%s may be none', async (words) => {
    const { made } = await ordered(words + call);
    expect(made).toEqual([]);
  });

  test('with more behind it may be none', async () => {
    const { made } = await ordered(`Now: ${call} is what I would do`);
    expect(made).toEqual([]);
  });
});

describe('arguments as one text', () => {
  test.each([
    ['who=Ann', { who: 'Ann' }],
    ['who = "Ann", n = 2', { who: 'Ann', n: 2 }],
    ['who=$who; n=2', { who: 'Ann', n: 2 }],
    ['who=$who', { who: 'Ann' }],
    ['Ann', { who: 'Ann' }],
  ])('%s', async (args, want) => {
    const { made } = await ordered(JSON.stringify({ call: 'order', args }));
    expect(made).toEqual([want]);
  });

  test.each(['who=Ann, size=2', 'colour=red', 'who=Ann who=Bob', 'see who=Ann'])(
    '%s is a text as others are',
    async (args) => {
      const { made } = await ordered(JSON.stringify({ call: 'order', args }));
      expect(made).toEqual([]);
    },
  );
});

test('braces may be doubled around a variable', async () => {
  const { said } = await played(program('- $who = "Ann"', '- Greet $who', '- Return 1'), {
    replies: [
      ops(
        ...[{ step: '01' }, { set: { who: 'Ann' } }, { step: '02' }],
        ...[{ say: '{{$who}}, {{ $who }}, {{x}}, {a {$who}}' }, { step: '03' }, { return: 1 }],
      ),
    ],
  });
  expect(said).toEqual(['Ann, Ann, {{x}}, {a Ann}']);
});

test('in Python, a variable of the call may be written as one of the agent', async () => {
  const lines = [
    ...['await self.Step("Main:01:EXE")', 'self.state.x = 2', 'await self.Step("Main:02:EXE")'],
    ...['self.state.y = self.state.x + 1', 'await self.Step("Main:03:RET")'],
    'await self.Return(self.state.y)',
  ];
  const reply = `\`\`\`python\n${lines.join('\n')}\n\`\`\``;
  const { result, journal } = await played(program('- x = 2', '- $y = x + 1', '- Return $y'), {
    replies: [reply],
  });
  expect(result).toMatchObject({ status: 'done', answer: 3, warnings: [] });
  const sets = JSON.stringify(journal.events(result.run)).match(
    /"name\\?":\\?"x\\?"[^}]*scope[^}]*?local/,
  );
  expect(sets).not.toBeNull();
});

describe('a playbook without lines goes on behind what is no answer', () => {
  const free = '# Trips\n## Main\nDo what is due.\n### Triggers\n- At the beginning\n';

  test.each([{ set: { a: 1 } }, { unexpected: 'It rains.' }])('%j', async (op) => {
    const { result, prompts } = await played(free, { replies: [ops(op), ops({ return: 'x' })] });
    expect(result).toMatchObject({ status: 'done', answer: 'x' });
    expect(prompts).toHaveLength(2);
  });

  test('but not for ever', async () => {
    const replies = () => ops({ set: { a: 1 } });
    const { result, prompts } = await played(free, { replies, turns: 20 });
    expect(result.error?.message).toContain('again and again');
    expect(prompts.length).toBeLessThan(6);
  });
});
