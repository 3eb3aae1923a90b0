/** Lines that are the titles of playbooks, also where their words alone would say something else. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { program, stepsOf } from './written.ts';

const titles = [
  ...['Ask for a PIN', 'Say goodbye', 'Tell the user the price', 'Wait for payment'],
  ...['Return the book', 'If in doubt', 'Think it over', 'Stop the loop', 'Greet and then leave'],
];
const rest = `\n${titles.map((title) => `## ${title}\n### Steps\n- Return 1\n`).join('\n')}`;
const first = (line: string, more = ''): string[] => stepsOf(`- ${line}`, `${rest}\n${more}`);

describe('the whole line', () => {
  test.each(titles)('%s', (title) => {
    const name = title.replace(/(?:^| )(\p{L})/gu, (_, letter) => letter.toUpperCase());
    expect(first(title)).toEqual([`01:QUE ${name}()`]);
    expect(first(`${title}.`)).toEqual([`01:QUE ${name}()`]);
    expect(first(`$x = ${title}`)).toEqual([`01:QUE $x = ${name}()`]);
    expect(first(`If $y, ${title}`)).toEqual(['01:CND If $y', `01.01:QUE ${name}()`]);
  });

  test.each<[string, string[]]>([
    ['$pin = Call Ask for a PIN', ['01:QUE $pin = AskForAPIN()']],
    ['Set $pin to Ask for a PIN', ['01:QUE $pin = AskForAPIN()']],
    ['Ask for a PIN and store the result in $pin', ['01:QUE $pin = AskForAPIN()']],
    ['Say goodbye and end program', ['01:QUE SayGoodbye()', '02:YLD for exit']],
    ['Say goodbye if $y', ['01:CND If $y', '01.01:QUE SayGoodbye()']],
    [
      'If $y then wait for payment, otherwise return the book',
      [
        ...['01:CND If $y', '01.01:QUE WaitForPayment()', '02:ELS Otherwise'],
        '02.01:QUE ReturnTheBook()',
      ],
    ],
  ])('%s', (line, want) => {
    expect(first(line)).toEqual(want);
  });

  test('of a playbook with parameters is given what the lines have, else left to a model', () => {
    const more = '## Tell the $news\n## Ask about(colour)\n### Steps\n- Return colour\n';
    expect(stepsOf('- $colour = "red"\n- Ask about', more)[1]).toBe(
      '02:QUE AskAbout(colour=$colour)',
    );
    expect(stepsOf('- Ask about', more)).toEqual(['01:EXE? Ask about']);
  });

  test('of another agent stands behind its name, where it is public', () => {
    const other =
      '# Front desk\n## Say hello\npublic: true\n### Steps\n- Return 1\n' +
      '## Say much\n### Steps\n- Return 1\n';
    expect(first('$x = Front desk.Say hello', other)).toEqual(['01:QUE $x = FrontDesk.SayHello()']);
    expect(first('Say much', other)).toEqual(['01:QUE Say(user, Say much)']);
  });

  test('in the playbook itself it says what it says', () => {
    const own = '\n## Say goodbye\n### Triggers\n- At the beginning\n### Steps\n- Say goodbye\n';
    const text = program('- Say goodbye', own);
    const { diagnostics } = checkProgram(text, { tools: new Map(), inputs: [] }, {});
    expect(diagnostics).toEqual([]);
    expect(stepsOf('- Say goodbye', own)).toEqual(['01:QUE SayGoodbye()']);
  });

  test('in quotes it is a text, and what is a statement by itself stays one', () => {
    expect(first('Say "goodbye"')).toEqual(['01:QUE Say(user, "goodbye")']);
    expect(first('Return', '## Return\n### Steps\n- Return 1\n')).toEqual(['01:RET']);
  });
});

describe('a longer line', () => {
  const said = (line: string): string[] => {
    const environment = { tools: new Map(), inputs: [] };
    const { diagnostics } = checkProgram(program(`- ${line}`, rest), environment, {});
    return diagnostics.map(({ code, message, hint }) => `${code} ${message}; ${hint}`);
  };

  test.each([
    ['Say goodbye to the guests', 'SayGoodbye'],
    ['Ask for a PIN again', 'AskForAPIN'],
    ['Ask for the PIN', 'AskForAPIN'],
  ])('keeps its meaning, which is said: %s', (line, name) => {
    expect(first(line)[0]).toBe(`01:QUE Say(user, ${line})`);
    const message = `got ${line}, which is said, while there is a playbook ${name}`;
    expect(said(line)).toEqual([`PV2446 ${message}; ${name}() calls it`]);
  });

  test('of other words has no title', () => {
    expect(said('Say goodbyes to the guests')).toEqual([]);
  });
});
