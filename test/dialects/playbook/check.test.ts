/** What is said of playbooks before they run, and where. */
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../../src/dialects/dialect.ts';
import { checkProgram } from '../../../src/dialects/index.ts';
import { printCompiled } from '../../../src/dialects/playbook/pbasm/print.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { fileOf, program } from './written.ts';

const tools = new Map(
  ['Search', 'Send'].map((name) => [name, toolSpec({ name, description: '', parameters: {} })]),
);

/** `line: PVnnnn message`. */
function said(
  text: string,
  inputs: readonly string[] = [],
  models?: Environment['models'],
): string[] {
  const environment = { tools, inputs, ...(models && { models }) };
  const { diagnostics } = checkProgram(text, environment, { dialect: 'playbook' });
  return diagnostics.map(({ code, line, message }) => `${line}: ${code} ${message}`);
}

const stepsSaid = (steps: string, rest = ''): string[] => said(program(steps, rest));

test('a program with nothing wrong is valid, and has no program of its own', () => {
  const checked = checkProgram(
    program('- Say "hi"'),
    { tools, inputs: [] },
    { file: 'x.playbook.md' },
  );
  expect(checked).toEqual({ ok: true, dialect: 'playbook', diagnostics: [] });
});

test('loops and conditions with nothing under them', () => {
  const under = 'with nothing under it';
  expect(stepsSaid('- $n = 0\n- While $n < 3\n- For each x in $n\n- Say "{$n}"')).toEqual([
    `8: PV2418 got 02:LOP While $n < 3 ${under}`,
    `9: PV2418 got 03:LOP For each x in $n ${under}`,
  ]);
  expect(stepsSaid('- $n = 0\n- If $n > 3\n- Say "{$n}"')).toEqual([
    `8: PV2418 got 02:CND If $n > 3 ${under}`,
  ]);
  // Otherwise may do all there is to do.
  expect(stepsSaid('- $n = 0\n- If $n > 3\n- Otherwise\n  - Say "{$n}"')).toEqual([]);
  expect(stepsSaid('- $n = 0\n- While $n < 3, $n = $n + 1\n- Say "{$n}"')).toEqual([]);
});

describe('a model that a file names', () => {
  const steps =
    '## Main\nmodel: openai/small\n### Triggers\n- At the beginning\n### Steps\n- Say("x")\n';
  const text = `---\nmodel: a/b\n---\n# Desk\nmodel: other\n\n${steps}`;
  const head = '2: PV2434 got model: a/b at the head of the file, of which nothing comes';
  const agent = '5: PV2434 model below the heading Desk: got other, want PROVIDER/NAME';
  const main = '8: PV2434 got model: openai/small below the heading Main, of which nothing comes';

  test('is asked where it is of the provider of the run, or a person says so', () => {
    const of = (own: string | undefined, named: Readonly<Record<string, string>> = {}) =>
      said(text, [], { ...(own && { own }), named });
    expect(said(text)).toEqual([head, agent, main]);
    expect(of(undefined)).toEqual([head, agent, main]);
    expect(of('openai/large')).toEqual([head, agent]);
    expect(of('a/c')).toEqual([agent, main]);
    expect(of('c/d', { Desk: 'c/e' })).toEqual([agent]);
    expect(of('c/d', { 'Desk.Main': 'c/e' })).toEqual([head, agent]);
    expect(of('replay/said.ndjson')).toEqual([]);
  });

  test('is none for people', () => {
    const person = '# Ann: Human\nmodel: openai/small\n';
    const asked = { own: 'openai/large', named: {} };
    expect(said(`${program('- Say "hi"')}\n${person}`, [], asked)).toEqual([
      expect.stringContaining('below the heading Ann, of which nothing comes'),
    ]);
  });
});

test('a way to play a playbook that there is not', () => {
  const played = (mode: string) =>
    said(
      `# Desk\n## Main\nexecution_mode: ${mode}\n### Triggers\n- At the beginning\n### Steps\n- Say("x")\n`,
    );
  expect(played('fast')).toEqual([
    '2: PV2434 got execution_mode: fast, want playbook, react or raw',
  ]);
  expect([...played('playbook'), ...played('react'), ...played('RAW')]).toEqual([]);
});

