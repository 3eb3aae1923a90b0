/** Forms of Markdown that say the same in other marks: tables, underlines, indents, escapes. */
import { describe, expect, test } from 'vitest';
import type { CompiledFile } from '../../../src/dialects/playbook/compiled/compiled.ts';
import { printCompiled } from '../../../src/dialects/playbook/pbasm/print.ts';
import { readCompiled } from '../../../src/dialects/playbook/pbasm/read-compiled.ts';
import { fileOf, mainOf, program, rows, stepsOf } from './written.ts';

const again = (file: CompiledFile): CompiledFile => readCompiled(printCompiled(file)).compiled;

describe('a section that is a table', () => {
  test('has a line in each row', () => {
    const table =
      '| Step | What |\n|---|---|\n| 1 | Say "a \\| b" |\n| 2 | Ask user for $x |\n\n- Return $x';
    expect(stepsOf(table)).toEqual([
      ...['01:QUE Say(user, "a | b")', '02:QUE Say(user, Ask user for $x)', '03:YLD for user'],
      '04:RET $x',
    ]);
    const [first, second] = mainOf(program(table)).steps;
    expect([first?.place, second?.place]).toEqual([
      { line: 9, column: 7 },
      { line: 10, column: 7 },
    ]);
  });

  test('may say when each is done', () => {
    const table =
      '| When | Do |\n|:--|--:|\n| $x is 1 | Return 1 |\n| $x is 2 | Return 2 |\n| Otherwise | F() |';
    expect(stepsOf(table, '', ['F'])).toEqual([
      ...['01:CND When $x is 1', '01.01:RET 1', '02:ELS Otherwise when $x is 2', '02.01:RET 2'],
      ...['03:ELS Otherwise', '03.01:QUE F()'],
    ]);
    expect(stepsOf('| If | Then |\n|---|---|\n| $x is 1 | F() |\n| - | Return 1 |')).toEqual([
      ...['01:CND If $x is 1', '01.01:QUE F()', '02:RET 1'],
    ]);
  });

  test.each([
    '| $x | Say |\n|---|---|\n| 1 | one |',
    '| What | Who |\n|---|---|\n| Say "a" | Ann |',
    '| What |\n|---|\n| Say "a" | and more |',
    '| If | Then |\n|---|---|\n| $x is 1 | |',
  ])('is one line where its columns say something else: %j', (table) => {
    expect(stepsOf(`${table}\n\n- Return 1`)).toEqual([`01:EXE? ${table}`, '02:RET 1']);
  });
});

describe('headings that are underlined', () => {
  const lines = '### Triggers\n- At the beginning\n### Steps\n- Return 1';

  test('are those of agents, playbooks and sections', () => {
    const text = `Bike desk\n=========\n\nRents bikes.\n\nMain\n----\n${lines}`;
    const [agent] = fileOf(text).agents;
    expect([agent?.written, agent?.description]).toEqual(['Bike desk', 'Rents bikes.']);
    expect(agent?.playbooks.map(({ written }) => written)).toEqual(['Main']);
    const sections = lines.replace(/### (.*)/g, '\n$1\n-----');
    const other = fileOf(text.replace(lines, `\n${sections}`)).agents[0]?.playbooks[0];
    expect(rows(other?.steps ?? [])).toEqual(['01:RET 1']);
  });

  test.each([
    'Rents bikes.\n---',
    'public: true\n---',
    'Rents\nbikes\n---',
    '- a\n---',
    'a\n\n---',
  ])('a rule is none: %j', (rule) => {
    const { agents } = fileOf(`# Desk\n\n${rule}\n\n## Main\n${lines}`);
    expect(agents.map(({ written }) => written)).toEqual(['Desk']);
    expect(agents[0]?.playbooks.map(({ written }) => written)).toEqual(['Main']);
  });

  test('a page of prose keeps them', () => {
    const file = fileOf('How to rent\n===========\n\nAsk what they want.');
    expect(file.agents[0]?.written).toBe('How to rent');
    expect(file.agents[0]?.playbooks[0]?.description).toContain('===========');
    expect(again(file).agents[0]?.playbooks[0]?.description).toContain('===========');
  });
});

test('code that is far in belongs to its line, also what looks like an item there', () => {
  const code = '      $ ls\n      - not an item\n\n        more';
  const [first, second, third] = mainOf(
    program(`- Run this:\n\n${code}\n\n- Return the sum\n\n  so it is`),
  ).steps;
  expect(first?.block).toBe('```\n$ ls\n- not an item\n\n  more\n```');
  expect([first?.children, second?.text, third]).toEqual([[], 'the sum\nso it is', undefined]);
  expect(stepsOf('1. If $x\n\n        - Return 1')).toEqual(['01:CND If $x', '01.01:RET 1']);
});

describe('what Markdown shows otherwise', () => {
  test.each([
    ['Say "Tom &amp; Jerry &lt;3 &#8364;5&hellip;"', 'QUE Say(user, "Tom & Jerry <3 €5…")'],
    ['Say &quot;Hi&quot;', 'QUE Say(user, "Hi")'],
    ['Say "a &quot;b&quot;"', 'QUE Say(user, "a \\"b\\"")'],
    ['Say "R&D; AT&T &nix;"', 'QUE Say(user, "R&D; AT&T &nix;")'],
    ['If $x &gt; 3, return 1', 'CND If $x > 3'],
    ['$x = 5 \\* 2', 'EXE $x = 5 * 2'],
    ['$my\\_name = "a\\_b"', 'EXE $my_name = "a_b"'],
    ['$x = "a\\nb"', 'EXE $x = "a\\nb"'],
    ['F("\\d+\\[a\\]")', 'QUE F("\\d+\\[a\\]")'],
    ['Say "\\$5 or \\$x"', 'QUE Say(user, "$5 or $$x")'],
    ['Tell the user it costs \\$5', 'QUE Say(user, Tell the user it costs $5)'],
    ['Tell the user about \\$x', 'QUE Say(user, Tell the user about \\$x)'],
    ['Say "`&amp;`"', 'QUE Say(user, "`&`")'],
    ['Look at `a &amp; b\\_c`', 'EXE? Look at `a &amp; b\\_c`'],
  ])('%s', (line, step) => {
    const file = fileOf(program(`- ${line}`), ['F']);
    const [first] = rows(file.agents[0]?.playbooks[0]?.steps ?? []);
    expect(first).toBe(`01:${step}`);
    expect(rows(again(file).agents[0]?.playbooks[0]?.steps ?? [])[0]).toBe(first);
  });

  test('in triggers and notes, too', () => {
    const text =
      '## Main\n### Triggers\n- When $x &gt; 3\n### Steps\n- Return 1\n### Notes\n- a \\* b';
    const [main] = fileOf(text).agents[0]?.playbooks ?? [];
    expect(main?.triggers[0]?.text).toBe('When $x > 3');
    expect(main?.notes[0]?.text).toBe('a * b');
  });

  test('who reads a compiled file sees what it says', () => {
    const file = fileOf(program('- Say "&amp;lt;"'));
    expect(rows(again(file).agents[0]?.playbooks[0]?.steps ?? [])).toEqual([
      '01:QUE Say(user, "&lt;")',
    ]);
  });
});
