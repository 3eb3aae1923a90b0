/** Functions that are playbooks: what is played by code, with no model, beside what a model plays. */
import { describe, expect, test } from 'vitest';
import { checkCompiled } from '../../src/dialects/playbook/check.ts';
import { explained } from '../../src/dialects/playbook/explain.ts';
import { link } from '../../src/dialects/playbook/link.ts';
import { printCompiled } from '../../src/dialects/playbook/print.ts';
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

  test('asks a person for what it is not given', async () => {
    const { result, prompts } = await played(text, { replies: [], answers: ['7'] });
    expect(result.error?.message ?? result.answer).toMatch(/str|string/);
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

  test('a playbook of mode code without its function', () => {
    const text = two('').replace('- $r = Shop.Twice(4)\n- Return $r', '- Return 1');
    expect(checked(`${text}\n## Twise(x)\npublic: true\nexecution_mode: code\n`)).toContainEqual(
      expect.objectContaining({ code: 'PV2404', hint: 'did you mean Twice?' }),
    );
  });

  test('a trigger that nothing can fire, at the line of the mark', () => {
    expect(checked(two('@playbook(\n  triggers = ["When $gone > 3"])'))).toContainEqual(
      expect.objectContaining({ code: 'PV2407', line: 14 }),
    );
  });
});
