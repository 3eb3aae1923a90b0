/** Functions that are playbooks: what is played by code, with no model, beside what a model plays. */
import { describe, expect, test } from 'vitest';
import { checkCompiled } from '../../src/dialects/playbook/check/check.ts';
import { explained } from '../../src/dialects/playbook/link/explain.ts';
import { link } from '../../src/dialects/playbook/link/link.ts';
import { printCompiled } from '../../src/dialects/playbook/pbasm/print.ts';
import { cleanCode, readCode } from '../../src/dialects/playbook/source/code.ts';
import { compiledOf, readTree } from '../../src/dialects/playbook/tree-of.ts';
import { ops, played } from '../planner/playbook/played.ts';
import type { Turn } from './forms.ts';
import { programOf, tell } from './story.ts';

const environment = { tools: new Map(), inputs: [] };

const checked = (text: string) => {
  const { tree, diagnostics } = readTree(text);
  return [...diagnostics, ...checkCompiled(compiledOf(tree), environment)];
};

const ask = (step: string, say: string): Turn => ({
  of: 'Main',
  ops: [{ step }, { say }, { yield: 'user' }],
});

const set = (name: string, value: unknown): Turn => ({
  ...{ of: 'Main', isCutByTrigger: true },
  ops: [{ set: { [name]: value } }, { say: 'never said' }, { yield: 'user' }],
});

describe('inputs are checked by a function and by a model, and the loop over them goes on', () => {
  tell({
    program: 'coded-triggers',
    answers: ['123', '1234', 'test@', 'test@playbooks.com'],
    judged: 4,
    matches: ({ changed }) =>
      Object.keys(changed as object).map((name) =>
        name === '$pin' ? 'Door.CheckPin:T1' : 'Door.CheckEmail:T1',
      ),
    turns: [
      ask('01.01', 'PIN?'),
      set('$pin', '123'),
      ask('01.01', 'PIN again?'),
      set('$pin', '1234'),
      ask('02.01', 'Mail?'),
      set('$email', 'test@'),
      { of: 'CheckEmail', ops: [{ step: '02' }, { step: '02.01' }, { say: 'no address' }] },
      ask('02.01', 'Mail again?'),
      set('$email', 'test@playbooks.com'),
      {
        of: 'CheckEmail',
        ops: [
          ...[{ step: '01' }, { step: '01.01' }, { say: 'Validation2 {$email}' }],
          { return: null },
        ],
      },
      {
        ...{ of: 'Main', isCutByTrigger: true },
        ops: [{ step: '03' }, { set: { $x: 1000 } }, { step: '04' }, { say: 'never said' }],
      },
      { of: 'Main', ops: [{ step: '04' }, { say: '{$x}' }, { step: '05' }, { return: '$x' }] },
    ],
    said: [
      ...['PIN?', 'no PIN', 'PIN again?', 'Validation1 1234', 'Mail?', 'no address'],
      ...['Mail again?', 'Validation2 test@playbooks.com', 'Too big', '8999'],
    ],
    answer: 8999,
    skip: { turn: 11, ops: [{ step: '05' }, { return: '$x' }] },
  });
});

describe('a program of code alone', () => {
  const text = programOf('code-only');

  test('asks no model, takes its inputs, and gives its answer', async () => {
    const { result, said, prompts } = await played(text, { replies: [], given: { price: 100 } });
    expect(result.error).toBeUndefined();
    expect([result.answer, said, prompts]).toEqual([220, ['total 220'], []]);
    const other = await played(text, { replies: [], given: { price: 100, count: 3 } });
    expect(other.result.answer).toBe(330);
  });

  test('asks a person for what it is not given, once more where that is of another type', async () => {
    const { result, prompts } = await played(text, { replies: [], answers: ['seven', '7'] });
    expect(result.error).toBeUndefined();
    expect(result.answer).toBe(15);
    expect(prompts).toEqual([]);
  });

  test('is checked without a complaint, and explained', () => {
    const told = checked(text).filter(({ message }) => !/async|await|types/.test(message));
    expect(told).toEqual([]);
    const { tree } = readTree(text);
    expect(explained(link(compiledOf(tree)))).toContainEqual({
      ...{ what: 'code', at: 'Till.Main', text: 'a function: no model is asked to play it' },
    });
  });
});

