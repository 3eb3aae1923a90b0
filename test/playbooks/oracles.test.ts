/**
 * What small programs have to come to, number by number: variables of calls within calls, functions
 * and playbooks that call each other, modes, long values, descriptions, several that begin.
 */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { ops, played } from '../planner/playbook/played.ts';

const desk = (steps: string, rest = '', code = ''): string => {
  const block = code === '' ? '' : `\`\`\`tools\n${code}\n\`\`\`\n\n`;
  return `# Desk\n\n${block}## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;
};

const call = (name: string, args: object = {}, into?: string) => ({
  ...{ call: name, args },
  ...(into !== undefined && { into }),
});

const wait = { yield: 'call' };

test('a name is asked for until it is one', async () => {
  const text = desk(
    '- While $name is no name\n  - Ask user for a $name\n- Say("Hello {$name}")\n- Return $name',
  );
  const ask = (say: string) => ops({ step: '01.01' }, { say }, { yield: 'user' });
  const { said, result } = await played(text, {
    answers: ['42', '?', 'John'],
    replies: [
      ask('Name?'),
      ops(
        { set: { $name: '42' } },
        { step: '01' },
        { step: '01.01' },
        { say: 'A name, please' },
        { yield: 'user' },
      ),
      ops(
        { set: { $name: '?' } },
        { step: '01' },
        { step: '01.01' },
        { say: 'Once more' },
        { yield: 'user' },
      ),
      ops(
        { set: { $name: 'John' } },
        { step: '02' },
        { say: 'Hello {$name}' },
        { return: '$name' },
      ),
    ],
  });
  expect(said).toEqual(['Name?', 'A name, please', 'Once more', 'Hello John']);
  expect(result.answer).toBe('John');
});

test('a trigger comes to a function, and its number is exact', async () => {
  const text = desk(
    '- Ask user for a $number\n- Return $result',
    '## Magic\n### Triggers\n- When $number is set\n### Steps\n- $result = magic($number)\n',
    'def magic(x):\n    return (x * 100 - 1544) / 100\n',
  );
  const { result } = await played(text, {
    answers: ['10'],
    matches: () => ['Desk.Magic:T1'],
    replies: [
      ops({ say: 'Number?' }, { yield: 'user' }),
      ops({ set: { $number: 10 } }),
      ops(call('magic', { x: '$number' }, '$result'), wait),
      ops({ step: '03' }, { return: '$result' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toBe(-5.44);
});

describe('functions and playbooks call each other', () => {
  const code = [
    'def B(x):\n    return x * x',
    'def Y(x):\n    return x / 2',
    'def AB(x):\n    return A(B(x))',
    'def BAXY(x):\n    return B(A(X(Y(x))))',
  ].join('\n\n');
  const rest =
    '## A(x)\n### Steps\n- Return the root of x\n\n## X(x)\n### Steps\n- Return twice x\n';

  test.each([
    ['B', 7, 49],
    ['Y', 7, 3.5],
    ['AB', 9, 9],
    ['BAXY', 16, 16],
  ])('%s(%s) is %s', async (name, x, want) => {
    const { result } = await played(desk(`- $r = ${name}(${x})\n- Return $r`, rest, code), {
      replies({ prompt }) {
        const [, callee, given] = /called as ([AX])\(x=([\d.]+)\)\. Begin/.exec(prompt) ?? [];
        if (callee === 'A') return ops({ return: Math.sqrt(Number(given)) });
        if (callee === 'X') return ops({ return: Number(given) * 2 });
        return prompt.includes('Results:')
          ? ops({ return: '$r' })
          : ops(call(name, { x }, '$r'), wait);
      },
    });
    expect(result.error).toBeUndefined();
    expect(result.answer).toBe(want);
  });

  test('three in a row give back what the last one returns', async () => {
    const chain = (name: string, next: string) =>
      `## ${name}\n### Steps\n- r = ${next}()\n- Say("{r}")\n- Return r\n\n`;
    const end = '## C\n### Steps\n- Say("100")\n- Return 100\n';
    const back = ops({ say: '{r}' }, { return: '$r' });
    const { said, result } = await played(
      desk('- r = A()\n- Say("{r}")\n- Return r', chain('A', 'B') + chain('B', 'C') + end),
      {
        replies: [
          ...['A', 'B', 'C'].map((name) => ops(call(name, {}, 'r'), wait)),
          ops({ say: '100' }, { return: 100 }),
          ...[back, back, back],
        ],
      },
    );
    expect(said).toEqual(['100', '100', '100', '100']);
    expect(result.answer).toBe(100);
  });
});

