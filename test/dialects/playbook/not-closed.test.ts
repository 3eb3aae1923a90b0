/** Quotes and front matter that begin and do not end are said, at their place. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { program } from './written.ts';

const environment = { tools: new Map(), inputs: [] };

const saidOf = (text: string): string[] =>
  checkProgram(text, environment, { dialect: 'playbook' }).diagnostics.map(
    ({ code, line, column, message }) => `${line}:${column} ${code} ${message}`,
  );

describe('a quote that is not closed', () => {
  test.each([
    ['- Say "hello', '"hello'],
    ['- Say("hello', '"hello'],
    ['- Say “hello', '“hello'],
    ['- Say „hallo', '„hallo'],
    ['- Say "one" and "two', '"two'],
    ['- $x = "a', '"a'],
    ['- Say "one\n\n  two', '"one'],
  ])('%j', (line, got) => {
    const quotes = saidOf(program(line)).filter((one) => one.includes('PV1419'));
    expect(quotes).toEqual([`7:3 PV1419 got a quote that is not closed: ${got}`]);
  });

  test('under another line', () => {
    expect(saidOf(program('- If true\n  - Say "hello'))).toContain(
      '8:5 PV1419 got a quote that is not closed: "hello',
    );
  });

  test.each([
    '- Say "hello"',
    '- Say(“hello”)',
    '- Say „hallo“',
    '- Say ”hej”',
    '- Say a 5" disk is here',
    '- $x = " and "',
    '- Say("a \\"b\\" c")',
    '- Say("He said “x”, and went")',
    '- Say("one", "two")',
    "- Say it's fine",
  ])('none in %j', (line) => {
    expect(saidOf(program(line)).filter((one) => one.includes('PV1419'))).toEqual([]);
  });
});

describe('front matter', () => {
  const front = '---\ntitle: Desk\ntimezone: UTC\n';
  const text = (line: number) =>
    `${line}:1 PV1405 got text before the first heading, want # and the name of an agent`;

  test('is told of once, and text before the first heading once a paragraph', () => {
    const front = '---\ntitle: A\nAuthor: me\n\nplanvm:\n  inline: 3\ntags:\n- a\n';
    const open = '1:1 PV1420 got front matter that is not closed: nothing of it is read';
    expect(saidOf(`${front}\n${program('- Return 1')}`)).toEqual([open]);
    const more = `${front}Some words\nand more\n\nagain\nand again\n`;
    expect(saidOf(`${more}\n${program('- Return 1')}`)).toEqual([open, text(9), text(12)]);
    const paragraph = 'Some words\nand more\n';
    expect(saidOf(`${paragraph}\n${program('- Return 1')}`)).toEqual([text(1)]);
  });

  const open = '1:1 PV1420 got front matter that is not closed: nothing of it is read';

  test('that is not closed is said', () => {
    expect(saidOf(front + program('- Say("x")'))).toContain(open);
  });

  test('is not closed by a rule behind the first playbook', () => {
    const said = saidOf(`${front}${program('- Say("x")')}\n---\n`);
    expect(said).toContain(open);
    expect(said.filter((one) => one.includes('PV2401'))).toEqual([]);
  });

  test.each([
    ['closed', `${front}### a comment\n---\n${program('- Say("x")')}`],
    ['a rule before the first heading', `---\n${program('- Say("x")')}`],
  ])('%s', (_, text) => {
    expect(saidOf(text)).toEqual([]);
  });
});