describe('calls', () => {
  test('of what there is not', () => {
    expect(stepsSaid('- $r = Serch($q)\n- Return $r')[0]).toMatch(
      /^7: PV2404 there is no playbook, function or tool Serch/,
    );
    expect(stepsSaid('- $q = 1\n- $r = Search($q)\n- Return $r')).toEqual([]);
  });

  test('of functions of a block within a playbook, which is of its agent wherever it stands', () => {
    const block = '```tools\ndef double(x):\n    return x * 2\n```\n';
    expect(stepsSaid('- $r = double(2)\n- Return $r', block)).toEqual([]);
    expect(stepsSaid(`- $r = double(2)\n${block}- Return $r`)).toEqual([]);
    const margin = block.replace('tools', 'python');
    expect(stepsSaid(`- $r = double(2)\n- Return $r\n\n${margin}`)).toEqual([]);
    expect(stepsSaid(`- $r = dubble(2)\n- Return $r\n\n${block}`)[0]).toContain('dubble');
  });

  test('of functions of a block, with an error in the block at its line', () => {
    const block = '```tools\ndef double(x):\n    return x * 2\n```\n';
    expect(
      said(program('- $r = double(2)\n- Return $r').replace('## Main', `${block}## Main`)),
    ).toEqual([]);
    const wrong = '```tools\ndef double(x)\n    return x\n```\n';
    const [first] = said(program('- Return').replace('## Main', `${wrong}## Main`));
    expect(first).toMatch(/^4: PV23/);
  });

  test('of functions of a block that cannot be read: its own error is told, and no other', () => {
    const block =
      '```tools\ndef price(kind):\n    return {"a": 1[kind]\n\ndef book(x):\n    pass\n```\n';
    const steps = '- $p = price("a")\n- book($p)\n- $q = prise("a")\n- Return $p';
    expect(said(program(steps).replace('## Main', `${block}## Main`))).toEqual([
      expect.stringMatching(/^7: PV2306/),
      expect.stringMatching(/^16: PV2404 .* prise$/),
    ]);
  });

  test('of another agent: only what is public', () => {
    const other = (meta: string): string => `# Other\n## Help(x)\n${meta}\n### Steps\n- Return x\n`;
    expect(stepsSaid('- Other.Help(1)', other(''))).toEqual([
      '7: PV2417 Other.Help is not public, and belongs to another agent',
    ]);
    expect(stepsSaid('- Other.Help(1)', other('public: true'))).toEqual([]);
  });

  test('of functions of a block, by the parameters that they have', () => {
    const block =
      '```tools\ndef book(bike, days=1):\n    return bike\n\ndef any(*a, **b):\n    pass\n```\n';
    expect(stepsSaid('- book(1)\n- book(days=2, bike=1)\n- any(1, 2, c=3)', block)).toEqual([]);
    expect(stepsSaid('- book()\n- book(1, 2, 3)\n- book(1, color=2)', block)).toEqual([
      '7: PV2415 got no bike for book, which needs it',
      '8: PV2416 got the argument 3 for book, which has no such parameter',
      '9: PV2416 got the argument color for book, which has no such parameter',
    ]);
  });

  test('arguments that are missing or not there to give', () => {
    const rest = '## Book($bike, deposit=20)\n### Steps\n- Return $bike\n';
    expect(stepsSaid('- Book()', rest)).toEqual(['7: PV2415 got no bike for Book, which needs it']);
    expect(stepsSaid('- Book(1, color=2)', rest)).toEqual([
      '7: PV2416 got the argument color for Book, which has no such parameter',
    ]);
  });

  test('calls within them are named as they are written', () => {
    const rest = '## Book($bike)\n### Steps\n- Return $bike\n';
    expect(stepsSaid('- Return Book("a", Book(Book(2)))', rest)).toEqual([
      '7: PV2416 got the argument Book(Book(2)) for Book, which has no such parameter',
    ]);
    expect(stepsSaid('- book_1 = Book(1)\n- Book(2, book_1)', rest)).toEqual([
      '8: PV2416 got the argument book_1 for Book, which has no such parameter',
    ]);
  });
});

