/**
 * What small programs have to come to, number by number: variables of calls within calls, functions
 * and playbooks that call each other, modes, long values, descriptions, several that begin.
 */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { ops, type PlayOptions, played } from '../planner/playbook/played.ts';

const desk = (steps: string, rest = '', code = ''): string => {
  const block = code === '' ? '' : `\`\`\`tools\n${code}\n\`\`\`\n\n`;
  return `# Desk\n\n${block}## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;
};

/** Without an error, and with this answer. */
async function answerOf(text: string, options: Partial<PlayOptions> = {}) {
  const ran = await played(text, { replies: [], ...options });
  expect(ran.result.error).toBeUndefined();
  return { ...ran, answer: ran.result.answer };
}

test('a question with a value is not put again: whoever asks again empties the variable', async () => {
  const { said, answer } = await answerOf(
    desk(
      '- $name = Ask(user, "Name?")\n- While $name == "42"\n  - Ask user for another name\n- Return $name',
    ),
    {
      answers: ['42', 'John'],
      replies: [ops({ at: '02.01' }, { say: 'A name, please?' }), ops({ set: { $name: 'John' } })],
    },
  );
  expect([said, answer]).toEqual([['Name?', 'A name, please?'], 'John']);
});

test('a trigger comes to a function, and its number is exact', async () => {
  const { answer } = await answerOf(
    desk(
      '- $number: int = Ask(user, "Number?")\n- Return $result',
      '## Magic\n### Triggers\n- When $number is set\n### Steps\n- $result = magic($number)\n',
      'def magic(x):\n    return (x * 100 - 1544) / 100\n',
    ),
    { answers: ['10'] },
  );
  expect(answer).toBe(-5.44);
});

describe('functions and playbooks call each other', () => {
  const code = [
    'def B(x):\n    return x * x',
    'def Y(x):\n    return x / 2',
    'def AB(x):\n    return A(B(x))',
    'def BAXY(x):\n    return B(A(X(Y(x))))',
  ].join('\n\n');
  const rest =
    '## A(x)\n### Steps\n- Return the root of {x}\n\n## X(x)\n### Steps\n- Return x * 2\n';

  test.each([
    ['B(7)', 49],
    ['Y(7)', 3.5],
    ['AB(9)', 9],
    ['BAXY(16)', 16],
    ['B(2) + Y(4)', 6],
  ])('%s is %s', async (call, want) => {
    const { answer } = await answerOf(desk(`- $r = ${call}\n- Return $r`, rest, code), {
      replies({ prompt }) {
        const [, x] = /called as A\(x=([\d.]+)\)/.exec(prompt) ?? [];
        return ops({ return: Math.sqrt(Number(x)) });
      },
    });
    expect(answer).toBe(want);
  });

  test('three in a row give back what the last one returns', async () => {
    const chain = (name: string, next: string) =>
      `## ${name}\n### Steps\n- r = ${next}()\n- Say("{r}")\n- Return r\n\n`;
    const end = '## C\n### Steps\n- Say("100")\n- Return 100\n';
    const { said, answer } = await answerOf(
      desk('- r = A()\n- Say("{r}")\n- Return r', chain('A', 'B') + chain('B', 'C') + end),
    );
    expect([said, answer]).toEqual([['100', '100', '100', '100'], 100]);
  });
});

