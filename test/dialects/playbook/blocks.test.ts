/** Blocks of code among steps: they stay as they are, and the lines that they stand under too. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { flatSteps } from '../../../src/dialects/playbook/compiled/graph.ts';
import { printCompiled } from '../../../src/dialects/playbook/pbasm/print.ts';
import { readCompiled } from '../../../src/dialects/playbook/pbasm/read-compiled.ts';
import { fileOf, linked, mainOf, program, rows, stepsOf } from './written.ts';

const bash = '```bash\ncd $HOME\n  ls {a,b}\n\nexit\n```';

/** Behind an item, as far in as its text. */
const under = (line: string, block = bash): string =>
  `- ${line}\n${block.replace(/^(?=.)/gm, '  ')}`;

const only = (steps: string) => {
  const [step] = flatSteps(mainOf(program(steps), ['F']).steps);
  if (!step) throw new Error('no step');
  const { code, isAmbiguous, text, block, value, reads, writes } = step;
  return { code, isAmbiguous, text, block, value, reads, writes };
};

const said = (text: string): string[] =>
  checkProgram(
    text,
    { tools: new Map(), inputs: ['name'] },
    { dialect: 'playbook' },
  ).diagnostics.map(
    ({ code, line, message, severity }) => `${line} ${severity} ${code} ${message}`,
  );

test.each([
  ['Say("Hello {$name}.")', 'QUE', 'Say(user, "Hello {$name}.")'],
  ['If $name is empty', 'CND', 'If $name is empty'],
  ['$x = F($name)', 'QUE', '$x = F($name)'],
  ['Return $name', 'RET', '$name'],
  ['End program', 'YLD', 'for exit'],
])('a line means what it does without its block: %s', (line, code, text) => {
  expect(only(under(line))).toMatchObject({ code, text, block: bash, isAmbiguous: undefined });
  expect(only(`- ${line}`)).toMatchObject({ code, text, block: undefined });
});

test('a line in words has its block beside it, as it is written', () => {
  const words = { code: 'EXE', isAmbiguous: true, text: 'Run this script:', block: bash };
  expect(only(under('Run this script:'))).toMatchObject(words);
  expect(said(program(under('Run this script:')))).toEqual([]);
  const tabs = bash.replace(/^(?=.)/gm, '\t');
  expect(only(`- Run this script:\n${tabs}`)).toMatchObject(words);
  expect(only(`- Run this script:\n\n${bash}`)).toMatchObject(words);
});

describe('what is set to a block, or returned, has its text as the value', () => {
  test.each([
    ['$mail =', 'EXE', '$mail =', ['$mail']],
    ['Set $mail to', 'EXE', '$mail =', ['$mail']],
    ['Set $mail to:', 'EXE', '$mail =', ['$mail']],
    ['$mail: str =', 'EXE', '$mail:str =', ['$mail']],
    ['mail =', 'EXE', 'mail =', ['mail']],
    ['Return', 'RET', '', []],
    ['Return:', 'RET', '', []],
  ])('%s', (line, code, text, writes) => {
    const block = '```\nDear all,\n\n  "so"\n```';
    const value = '"Dear all,\\n\\n  \\"so\\""';
    expect(only(under(line, block))).toEqual({ code, text, block, value, writes, reads: [] });
  });

  test.each([
    ['```\n{"a":\n  [1]}\n```', '{"a":\n  [1]}'],
    ['```json\n 7\n```', '7'],
    ['```text\n7\n```', '"7"'],
    ['~~~\nplain\n~~~', '"plain"'],
    ['```\nDear {$name}\n```', 'Dear {$name}'],
  ])('%j is %j', (block, value) => {
    expect(only(under('$x =', block)).value).toBe(value);
  });

  test('unless there is more than one block, or words behind it', () => {
    const two = '```\na\n```\n```\nb\n```';
    expect(only(under('$x =', two))).toMatchObject({ text: '$x =', block: two, isAmbiguous: true });
    const words = '```\na\n```\nwithout the blanks';
    expect(only(under('$x =', words))).toMatchObject({ block: words, isAmbiguous: true });
  });
});