describe('what a file lets go wrong', () => {
  test('a line that is as far in as none that it could stand beside', () => {
    const steps = '- If $x\n      - Say "a"\n  - Say "b"\n - Say "c"\n- Return';
    expect(said(program(steps), ['x'])).toEqual([
      '9: PV1416 got an indent of 2, want 0 or 6',
      '10: PV1416 got an indent of 1, want 0 or 2',
    ]);
    expect(
      said(program(steps.replace('    -', '-').replace(' - Say "c"', '  - c')), ['x']),
    ).toEqual([]);
    // Numbers are set to the right, too.
    expect(stepsSaid(' 9. Say "a"\n10. Return')).toEqual([]);
  });

  test('a block of code without an end takes the playbooks behind it with it', () => {
    const block = '```tools\ndef double(x):\n    return x * 2\n';
    const cut = program('- Return').replace('## Main', `${block}## Main`);
    expect(said(cut)).toEqual([
      '3: PV1402 got a block of code without an end, want ``` in a line of its own',
    ]);
    expect(checkProgram(cut, { tools, inputs: [] }, { dialect: 'playbook' }).ok).toBe(false);
    const last = program('- $r = double(2)\n- Return $r', block);
    expect(checkProgram(last, { tools, inputs: [] }, { dialect: 'playbook' }).ok).toBe(true);
  });
});

describe('ways through the steps', () => {
  test('a step that is never reached', () => {
    expect(stepsSaid('- Return 1\n- Say "a"\n- Say "b"')).toEqual([
      '8: PV2405 got 02:QUE Say(user, "a"), which no way through the steps comes to',
    ]);
  });

  test('steps without an end', () => {
    expect(stepsSaid('1. Say "a"\n2. Go to step 1')).toEqual([
      '3: PV2413 got steps that go round for ever, want one that leads to the end',
    ]);
  });

  test('a jump to no step, an Otherwise without a condition, a note that there is not', () => {
    expect(stepsSaid('- $x = 1\n- If $x, go to step 9').slice(-1)).toEqual([
      '8: PV2408 got a jump to 09, want a step',
    ]);
    expect(stepsSaid('- Say "a"\n- Otherwise\n  - Say "b"')[0]).toMatch(/^8: PV2411/);
    expect(stepsSaid('- Check N2')).toEqual([
      '7: PV2412 got the note N2, want one of the playbook',
    ]);
  });
});

describe('variables', () => {
  test('one that is read before anything sets it', () => {
    expect(stepsSaid('- Say "{$x}"\n- $x = 1')).toEqual([
      '7: PV2406 got $x, which nothing has set before',
    ]);
  });

  test('not one that is an input, a parameter, set elsewhere or perhaps by what words say', () => {
    expect(said(program('- Say "{$x}"'), ['x'])).toEqual([]);
    expect(stepsSaid('- Say "{$x}"', '## F\n### Steps\n- $x = 1\n')).toEqual([]);
    expect(stepsSaid('- Work out the $x\n- Say "{$x}"')).toEqual([]);
    expect(stepsSaid('- F(1)', '## F($x)\n### Steps\n- Say "{$x}"\n')).toEqual([]);
  });

  test('what only another playbook has, where it is filled in', () => {
    const callee = (head: string, lines: string): string =>
      `## Callee(${head})\n### Steps\n${lines}- Say("It is {region}")\n`;
    const caller = '- region = "north"\n- Callee()\n- Return 1';
    expect(stepsSaid(caller, callee('', ''))).toEqual([
      '12: PV2406 got {region}, which only another playbook has',
    ]);
    expect(stepsSaid(caller, callee('region="south"', ''))).toEqual([]);
    expect(stepsSaid(caller, callee('', '- region = "south"\n'))).toEqual([]);
    expect(stepsSaid('- Callee()', callee('', ''))).toHaveLength(1);
  });

  test.each(['After a while', 'Every now and then', 'In some time', 'Every so often'])(
    'a time that nobody can read: %s',
    (trigger) => {
      const later = `## Later\n### Triggers\n- ${trigger}\n### Steps\n- Say "x"\n`;
      expect(stepsSaid('- Say "a"', later)).toEqual([
        `10: PV2441 got "${trigger}", want a time: it is held against messages alone`,
      ]);
    },
  );

  test('one that a function sets, by a name in any letters', () => {
    const code =
      '\n```tools\ndef F():\n    state["größe"] = 1\n    state.setdefault("œuf", 2)\n```\n';
    expect(stepsSaid('- F()\n- Say "{$größe} {$œuf}"', code)).toEqual([]);
    expect(stepsSaid('- F()\n- Say "{$grösse}"', code)).toEqual([
      '8: PV2406 got $grösse, which nothing has set before',
    ]);
  });
});