describe('variables', () => {
  const f = (steps: string) => `## F(x)\n### Steps\n${steps}\n`;

  test.each<[string, string, string, readonly string[], unknown]>([
    [
      'of a call stay what they were, whatever its callee sets',
      '- x = 100\n- F(1)\n- Return x',
      f('- x = 5\n- Say("{x}")'),
      [
        ops({ set: { x: 100 } }, call('F', { x: 1 }), wait),
        ops({ set: { x: 5 } }, { say: '{x}' }),
        ops({ return: '$x' }),
      ],
      100,
    ],
    [
      'of the agent are those that a callee has set',
      '- $x = 100\n- F(1)\n- Return $x',
      f('- $x = 5\n- Say("{$x}")'),
      [
        ops({ set: { $x: 100 } }, call('F', { x: 1 }), wait),
        ops({ set: { $x: 5 } }, { say: '{$x}' }),
        ops({ return: '$x' }),
      ],
      5,
    ],
    [
      'of two calls of one playbook know nothing of each other',
      '- a = F(3)\n- b = F(4)\n- Return [a, b]',
      f('- y = x and one more\n- Say("{y}")\n- Return y'),
      [
        ops(call('F', { x: 3 }, 'a'), call('F', { x: 4 }, 'b'), wait),
        ops({ set: { y: 4 } }, { say: '{y}' }, { return: '$y' }),
        ops({ set: { y: 5 } }, { say: '{y}' }, { return: '$y' }),
        ops({ return: ['$a', '$b'] }),
      ],
      [4, 5],
    ],
    [
      'of a loop keep what the last round has set',
      '- total = 0\n- For each n in 1, 2 and 3\n  - total = total + n\n- Return total',
      '',
      [
        ops(
          { set: { total: 0 } },
          ...[1, 2, 3].flatMap((n) => [
            ...[{ step: '02' }, { set: { n } }],
            ...[{ step: '02.01' }, { set: { total: (n * (n + 1)) / 2 } }],
          ]),
          ...[{ step: '03' }, { return: '$total' }],
        ),
      ],
      6,
    ],
    [
      'that only one branch sets are there behind it',
      '- $n = 4\n- If $n is even\n  - kind = "even"\n- Otherwise\n  - kind = "odd"\n- Return kind',
      '',
      [
        ops(
          { set: { $n: 4 } },
          { step: '02.01' },
          { set: { kind: 'even' } },
          { step: '04' },
          { return: '$kind' },
        ),
      ],
      'even',
    ],
    [
      'are there behind a wait',
      '- x = 7\n- Ask user for $y\n- Return [x, $y]',
      '',
      [
        ops({ set: { x: 7 } }, { say: 'y?' }, { yield: 'user' }),
        ops({ set: { $y: 8 } }, { return: ['$x', '$y'] }),
      ],
      [7, 8],
    ],
  ])('%s', async (_, steps, rest, replies, want) => {
    const { result } = await played(desk(steps, rest), { replies, answers: ['8'] });
    expect(result.error).toBeUndefined();
    expect(result.answer).toEqual(want);
  });

  test('of an agent are not those of another, and no reply sets them', async () => {
    const text = `${desk('- $rate = 1\n- Return $rate')}\n# Tax\n\n## Rate\npublic: true\n### Steps\n- $rate = 2\n`;
    const wrong = ops({ set: { 'Tax.$rate': 3 } });
    const { result, prompts } = await played(text, {
      replies: [wrong, ops({ set: { $rate: 1 } }, { return: '$rate' })],
    });
    expect(result.answer).toBe(1);
    expect(prompts[1]).toContain('want the name of a variable of this agent');
  });
});

