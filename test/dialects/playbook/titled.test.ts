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

describe('in a condition', () => {
  const checked = (line: string): string[] => {
    const more = '## Check stock\n### Steps\n- Return 1\n\n## Is open\n### Steps\n- Return 1\n';
    const other =
      '## Guest\n### Steps\n- Return 1\n\n## Find price($city)\n### Steps\n- Return 1\n';
    return stepsOf(line, `\n${more}\n${other}\n## Ann is late\n### Steps\n- Return 1\n`);
  };
  const call = ['01:QUE check_stock_1 = CheckStock()', '02:YLD for call'];
  const a = 'QUE Say(user, "a")';

  test.each([
    ['If Check stock returns false', 'If check_stock_1 is false'],
    ['If check stock returns 3', 'If check_stock_1 is 3'],
    ['If CheckStock returns 3', 'If check_stock_1 is 3'],
    ['If not Check stock', 'If not check_stock_1'],
    ['Unless Check stock says no', 'Unless check_stock_1 says no'],
    ['When Check stock > 3', 'When check_stock_1 > 3'],
    ['If the result of Check stock is "x"', 'If check_stock_1 is "x"'],
    ['If Check stock is 3 and $y > 3', 'If check_stock_1 is 3 and $y > 3'],
  ])('it is called before: %s', (head, want) => {
    const steps = [...call, `03:CND ${want}`, `03.01:${a}`];
    expect(checked(`- ${head}, say "a"`)).toEqual(steps);
    expect(checked(`- ${head}\n  - Say "a"`)).toEqual(steps);
  });

  test('behind a statement, too', () => {
    const steps = [...call, '03:CND If check_stock_1 is 0', `03.01:${a}`];
    expect(checked('- Say "a" if Check stock is 0')).toEqual(steps);
  });

  test('of a loop it is called before each round', () => {
    expect(checked('- While Check stock gives nothing, say "a"')).toEqual([
      ...[...call, '03:LOP While check_stock_1 gives nothing', `03.01:${a}`],
      ...['03.02:QUE check_stock_1 = CheckStock()', '03.03:YLD for call', '03.04:JMP 03'],
    ]);
  });

  test('of another case it is called where none before has held', () => {
    const steps = checked('- If $y\n  - Say "a"\n- Otherwise if Is open\n  - Say "a"');
    expect(steps.slice(2)).toEqual([
      ...['02:ELS Otherwise', '02.01:QUE is_open_1 = IsOpen()', '02.02:YLD for call'],
      ...['02.03:CND If is_open_1', `02.03.01:${a}`],
    ]);
  });

  test('it is given what the lines have', () => {
    const [, , ...steps] = checked('- Ask for $city\n- If Find price returns 3, say "a"');
    expect(steps.slice(0, 1)).toEqual(['03:QUE find_price_1 = FindPrice(city=$city)']);
  });

  test.each([
    'If Check stock fails, say "a"',
    'If Find price returns 3, say "a"',
    'If the guest agrees and Check stock, say "a"',
    'While Check stock works, say "a"',
  ])('what is asked of it may be open: %s', (line) => {
    expect(checked(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
  });

  test.each(['If the guest returns home', 'If guest returns 3 books', 'If Guest returns home'])(
    'words are words: %s',
    (head) => {
      expect(checked(`- ${head}, say "a"`)).toEqual([`01:CND ${head}`, `01.01:${a}`]);
    },
  );
});

describe('with what it is given', () => {
  const notify = '## Notify($who)\n### Steps\n- Say "Hi, {$who}."\n';
  test.each(['Notify user', 'Notify the guest of the price', 'Notify them "it is late"'])(
    'it is called or said, which is open: %s',
    (line) => {
      expect(stepsOf(`- ${line}`, notify)).toEqual([`01:EXE? ${line}`]);
      expect(stepsOf(`- ${line}`)).toEqual([`01:QUE Say(user, ${line})`]);
    },
  );

  test('under a condition that is understood', () => {
    expect(stepsOf('- If $x, notify user', notify)).toEqual([
      ...['01:CND If $x', '01.01:EXE? notify user'],
    ]);
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