describe('what is filled into descriptions', () => {
  const about = 'execution_mode: raw\nA poem, {$moon} and {stars} and {$a}.\n';

  test('has to be set by something, at the place of the placeholder', () => {
    const { diagnostics } = checkProgram(
      program('- $a = 1\n- Poem()', `\n## Poem\n${about}`),
      { tools, inputs: [] },
      { dialect: 'playbook' },
    );
    expect(diagnostics).toMatchObject([
      { line: 12, column: 9, message: 'got $moon in a description, which nothing sets' },
    ]);
    expect(stepsSaid('- $a = 1\n- $moon = 2\n- Poem()', `\n## Poem\n${about}`)).toEqual([]);
    expect(said(program('- $a = 1\n- Poem()', `\n## Poem\n${about}`), ['moon'])).toEqual([]);
    expect(stepsSaid('- $a = 1\n- Poem(2)', `\n## Poem($moon)\n${about}`)).toEqual([]);
    const found = '\n## Look\nFind out what the $moon is like.\n';
    expect(stepsSaid('- $a = 1\n- Look()\n- Poem()', `${found}\n## Poem\n${about}`)).toEqual([]);
  });

  test('has to be set before the call', () => {
    const poem = '\n## Poem\nexecution_mode: raw\nA poem about {$late}.\n';
    expect(stepsSaid('- Poem()\n- $late = 3', poem)).toEqual([
      '7: PV2406 got $late, which nothing has set before',
    ]);
    expect(stepsSaid('- $late = 3\n- Poem()', poem)).toEqual([]);
    const other = '\n## Other\n### Steps\n- $late = 4\n';
    expect(stepsSaid('- Other()\n- Poem()\n- $late = 3', `${other}${poem}`)).toEqual([]);
  });
});

test('a call in words of what there is not', () => {
  const rest = '\n## Order soup($n)\n### Steps\n- Return $n\n';
  expect(stepsSaid('- Call OrderSoop with 3', rest)).toEqual([
    '7: PV2404 there is no playbook, function or tool OrderSoop',
  ]);
  expect(stepsSaid('- Call Bob with the news\n- Call the kitchen with 3 orders', rest)).toEqual([]);
  expect(stepsSaid('- Get $a from OrderSoop\n- Get $b from Soop(1).', rest)).toEqual([
    '7: PV2404 there is no playbook, function or tool OrderSoop',
    '8: PV2404 there is no playbook, function or tool Soop',
  ]);
  expect(stepsSaid('- Get $a from Wikipedia\n- Get $b from the list (2)', rest)).toEqual([]);
});

test('what is compiled has its own lines, whatever it was made of', () => {
  const compiled = printCompiled(fileOf(program('- $a = 1\n- Say("{$b}")')));
  const [line] = said(compiled);
  const at = Number(line?.split(':')[0]);
  expect(compiled.split('\n')[at - 1]).toBe('- 02:QUE Say(user, "{$b}")');
});