test.each(['code-only', 'coded-triggers'])('%s prints and reads back', (name) => {
  const { tree } = readTree(programOf(name));
  const printed = printCompiled(compiledOf(tree));
  const { tree: again, diagnostics } = readTree(printed);
  expect(diagnostics).toEqual([]);
  expect(compiledOf(again)).toEqual(compiledOf(tree));
  expect(printCompiled(compiledOf(again))).toBe(printed);
});

const two = (mark: string): string =>
  '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $r = Shop.Twice(4)\n' +
  `- Return $r\n\n# Shop\n\n\`\`\`tools\n${mark}\ndef Twice(x):\n    return 2 * x\n\`\`\`\n`;

test('a public function is called from another agent, one that is not is refused', async () => {
  const text = two('@playbook(public = True)');
  expect(checked(text)).toEqual([]);
  const { result, prompts } = await played(text, {
    replies: [
      ops({ call: 'Shop.Twice', args: { x: 4 }, into: '$r' }, { yield: 'call' }),
      ops({ return: '$r' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toBe(8);
  expect(prompts).toHaveLength(2);
  expect(checked(two('@playbook(hidden = True)'))).toContainEqual(
    expect.objectContaining({ code: 'PV2417' }),
  );
});

test('what fails in a function that another agent calls is told to the model', async () => {
  const text = two('@playbook(public = True)').replace('2 * x', 'x // 0');
  const { result, prompts } = await played(text, {
    replies: [
      ops({ call: 'Shop.Twice', args: { x: 4 }, into: '$r' }, { yield: 'call' }),
      ops({ return: 'none' }),
    ],
  });
  expect(result.answer).toBe('none');
  expect(prompts[1]).toContain('division by zero');
});

test('a message to an idle program is heard by a function, and by no model', async () => {
  const text =
    '# Till\n\n```tools\n@playbook(triggers = ["At the beginning"])\ndef Open():\n' +
    '    state["paid"] = 0\n\n@playbook(triggers = ["When somebody has paid"])\n' +
    'def Paid(paid):\n    state["paid"] = paid + 1\n    Say("noted %d" % state["paid"])\n```\n';
  const { said, prompts } = await played(text, {
    ...{ replies: [], answers: ['here is a coin'], idle: true },
    matches: () => ['Till.Paid:T1'],
  });
  expect(said).toEqual(['noted 1']);
  expect(prompts).toEqual([]);
});

describe('what functions set sets off triggers', () => {
  const desk = (code: string, rest = ''): string =>
    `# Desk\n\n\`\`\`tools\n${code}\n\`\`\`\n${rest}`;
  const begins = '@playbook(triggers = ["At the beginning"])';
  const tooBig =
    '@playbook(triggers = ["When $x > 15"])\ndef TooBig(x):\n    Say("too big: %d" % x)';

  test('of a function that is a playbook, when it is over', async () => {
    const text = desk(`${begins}\ndef Main():\n    state["x"] = 20\n    Say("set")\n\n${tooBig}`);
    const { result, said, prompts } = await played(text, { replies: [] });
    expect(result.error).toBeUndefined();
    expect([said, prompts]).toEqual([['set', 'too big: 20'], []]);
  });

  const steps =
    '\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Put(12)\n- Put(17)\n- Return 1\n';
  const put = (line: string, n: number) => ops({ step: line }, { call: 'Put', args: { n } });
  const told = [put('01', 12), put('02', 17), ops({ step: '03' }, { return: 1 })];

  test('of one that a line calls, behind the turn that called it, and once', async () => {
    const text = desk(`def Put(n):\n    state["x"] = n\n\n${tooBig}`, steps);
    const { result, said, prompts } = await played(
      text.replace('- Return', '- Put(18)\n- Return'),
      {
        replies: [...told.slice(0, 2), put('03', 18), ops({ step: '04' }, { return: 1 })],
      },
    );
    expect(result.error).toBeUndefined();
    expect(prompts).toHaveLength(4);
    expect(said).toEqual(['too big: 17']);
    expect(prompts[2]).toContain('When $x > 15: Desk.TooBig was played');
  });

  test('also what is changed in its place, and a classifier is asked of what has changed', async () => {
    const text = desk(
      'def Put(n):\n    state.setdefault("all", []).append(n)',
      `${steps}\n## Full\n### Triggers\n- When $all is more than anybody wants\n- When $gone is odd\n` +
        '### Steps\n- Say("Enough.")\n',
    );
    const asked: unknown[] = [];
    const { result, said } = await played(text, {
      replies: [...told.slice(0, 2), ops({ say: 'Enough.' }), told[2] ?? ''],
      matches: ({ conditions, changed }) => {
        asked.push([(conditions as { readonly id: string }[]).map(({ id }) => id), changed]);
        return asked.length > 1 ? ['Desk.Full:T1'] : [];
      },
    });
    expect(result.error).toBeUndefined();
    expect(asked).toEqual([
      [['Desk.Full:T1'], { $all: [12] }],
      [['Desk.Full:T1'], { $all: [12, 17] }],
    ]);
    expect(said).toEqual(['Enough.']);
  });

  test('what was given with a call only as that begins, and once', async () => {
    const text = desk(
      `def Put(n):\n    state["y"] = n\n\n${tooBig.replace('["When', '["When $y == 17", "When')}`,
      '\n## Main($x)\n### Triggers\n- At the beginning\n### Steps\n- Put(12)\n- Put(17)\n- Return 1\n',
    );
    const { result, said } = await played(text, { replies: told, given: { x: 16 } });
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['too big: 16', 'too big: 16']);
  });
});

describe('what sets a playbook off is among its arguments, where it wants it', () => {
  const text =
    '# Till\n\n```tools\n@playbook(triggers = ["At the beginning"])\ndef Open():\n    return 0\n\n' +
    '@playbook(triggers = ["When somebody has paid"])\ndef Paid(message, sender, rate = 2):\n' +
    '    Say("%s: %s, %d" % (sender, message, rate))\n\n' +
    '@playbook(triggers = ["When the event paid arrives"])\ndef PaidBy(event):\n' +
    '    Say("%d" % event["data"]["cents"])\n```\n';

  test.each([
    ['a message', 'here is a coin', 'User: here is a coin, 2'],
    ['an event', '{"event": "paid", "data": {"cents": 40}}', '40'],
  ])('%s', async (_, answer, words) => {
    const { said, prompts, result } = await played(text, {
      ...{ replies: [], answers: [answer], idle: true },
      matches: () => ['Till.Paid:T1'],
    });
    expect(result.status).toBe('waiting');
    expect([said, prompts]).toEqual([[words], []]);
  });

  test('also of a playbook that a model plays', async () => {
    const { said } = await played(
      `${text}\n## Lost(message)\n### Triggers\n- When something is lost\n### Steps\n- Say("{message}")\n`,
      {
        ...{ replies: [ops({ say: 'So: {message}' })], answers: ['my hat is gone'], idle: true },
        matches: () => ['Till.Lost:T1'],
      },
    );
    expect(said).toEqual(['So: my hat is gone']);
  });
});

describe('says what cannot be read', () => {
  test.each([
    ['@playbook(triggers=[now()])', 'PV1401', 'got triggers = … in @playbook'],
    ['@playbook("When $x is set")', 'PV1401', 'got an argument without a name in @playbook'],
    ['@cached', 'PV1414', 'got @cached'],
  ])('%s', (mark, code, message) => {
    expect(checked(two(mark))).toContainEqual(
      expect.objectContaining({ code, line: 13, message: expect.stringContaining(message) }),
    );
  });

  test.each<[string, string, string?]>([
    ['  n: int,  # how many: (a lot\n  *more: str,\n  m: dict[str, int] = {"a:b": 1}', 'def F('],
    ['n: Literal["a=b", "c"] = "c", m', 'def F('],
    ['n', 'async def F(', 'async'],
  ])('types in the head of a function are left out: %s', (parameters, start, word) => {
    const head = `${start}\n${parameters}\n) -> dict[str,\n int]:`;
    const { code, gives, left } = cleanCode(
      `# ( "\n${head}\n    x = "def G(y: int):"\n    return n\n`,
    );
    expect(readCode({ text: code, place: { line: 1, column: 1 } }).diagnostics).toEqual([]);
    expect(code.split('\n')).toHaveLength(head.split('\n').length + 4);
    expect(code).toContain('"def G(y: int):"');
    expect(left).toEqual([{ word: word ?? 'types of parameters', line: 1 }]);
    expect(gives).toEqual({ F: 'dict[str, int]' });
  });

  test('a variable of the agent as a field, where it stands, with what to write', () => {
    const wrong = (code: string) => readCode({ text: code, place: { line: 5, column: 1 } });
    const head = 'def F(n):\n  old = state.get("count")\n';
    expect(wrong(`${head}  state.count += n\n  return state.total\n`).diagnostics).toEqual([
      expect.objectContaining({
        ...{ code: 'PV2419', line: 7, column: 3 },
        message: 'got state.count, want state["count"]',
      }),
      expect.objectContaining({ line: 8, message: 'got state.total, want state["total"]' }),
    ]);
    expect(wrong(`${head}  state["count"] = 3\n  return state.items()\n`).diagnostics).toEqual([]);
    expect(wrong('def F(state):\n  return state.count\n').diagnostics).toEqual([]);
    expect(wrong('def F(n):\n  a, state = n\n  return state.count\n').diagnostics).toEqual([]);
  });

  test('a playbook of mode code without its function', () => {
    const text = two('').replace('- $r = Shop.Twice(4)\n- Return $r', '- Return 1');
    expect(checked(`${text}\n## Twise(x)\npublic: true\nexecution_mode: code\n`)).toContainEqual(
      expect.objectContaining({ code: 'PV2404', hint: 'did you mean Twice?' }),
    );
  });

  test('no trigger on what functions may set', () => {
    const firing = (body: string): unknown[] => {
      const code = `def Put(n):\n    ${body}`;
      const trigger = '## Full\n### Triggers\n- When $total > 10\n### Steps\n- Return $total';
      const main = '## Main\n### Triggers\n- At the beginning\n### Steps\n- Put(1)';
      const all = checked(`# Till\n\n\`\`\`tools\n${code}\n\`\`\`\n\n${main}\n\n${trigger}\n`);
      return all.map(({ message }) => message);
    };
    expect(firing('state["total"] = n')).toEqual([]);
    expect(firing('state.setdefault("total", 0)')).toEqual([]);
    expect(firing('state.update(n)')).toEqual([]);
    expect(firing('state["other"] = n')[0]).toContain('got a trigger on $total');
    expect(firing('return n')[0]).toContain('got a trigger on $total');
  });

  test('a trigger that nothing can fire, at the line of the mark', () => {
    expect(checked(two('@playbook(\n  triggers = ["When $gone > 3"])'))).toContainEqual(
      expect.objectContaining({ code: 'PV2407', line: 14 }),
    );
  });
});

describe('blocks as they were written for Python', () => {
  const text = `# Desk
\`\`\`python
import math
from typing import List

@playbook(triggers=["At the beginning"])
async def Main():
    """await Half(nothing)"""
    await Say("user", "half: %d" % await Half(await Half(12)))
    Say("plain")
    Say("human", await Say("Clerk", "Which rate?"))
    Say("Bob", "await it")
    return math.sqrt(await Half(32))

async def Half(n):
    return n // 2  # await nothing
\`\`\`
# Clerk
You know rates.
# Bob:Human
`;

  test('are calls, wherever their awaits stand, and say things to whom they name', async () => {
    const { result, said } = await played(text, { replies: [ops({ return: '7 percent' })] });
    expect(said).toEqual(['half: 3', 'plain', '7 percent', { to: 'Bob', text: 'await it' }]);
    expect(result.answer).toBe(4);
    const left = checked(text).map(({ line, message }) => `${line}: ${message}`);
    expect(left.filter((one) => /await/.test(one)).map((one) => one.split(' ', 1)[0])).toEqual([
      ...['9:', '11:', '13:'],
    ]);
    expect(left.join('\n')).toContain('3: got import math');
  });

  test('that speak to nobody fail, with those who are there', async () => {
    const { result } = await played(text.replace('"Bob", "await', '"Rob", "await'), {
      replies: [ops({ return: '7 percent' })],
    });
    expect(result.error?.message).toContain('there are user, Bob, Clerk');
  });
});

test('a function that gives or sets what is no data has failed, and the run goes on', async () => {
  const text = `# Desk

\`\`\`tools
def Good(n):
    return [struct(a = n), set([n]), (n, None)]

def Late(n):
    return {"later": [lambda: n]}

def Round(n):
    x = [n]
    x.append(x)
    state["kept"] = n
    state["round"] = lambda: x
    return x
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $a = Good(1)
- $b = Late(2)
- $c = Round(3)
- Return [$a, $b, $c]
`;
  const prompts: string[] = [];
  const { result } = await played(text, {
    replies: ({ prompt, number }) => {
      prompts.push(prompt);
      const call = (callee: string, n: number, into: string) => ({
        call: callee,
        args: { n },
        into,
      });
      return number === 1
        ? ops(
            ...[{ step: '01' }, call('Good', 1, 'a'), { step: '02' }, call('Late', 2, 'b')],
            ...[{ step: '03' }, call('Round', 3, 'c'), { yield: 'call' }],
          )
        : ops({ step: '04' }, { return: '$kept' });
    },
  });
  expect(result.error).toBeUndefined();
  expect(result).toMatchObject({ status: 'done', answer: 3 });
  const told = prompts.at(-1) ?? '';
  expect(told).toContain('Late returned a function, which is no data');
  expect(told).toMatch(/Round .*returned a list without end, which is no data/);
  expect(told).toContain('$round was set to a function, which is no data: it is gone again.');
  expect(told).not.toContain('Good returned');
});

test('a function cannot go on behind the end of the run that it attempts', async () => {
  const program =
    '# Shop\n\n```tools\ndef Sure():\n    return "went on: %s" % attempt(Ask).ok\n```\n\n' +
    '## Main\n### Triggers\n- At the beginning\n### Steps\n- $r = Sure()\n- Return $r\n\n' +
    '## Ask\n### Steps\n- Ask user for $n\n- Return $n\n';
  const { result, prompts } = await played(program, {
    replies: ({ prompt }) =>
      prompt.includes('## Ask()')
        ? ops({ step: '99' })
        : ops({ call: 'Sure', args: {}, into: 'r' }, { yield: 'call' }),
  });
  expect(result.error).toMatchObject({ code: 'PV7302' });
  expect(result.error?.message).toContain('at Shop.Ask:01: Ask has no line 99');
  expect(prompts).toHaveLength(3);
});

describe('behind a function its caller goes on as it is, unless that has called a playbook', () => {
  const text = `# Desk

\`\`\`tools
def Page(n):
    return "leaf %d" % n

def Filed(n):
    return File(n)

def Filing(n):
    state["filed"] = n
    return File(n)
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $a = Page(1)
- Say("{$a}")
- $b = CALLEE(2)
- Return $b

## File(n)
### Steps
- Say("filing {n}")
- Return 7
`;
  const kindsWith = async (callee: string) => {
    const { result, journal } = await played(text.replace('CALLEE', callee), {
      replies: ({ prompt }) => {
        if (prompt.includes('## File(')) {
          return ops({ step: '01' }, { say: 'filing {$n}' }, { step: '02' }, { return: 7 });
        }
        const call = (one: string, n: number, into: string) => ({ call: one, args: { n }, into });
        if (!prompt.includes('leaf 1')) {
          return ops({ step: '01' }, call('Page', 1, 'a'), { step: '02' }, { yield: 'call' });
        }
        if (!prompt.includes('into $b:')) {
          const say = { say: '{$a}' };
          return ops({ step: '03' }, say, { step: '04' }, call(callee, 2, 'b'), { yield: 'call' });
        }
        return ops({ step: '05' }, { return: '$b' });
      },
    });
    expect(result.error).toBeUndefined();
    return journal.events(result.run).flatMap((event) => {
      if (event.type !== 'effect.started' || event.tool !== 'turn') return [];
      const { frame, kind } = JSON.parse(event.request ?? 'null');
      return [`${frame.playbook}:${frame.line} ${kind}`];
    });
  };

  test.each([
    ['Page', 'continue'],
    ['Filed', 'resume'],
    ['Filing', 'resume'],
  ])('%s: %s', async (callee, kind) => {
    const kinds = await kindsWith(callee);
    const main = kinds.filter((one) => one.startsWith('Desk.Main'));
    expect(main).toEqual(['Desk.Main:01 start', 'Desk.Main:03 continue', `Desk.Main:05 ${kind}`]);
  });
});