describe('to whom a block belongs', () => {
  const texts = (steps: string) =>
    flatSteps(mainOf(program(steps)).steps).map(({ block, number, text }) => ({
      ...{ number, text },
      ...(block && { block }),
    }));

  test('to the item that it is further in than', () => {
    const steps = '- If $x\n  - Say "a"\n  ```\n  b\n  ```\n  - Say "c"\n';
    expect(texts(steps)).toEqual([
      { number: '01', text: 'If $x', block: '```\nb\n```' },
      { number: '01.01', text: 'Say(user, "a")' },
      { number: '01.02', text: 'Say(user, "c")' },
    ]);
  });

  test('to the line that it begins in', () => {
    const json = '```json\n{"a":\n  1}\n```';
    const inLine = '- $x = ```json\n  {"a":\n    1}\n  ```\n- Return $x\n';
    expect(texts(inLine)[0]).toEqual({ number: '01', text: '$x =', block: json });
    expect(texts(inLine)[1]).toEqual({ number: '02', text: '$x' });
    for (const mark of ['-', '1.']) {
      const item = `${mark} \`\`\`bash\n  ls\n    -l\n  \`\`\`\n- Return 1\n`;
      expect(texts(item)[0]).toEqual({ number: '01', text: '', block: '```bash\nls\n  -l\n```' });
    }
    // Without an end it is no block.
    expect(texts('- Use ```\n- Return 1\n')[0]).toEqual({ number: '01', text: 'Use ```' });
  });

  test('words behind it, as far in, stand with it; others are a step', () => {
    const steps = '- Do this\n  ```\n  a\n  ```\n  and that\n- Say "b"\n```\nc\n```\nBe nice\n';
    expect(texts(steps)).toEqual([
      { number: '01', text: 'Do this', block: '```\na\n```\nand that' },
      { number: '02', text: 'Say(user, "b")', block: '```\nc\n```' },
      { number: '03', text: 'Be nice' },
    ]);
  });

  test('before any item it is told', () => {
    const block = '```\n- Say "a"\n```\n';
    const message = 'got a block of code before the first item of its section: it was left out';
    expect(said(program(`${block}- Return 1`))).toEqual([`7 warning PV1421 ${message}`]);
    expect(said(program(block))).toContain(`7 error PV1421 ${message}`);
  });
});

test('a result that a block names is waited for', () => {
  const steps = `- $link = F(1)\n- $other = 2\n${under('Send this mail:', '```\nSee {$link}\n```')}`;
  expect(stepsOf(steps, '', ['F'])).toEqual([
    ...['01:QUE $link = F(1)', '02:EXE $other = 2', '03:YLD for call', '04:EXE? Send this mail:'],
  ]);
});

test('what a block names is needed where the agent has it; a variable of a shell is not', () => {
  const block = '```\n$HOME {$link} {$day}\n```';
  const { lines } = linked(
    `- $link = "a"\n- Say "b"\n${under('Say "c"', block)}`,
    '## Other($day)',
  );
  expect(lines.get('02')?.live).toEqual(['$link', '$day']);
});

test('a variable of a playbook that stands in the place of its call is renamed in blocks, too', () => {
  const block = '```js\nrun({x: x}, `{x}`, "{x * 2}")\n```';
  const other = `## Other(x)\n### Steps\n${under('Run it', block)}\n${under('Return', '```\nok\n```')}`;
  const { lines } = linked('- x = 5\n- y = Other(7)\n- Return y', other, { inlineSteps: 8 });
  const inner = [...lines.values()].map(({ step }) => step);
  const renamed = inner.find(({ text }) => text === 'Run it')?.block;
  expect(renamed).toMatch(/^```js\nrun\(\{x: x\}, `\{(\w+_x)\}`, "\{\1 \* 2\}"\)\n```$/);
  expect(inner.find(({ text }) => text === 'y =')).toMatchObject({ value: '"ok"', writes: ['y'] });
});

test('all of it prints and reads back', () => {
  const steps = [
    ...[under('Run this script:'), under('$x =', '```json\n{"a":\n\n   1}\n```')],
    ...[`- If $x\n${under('Return').replace(/^/gm, '  ')}`, '- ```\n  a\n  ```\n\n  b\n\n  \\- c'],
    ...[
      '- $y = ```\n      d\n    e\n  ```',
      under('Wait for the user', '```\n## f\n- 01:RET\n```'),
    ],
  ].join('\n');
  const notes = `### Notes\n- Write so:\n  \`\`\`json\n  {\n    "a": 1\n  }\n  \`\`\`\n`;
  const compiled = fileOf(program(steps, notes));
  const printed = printCompiled(compiled);
  expect(readCompiled(printed).compiled).toEqual(compiled);
  expect(printed).toContain('- 01:EXE? Run this script:\n  ```bash\n  cd $HOME\n    ls {a,b}\n\n');
  const [main] = compiled.agents[0]?.playbooks ?? [];
  expect(main?.notes[0]?.block).toBe('```json\n{\n  "a": 1\n}\n```');
  expect(rows(main?.steps ?? [])).toContain('05:EXE $y =');
});