describe('triggers', () => {
  const trigger = (text: string): string[] =>
    stepsSaid('- $n = 1', `## F\n### Triggers\n- ${text}\n### Steps\n- Say "a"\n`);

  test('that can never fire', () => {
    const unset = ['10: PV2407 got a trigger on $m, which nothing sets: it can never fire'];
    expect(trigger('When $m > 3')).toEqual(unset);
    expect(trigger('When $m > 3 and $n > 5')).toEqual(unset);
    expect(trigger('When $m > 3 or $m == 1')).toEqual(unset);
    expect(trigger('When $n > 5 and $n < 3')).toEqual([
      '10: PV2407 got When $n > 5 and $n < 3, which never holds',
    ]);
  });

  test.each([
    ...['When not true', 'When $n > 5 and not ($n > 2)', 'When $n == 1 and not ($n >= 1)'],
    ...['When $n < 3 and $n >= 3', 'When $n > 3 and $n <= 3', 'When $n == 3 and $n != 3'],
    ...['When $n > 3 and not $n > 3', 'When $n is set and $n is not set'],
    ...['When $n < 2 and $n == 4', 'When $n == "a" and $n == "b"', 'When $n in []'],
    ...['When not ($n == "a" or $n != "a")', 'When $n in ["a", "b"] and $n == "c"'],
    ...['When ($n > 5 or $n == 3) and $n < 3', 'When $n == 1 and not $n', 'When $n.k < $n.k'],
    ...['When $n > 3 and $n < 3 and len($n) > 1', 'When $n is empty and $n is not empty'],
    ...['When $n not in [1, 2] and ($n == 1 or $n == 2)', 'When $n < 2 and $n > 1 and $n == 1'],
  ])('that hold never: %s', (text) => {
    expect(trigger(text)).toEqual([`10: PV2407 got ${text}, which never holds`]);
  });

  test('that call what there is not', () => {
    expect(trigger('When Cost($n) > 5')).toEqual([
      '10: PV2404 there is no playbook, function or tool Cost',
    ]);
  });

  test('on what only their own playbook sets, which nothing calls', () => {
    const own = (more: string, steps = '- $n = 1'): string[] =>
      stepsSaid(steps, `## F\n### Triggers\n- When $y is set\n### Steps\n- $y = 1\n${more}`);
    const message = 'got a trigger on $y, which only F itself sets, and nothing calls it';
    expect(own('')).toEqual([`10: PV2407 ${message}`]);
    expect(own('', '- $y = 1')).toEqual([]);
    expect(own('', '- F()')).toEqual([]);
    expect(own('', '- Something that nobody can read')).toEqual([]);
    expect(own('## G\nDoes what there is to do.\n')).toEqual([]);
    expect(own('## G\n### Triggers\n- When $y is set\n### Steps\n- Say "a"\n')).toHaveLength(1);
    const either = '## F\n### Triggers\n- When $y is not set\n### Steps\n- $y = 1\n';
    expect(stepsSaid('- $n = 1', either)).toEqual([]);
  });

  test('that may', () => {
    expect(trigger('When $n > 3')).toEqual([]);
    expect(trigger('When not false')).toEqual([]);
    expect(trigger('When $n is not "a" and not "b"')).toEqual([]);
    expect(trigger('When $n > 2 and not ($n > 5)')).toEqual([]);
    expect(trigger('When $n > 3 and $n < 5')).toEqual([]);
    expect(trigger('When $n >= 3 and $n <= 3')).toEqual([]);
    expect(trigger('When $n != 3 and $n != 4')).toEqual([]);
    expect(trigger('When $n > 3 and $n != 4 and $n == 5')).toEqual([]);
    expect(trigger('When $m > 3 or $n > 5')).toEqual([]);
    expect(trigger('When the user is angry')).toEqual([]);
    expect(trigger('When "a" in $n and "b" in $n')).toEqual([]);
    expect(trigger('When not ($n == "a" or $n == "b")')).toEqual([]);
    expect(trigger('When $n > 0.1 and $n < 0.2 and $n != 0.15')).toEqual([]);
    expect(trigger('When $n in [1, 2] and $n != 2 and $n.k == 1')).toEqual([]);
    expect(trigger('When $n > "a" and $n < "c" and not $n == "b"')).toEqual([]);
  });

  test('a program that nothing begins', () => {
    expect(said('# A\n## F\n### Steps\n- Say "a"\n')).toEqual([
      '2: PV2414 no playbook begins when the program starts',
    ]);
  });
});

test('names that are there twice, and files with nothing in them', () => {
  expect(stepsSaid('- Say "a"', '## Main\n### Steps\n- Say "b"\n')).toEqual([
    '8: PV2403 got the name Main twice, want each once',
  ]);
  expect(said('')[0]).toMatch(/^1: PV2401/);
});

test('conditions of nothing but constants', () => {
  const text = `- If 1 == 2
  - Say("a")
- If "a" is "a" and $n > 1
  - Say("b")
- While 3 < 2 or false
  - Say("c")
- While true
  - Say("d")
  - If $n is 5
    - Break
- If $n > 3 and $n < 2
  - Say("e")
- Return $n`;
  const own = '\n## Never\n### Triggers\n- When 1 == 2\n### Steps\n- Say("x")\n';
  expect(stepsSaid(`- $n = 1\n${text}`, own)).toEqual([
    '8: PV2405 got 02:CND If 1 == 2, which never holds: nothing under it is done',
    '12: PV2405 got 04:LOP While 3 < 2 or false, which never holds: nothing under it is done',
    '18: PV2405 got 06:CND If $n > 3 and $n < 2, which never holds: nothing under it is done',
    '24: PV2407 got When 1 == 2, which never holds',
  ]);
});