test('with steps, freely, in one completion, and as code: the modes of one program', async () => {
  const text = desk(
    '- $a = Think it over(2)\n- $b = Poem("tide")\n- $c = double(3)\n- Return [$a, $b, $c]',
    '## Think it over(n)\nFind out what {n} and three are.\n\n' +
      '## Poem(topic)\nexecution_mode: raw\nA line about {topic}.\n',
    'def double(n):\n    return n * 2\n',
  );
  const { result, prompts } = await played(text, {
    replies({ prompt }) {
      if (prompt.includes('A line about tide.')) return 'It comes and goes.';
      if (prompt.includes('what 2 and three are')) return ops({ think: '2 + 3' }, { return: 5 });
      if (prompt.includes('Results:')) return ops({ return: ['$a', '$b', '$c'] });
      return ops(
        ...[call('ThinkItOver', { n: 2 }, '$a'), call('Poem', { topic: 'tide' }, '$b')],
        ...[call('double', { n: 3 }, '$c'), wait],
      );
    },
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toEqual([5, 'It comes and goes.', 6]);
  expect(prompts).toHaveLength(4);
});

test('a long value goes by its name: no prompt has all of it, and a function does', async () => {
  const page = `Wels${'er stood at the quay. '.repeat(2000)}`;
  const read = quickTool('read', () => page, {
    effect: 'read',
    parameters: { type: 'object', properties: {} },
  });
  const text = desk(
    '- $page = read()\n- $start = start_of($page)\n- Use($page)\n- Return $start',
    '## Use(text)\n### Steps\n- $again = start_of(text)\n- Say("{$again}")\n',
    'def start_of(text):\n    return text[:4]\n',
  );
  const { result, said, prompts } = await played(text, {
    tools: [read],
    replies: [
      ops(call('read', {}, '$page'), wait),
      ops(
        call('start_of', { text: '$page' }, '$start'),
        call('Use', { text: '$page' }),
        { step: '05' },
        wait,
      ),
      ops(call('start_of', { text: '$text' }, '$again'), wait),
      ops({ say: '{$again}' }),
      ops({ return: '$start' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toBe('Wels');
  expect(said).toEqual(['Wels']);
  for (const prompt of prompts) expect(prompt.length).toBeLessThan(page.length / 2);
});

test('a description is filled in with arguments, what the agent knows, functions and playbooks', async () => {
  const text = desk(
    '- $jk = "seven"\n- Tell(2)',
    '## Tell(n)\nOf {n}, {$jk}, {double(n)} and {Word()}.\n### Steps\n- Say("told")\n\n' +
      '## Word\n### Steps\n- Return "greed"\n',
    'def double(n):\n    return n * 2\n',
  );
  const { prompts, result } = await played(text, {
    replies: [
      ops({ set: { $jk: 'seven' } }, call('Tell', { n: 2 }), wait),
      ops({ return: 'greed' }),
      ops({ say: 'told' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(prompts[2]).toContain('Of 2, seven, 4 and greed.');
});

test('several that begin are played in the order of the file, agent by agent', async () => {
  const begins = (name: string) =>
    `## ${name}\n### Triggers\n- At the beginning\n### Steps\n- Say("${name}")\n- Return "${name}"\n\n`;
  const text = `# One\n\n${begins('A')}${begins('B')}# Two\n\n${begins('C')}# Idle\n\n## D\n### Steps\n- Say("D")\n`;
  const { said, result } = await played(text, {
    replies: ['A', 'B', 'C'].map((name) => ops({ say: name }, { return: name })),
  });
  expect(said).toEqual(['A', 'B', 'C']);
  expect(result.answer).toBe('A');
});