describe('variables', () => {
  const f = (steps: string) => `## F(x)\n### Steps\n${steps}\n`;

  test.each<[string, string, string, unknown]>([
    [
      'of a call stay what they were, whatever its callee sets',
      '- x = 100\n- F(1)\n- Return x',
      f('- x = 5\n- Say("{x}")'),
      100,
    ],
    [
      'of the agent are those that a callee has set',
      '- $x = 100\n- F(1)\n- Return $x',
      f('- $x = 5'),
      5,
    ],
    [
      'of two calls of one playbook know nothing of each other',
      '- a = F(3)\n- b = F(4)\n- Return [a, b]',
      f('- y = x + 1\n- Return y'),
      [4, 5],
    ],
    [
      'of a playbook that calls itself are those of each call, with a dollar too',
      '- Return Fact(5)',
      '## Fact($n)\n### Steps\n- If $n < 2\n  - Return 1\n- rest = Fact($n - 1)\n- Return $n * rest\n',
      120,
    ],
    [
      'of a loop keep what the last round has set',
      '- total = 0\n- For each $n in [1, 2, 3]\n  - total = total + $n\n- Return [total, $n]',
      '',
      [6, 3],
    ],
    [
      'that only one branch sets are there after it',
      '- $n = 4\n- If $n % 2 == 0\n  - kind = "even"\n- Otherwise\n  - kind = "odd"\n- Return kind',
      '',
      'even',
    ],
    ['are there after a wait', '- x = 7\n- $y = Ask(user, "y?")\n- Return [x, $y]', '', [7, '8']],
  ])('%s', async (_, steps, rest, want) => {
    expect((await answerOf(desk(steps, rest), { answers: ['8'] })).answer).toEqual(want);
  });

  test('each agent has those of its own, whoever calls it', async () => {
    const office = '# Office\n## Rate\npublic: true\n### Steps\n- $n = 7\n- Return $n\n';
    const { answer } = await answerOf(
      desk('- $n = 1\n- $rate = Office.Rate()\n- Return [$n, $rate]', office),
    );
    expect(answer).toEqual([1, 7]);
  });

  test('a callee is not shown the locals of its caller, and cannot use them', async () => {
    const reply = ops({ say: '{$region}' });
    const { result, prompts } = await played(
      desk(
        '- region = "north"\n- $name = "Pinker"\n- Describe()',
        '## Describe\n### Steps\n- Tell them of it\n',
      ),
      { replies: [reply, reply] },
    );
    expect(prompts[0]).not.toContain('north');
    expect(result.error).toMatchObject({ code: 'PV7307' });
  });
});

test('with steps, freely, in one completion, and as code: the modes of one program', async () => {
  const text = desk(
    '- $a = ThinkItOver(2)\n- $b = Poem("tide")\n- $c = double(3)\n- Return [$a, $b, $c]',
    '## Think it over(n)\nFind out what {n} and three are.\n\n' +
      '## Poem(topic)\nexecution_mode: raw\nA line about {topic}.\n',
    'def double(n):\n    return n * 2\n',
  );
  const { answer, prompts } = await answerOf(text, {
    replies: ({ prompt }) =>
      prompt.includes('A line about tide.') ? 'It comes and goes.' : ops({ return: 5 }),
  });
  expect(answer).toEqual([5, 'It comes and goes.', 6]);
  expect(prompts).toHaveLength(2);
});

test('a long value goes by its name: no prompt has all of it, and a function does', async () => {
  const page = `Wels${'er stood at the quay. '.repeat(2000)}`;
  const text = desk(
    '- $page = read()\n- $start = start_of($page)\n- Tell them what $page says\n- Return $start',
    '',
    'def start_of(text):\n    return text[:4]\n',
  );
  const { answer, prompts } = await answerOf(text, {
    tools: [quickTool('read', () => page)],
    replies: [ops({ show: ['page'] }), ops({ say: 'It begins with {$start}.' })],
  });
  expect(answer).toBe('Wels');
  expect(prompts[0]?.length).toBeLessThan(page.length / 2);
  expect(prompts[1]).toContain(page);
});

test('a description is filled in with arguments, what the agent knows, functions and playbooks', async () => {
  const { prompts } = await answerOf(
    desk(
      '- $jk = "seven"\n- Tell(2)',
      '## Tell(n)\nOf {n}, {$jk}, {double(n)} and {Word()}.\n### Steps\n- Say what there is\n\n' +
        '## Word\n### Steps\n- Return "greed"\n',
      'def double(n):\n    return n * 2\n',
    ),
    { replies: [ops({ say: 'told' })] },
  );
  expect(prompts[0]).toContain('Of 2, seven, 4 and greed.');
});

test('several that begin are played in the order of the file, agent by agent', async () => {
  const begins = (name: string) =>
    `## ${name}\n### Triggers\n- At the beginning\n### Steps\n- Say("${name}")\n- Return "${name}"\n\n`;
  const { said, answer } = await answerOf(
    `# One\n\n${begins('A')}${begins('B')}# Two\n\n${begins('C')}# Idle\n\n## D\n### Steps\n- Say("D")\n`,
  );
  expect([said, answer]).toEqual([['A', 'B', 'C'], 'A']);
});

test('a function that is a playbook needs no model, whatever sets it off', async () => {
  const code = [
    '@playbook(triggers = ["When $pin is set"])',
    'def Check(pin):',
    '    state["ok"] = len(pin) == 4',
    '    Say("PIN %s" % pin)',
  ].join('\n');
  const { said, answer } = await answerOf(
    desk('- $pin = Ask(user, "PIN?")\n- Return $ok', '', code),
    { answers: ['1234'] },
  );
  expect([said, answer]).toEqual([['PIN?', 'PIN 1234'], true]);
});