test('names in the letters of any language, however their marks are typed', () => {
  const apart = 'größe'.normalize('NFD');
  expect(stepsSaid(`- $größe = 3\n- Say("Hallo {$${apart}}")\n- Return $${apart}`)).toEqual([]);
  expect(stepsSaid('- $名前 = "花子"\n- Say("{$名前}さん")\n- Return "{$名前}"')).toEqual([]);
  expect(stepsSaid('- Say("Grüße, das macht 5$")\n- Return 1')).toEqual([]);
  const own = '\n## 注文を確認($数)\n### Steps\n- Return $数\n';
  expect(stepsSaid('- 注文を確認(2)\n- Prüfe(1)', own)).toEqual([
    '8: PV2404 there is no playbook, function or tool Prüfe',
  ]);
});

test('a name that goes on where a script writes no blanks', () => {
  const { diagnostics } = checkProgram(
    program('- $名前 = "花子"\n- Say("$名前さん、こんにちは")\n- Return 1'),
    { tools, inputs: [] },
    { dialect: 'playbook' },
  );
  const [found] = diagnostics;
  expect(found?.message).toBe('got $名前さん, which nothing has set before');
  expect(found?.hint).toBe('where $名前 is meant, write {$名前}');
});

describe('what models and people write that is no call, no way out, no variable', () => {
  test('what is computed is no call, unless somebody has defined it', () => {
    expect(stepsSaid('- $n = len("ab")\n- $m = max($n, 2) + 1\n- Return len($m)')).toEqual([]);
    const own = '```tools\ndef len(x):\n    return 1\n```\n';
    expect(stepsSaid('- $n = len(1, 2)\n- Return $n', own)[0]).toMatch(/PV2416/);
  });

  test('a loop over what always holds is left by its steps alone', () => {
    const endless = stepsSaid('- While True\n  - Say "a"\n- Return 1');
    expect(endless).toEqual([
      expect.stringMatching(/^3: PV2413/),
      expect.stringMatching(/^9: PV2405/),
    ]);
    expect(stepsSaid('- While True\n  - $n = 1\n  - If $n > 0\n    - Return 2')).toEqual([]);
  });

  test('a summary that a model leaves is not read', () => {
    expect(stepsSaid('- $x = 1\n- Say "{$__}"\n- Return $x')).toEqual([
      '8: PV2406 got $__, which is a note of a model about what it has played',
    ]);
  });

  test('a heading within steps loses none of them', () => {
    const said = stepsSaid('- $x = 1\n#### More\n- $y = Serch($x)\n- Return $y');
    expect(said).toContainEqual(expect.stringMatching(/^8: PV1404 got the heading More/));
    expect(said).toContainEqual(expect.stringMatching(/^9: PV2404/));
  });

  test('what stands under a strange heading behind steps is read as description, and said', () => {
    const text = program('- $x = 1\n- Return $x\n### Style\nBe brief.\n- No jokes.\n');
    const { diagnostics } = checkProgram(text, { tools, inputs: [] }, { dialect: 'playbook' });
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ['PV1404', expect.stringContaining('read and not followed line by line')],
    ]);
    const described = fileOf(text).agents[0]?.playbooks[0]?.description;
    expect(described).toContain('Be brief.\n- No jokes.');
  });

  test.each(['- ', ''])('steps deeper than there are levels are no other program: %j', (mark) => {
    const deep = (levels: number): string =>
      Array.from({ length: levels }, (_, at) => {
        const step = at < levels - 1 ? `If $x > ${at}` : 'Return $x';
        return `${'  '.repeat(at)}${mark}${step}`;
      }).join('\n');
    const codes = (levels: number): (readonly [string, string, number])[] =>
      checkProgram(
        program(`- $x = 1\n${mark === '' ? '\n' : ''}${deep(levels)}`),
        { tools, inputs: [] },
        { dialect: 'playbook' },
      ).diagnostics.flatMap(({ code, line, severity }) =>
        code === 'PV1413' ? [[severity, code, line] as const] : [],
      );
    expect(codes(20)).toEqual([]);
    expect(codes(23)).toEqual([['error', 'PV1413', expect.any(Number)]]);
  });

  test('a file that stands in a block of code is read, at its lines', () => {
    const whole = `\`\`\`markdown\n${program('- $y = Serch(1)\n- Return $y')}\n\`\`\`\nEnd output\n`;
    const told = said(whole);
    expect(told[0]).toMatch(/^1: PV1417/);
    expect(told).toContainEqual(expect.stringMatching(/PV1417 got "End output" behind it/));
    expect(told).toContainEqual(expect.stringMatching(/^8: PV2404/));
    expect(said(whole.replace('End output\n', ''))[0]).toMatch(/^1: PV1417/);
  });
});
