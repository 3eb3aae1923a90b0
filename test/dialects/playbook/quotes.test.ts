/** Quotes as people write them, long ones, and such as say nothing by halves. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { quoteEnd, straightened } from '../../../src/dialects/playbook/text/quotes.ts';
import { fileOf, mainOf, program, stepsOf } from './written.ts';

const said = (text: string): string[] =>
  checkProgram(text, { tools: new Map(), inputs: ['x'] }, { dialect: 'playbook' }).diagnostics.map(
    ({ code, column, line, message }) => `${line}:${column} ${code} ${message}`,
  );

describe('printed quotes are quotes', () => {
  test.each([
    ...[
      ['Say ‘Hi {$x}’', 'Hi {$x}'],
      ['Say(‘Hi’)', 'Hi'],
      ['Say(“Hi”)', 'Hi'],
      ['“Hi”.', 'Hi'],
    ],
    ...[
      ['Say ‚Hi‘', 'Hi'],
      ['Say „Hi“', 'Hi'],
      ['Say ”Hi”', 'Hi'],
      ['Say « Hi »', 'Hi'],
    ],
    ...[
      ['Say »Hi«', 'Hi'],
      ['Say ‹ Hi ›', 'Hi'],
      ['Say ‘it’s on’', 'it’s on'],
    ],
    ...[
      ["Say 'it's on'", "it's on"],
      ["Say(‘it's on’)", "it's on"],
      ['Say “Hi"', 'Hi'],
    ],
    ['Say “the "best" of all”', 'the \\"best\\" of all'],
  ])('%s', (line, text) => {
    expect(stepsOf(`- ${line}`)).toEqual([`01:QUE Say(user, "${text}")`]);
  });

  test.each([
    ['$y = ‘a’', '01:EXE $y = "a"'],
    ['F(“a”, ‘b, c’, «d»)', '01:QUE F("a", "b, c", "d")'],
    ['If $x == ‘a’, return “b”', '01:CND If $x == "a"'],
    ['说“你好”', '01:EXE? 说“你好”'],
    ['Praise the users’ “Dune”', '01:EXE? Praise the users’ “Dune”'],
    ['Say(\'a\' + "‘b’")', '01:QUE Say(user, \'a\' + "‘b’")'],
  ])('wherever they stand: %s', (line, row) => {
    expect(stepsOf(`- ${line}`, '', ['F'])[0]).toBe(row);
  });

  test('in triggers and heads of playbooks', () => {
    const text = '# A\n## Main($x = “a”)\n### Triggers\n- When $x == ‘b’\n### Steps\n- Return 1\n';
    const [main] = fileOf(text).agents[0]?.playbooks ?? [];
    expect(main?.parameters[0]?.default).toBe('"a"');
    expect(main?.triggers[0]).toMatchObject({ text: 'When $x == ‘b’', condition: 'x == "b"' });
  });

  test('straight ones stay, and so do apostrophes', () => {
    for (const text of ['"a “b” c"', "'a'", 'it’s', 'rock ’n’ roll', '`‘a’`', 'the users’ ‘a']) {
      expect(straightened(text)).toBe(text);
    }
    const marks = fc.string({ unit: fc.constantFrom(...'ab "\'`“”„«»‘’‚‹›\\(') });
    fc.assert(
      fc.property(marks, (text) => {
        for (let at = 0; at < text.length; at++) {
          expect(quoteEnd(text, at) ?? text.length).toBeGreaterThan(at);
        }
      }),
    );
  });
});

test.each(['Say ‘hello', "Say 'hello", 'Say(‘hello)', '$y = ‘hello', 'Say «hello', 'Say: ‚hello'])(
  'one that is not closed is told: %s',
  (line) => {
    expect(said(program(`- ${line}`))).toContainEqual(
      expect.stringMatching(/^7:3 PV1419 got a quote that is not closed: .hello\)?$/),
    );
  },
);

describe('a variable in quotes whose braces are not closed is told', () => {
  test.each([
    ['Say("Hello {$x")', '7:14 PV2445 got {$x in quotes, which nothing closes'],
    ['Say "Hello {$x. Bye"', '7:14 PV2445 got {$x in quotes, which nothing closes'],
    ['Say “Hello {$x”', '7:14 PV2445 got {$x in quotes, which nothing closes'],
    ["$y = 'a $x} b'", '7:11 PV2445 got $x} in quotes, which nothing closes'],
    ['Say("a {$x or "b"} c")', '7:10 PV2445 got {$x in quotes, which nothing closes'],
  ])('%s', (line, found) => {
    expect(said(program(`- ${line}`))).toEqual([found]);
  });

  test('one of a call, too; what is no variable may have braces', () => {
    const steps = '- y = 1\n- Say("So: {y")\n- Say("if (z) { go } else {z")\n- Say("{{$x} {$x}")';
    expect(said(program(steps))).toEqual(['8:12 PV2445 got {y in quotes, which nothing closes']);
  });
});

test('braces of other templates are told, since one stays on both sides', () => {
  const line = '- y = 1\n- Say("{{$x}}, {{ $x.name }}, {{y}}; {{z}}, {{{$x}}}, {{$x}")';
  const message = (written: string) =>
    `PV2445 got ${written} in quotes, where a brace stays on both sides of the value`;
  expect(said(program(line))).toEqual([
    ...[`8:8 ${message('{{$x}}')}`, `8:16 ${message('{{ $x.name }}')}`],
    `8:31 ${message('{{y}}')}`,
    '8:40 PV2406 got {z}, which nothing sets: it is said as it stands',
  ]);
});

describe('a long line', () => {
  const long = 'so it goes, and on. If we may? '.repeat(600).trim();

  test('with its length in quotes is what it says', () => {
    for (const line of [`Say("${long} {$x}")`, `If $x, say “${long} {$x}”`]) {
      const text = `- ${line}\n- $y = "${long}"`;
      const { steps } = mainOf(program(text));
      const [first] = [...(steps[0]?.children ?? []), ...steps];
      expect(first?.say).toMatchObject({ isLiteral: true });
      expect(first?.say?.text).toBe(`${long} {$x}`);
      expect(steps.find(({ code }) => code === 'EXE')?.value).toBe(`"${long}"`);
      expect(said(program(text))).toEqual([]);
    }
  });

  test('that is long without them is told', () => {
    const words = 'so it goes '.repeat(400);
    expect(said(program(`- Do ${words}\n- Say "${long}`))).toEqual([
      '7:3 PV1422 got a line of 4402 characters, which is taken in words',
      expect.stringContaining('8:3 PV1422'),
      expect.stringContaining('8:3 PV1419'),
    ]);
  });
});
