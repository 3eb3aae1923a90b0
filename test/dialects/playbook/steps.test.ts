/** Lines become steps: which statement each is, and where control is given back. */
import { describe, expect, test } from 'vitest';
import { mainOf, program, stepsOf } from './written.ts';

describe('explicit statements need no model', () => {
  test.each<[string, string[]]>([
    ['- $x = 5', ['01:EXE $x = 5']],
    ['- Set $x to 5', ['01:EXE $x = 5']],
    ['- $x:int = the number of $bikes', ['01:EXE $x:int = the number of $bikes']],
    ['- Say("Hello {$name}")', ['01:QUE Say(user, "Hello {$name}")']],
    ['- Say "Hello"', ['01:QUE Say(user, "Hello")']],
    ['- "Hello"', ['01:QUE Say(user, "Hello")']],
    ['- Dis « Bonjour »', ['01:QUE Say(user, "Bonjour")']],
    ['- Say goodbye to the user', ['01:QUE Say(user, Say goodbye to the user)']],
    ['- Tell the user about the rain', ['01:QUE Say(user, Tell the user about the rain)']],
    [
      '- Ask the user for $a and $b',
      ['01:QUE Say(user, Ask the user for $a and $b)', '02:YLD for user'],
    ],
    [
      '- Ask the user for $a and $b; ask only for what is missing',
      [
        '01:QUE Say(user, Ask the user for $a and $b; ask only for what is missing)',
        '02:YLD for user',
      ],
    ],
    [
      "- Demander à l'utilisateur son $nom",
      ["01:QUE Say(user, Demander à l'utilisateur son $nom)", '02:YLD for user'],
    ],
    ['- Wait for the user to say something', ['01:YLD for user']],
    ['- Wait 30 seconds', ['01:YLD for timer 30 seconds']],
    ['- Wait for agent Weather', ['01:YLD for agent Weather']],
    ['- Think about the best way', ['01:TNK Think about the best way']],
    ['- Return $x', ['01:RET $x']],
    ['- Return', ['01:RET']],
    ['- Renvoyer $x', ['01:RET $x']],
    ['- End program', ['01:YLD for exit']],
    ['- Terminer le programme', ['01:YLD for exit']],
    ['- Check note N1', ['01:CHK N1']],
    [
      '- Say goodbye to the user and end program',
      ['01:QUE Say(user, Say goodbye to the user)', '02:YLD for exit'],
    ],
    ['- Say "a". Say "b".', ['01:QUE Say(user, "a")', '02:QUE Say(user, "b")']],
    ['- Search($q)', ['01:QUE Search($q)']],
    ['- Call Search($q)', ['01:QUE Search($q)']],
    ['- $r = Search($q)', ['01:QUE $r = Search($q)']],
    ['- Get $r from Search($q)', ['01:QUE $r = Search($q)']],
    ['- Weather.Forecast(day=$day)', ['01:QUE Weather.Forecast(day=$day)']],
  ])('%s', (line, want) => {
    expect(stepsOf(line, '', ['Search'])).toEqual(want);
  });

  test('before a round that its head has waited for, nothing waits', () => {
    const loop = '- $ok = F(1)\n- While not $ok\n  - Ask user for another $day\n  - $ok = F($day)';
    expect(stepsOf(loop).slice(2, 4)).toEqual([
      '03:LOP While not $ok',
      '03.01:QUE Say(user, Ask user for another $day)',
    ]);
  });

  test('who goes on with the next one of an outer loop leaves the inner one', () => {
    const loops = '- For each $a in $all\n  - For each b in $a\n    - If b is odd\n      - ';
    const line = '01.01.01.01:JMP';
    expect(stepsOf(`${loops}Continue with the next $a`)).toContain(`${line} 01`);
    expect(stepsOf(`${loops}Skip to the next b.`)).toContain(`${line} 01.01`);
    expect(stepsOf(`${loops}Go on with the next week`)).toContain(
      '01.01.01.01:EXE? Go on with the next week',
    );
  });

  test('anything else is left to a model', () => {
    expect(stepsOf('- Consider the weather\n- Suggest another day')).toEqual([
      '01:EXE? Consider the weather',
      '02:EXE? Suggest another day',
    ]);
  });

  test('a literal stays one, an instruction stays an instruction', () => {
    const [literal, instruction] = mainOf(program('- Say "Hi"\n- Say hi to the user')).steps;
    expect(literal?.say).toEqual({ text: 'Hi', isLiteral: true, to: 'user' });
    expect(instruction?.say).toEqual({ text: 'Say hi to the user', isLiteral: false, to: 'user' });
  });

  test('a question says which variables it is for', () => {
    const [ask] = mainOf(program('- Ask the user about $bike for their $name and $day')).steps;
    expect(ask?.asks).toEqual(['$name', '$day']);
    expect(ask?.reads).toEqual(['$bike']);
    const [two] = mainOf(program('- Ask for their $name and the number of $seats')).steps;
    expect(two?.asks).toEqual(['$name', '$seats']);
  });

  test('a question about what a loop goes over is not for that', () => {
    const [loop] = mainOf(program('- For each $form in $forms\n  - Ask rider for $form')).steps;
    expect(loop?.children[0]?.asks).toEqual([]);
  });
});

describe('whom a line speaks to', () => {
  const rest = '# Clara:Human\nDecides.\n# Accountant\nCounts.\n';
  test('a person of the file, or another agent', () => {
    expect(stepsOf('- Tell Clara that it is late', rest)).toEqual([
      '01:QUE Say(Clara, Tell Clara that it is late)',
    ]);
    expect(stepsOf('- Ask the Accountant for the $rate', rest)).toEqual([
      '01:QUE Say(Accountant, Ask the Accountant for the $rate)',
      '02:YLD for agent Accountant',
    ]);
  });
});

describe('blocks', () => {
  test('conditions with what else, in blocks and in one line', () => {
    const text = `- If $x is empty
  - Say "none"
- Otherwise if $x > 5
  - Say "many"
- Otherwise
  - Say "some"
- If $y is set, say "y"
- Otherwise, say "no y"`;
    expect(stepsOf(text)).toEqual([
      '01:CND If $x is empty',
      '01.01:QUE Say(user, "none")',
      '02:ELS Otherwise if $x > 5',
      '02.01:QUE Say(user, "many")',
      '03:ELS Otherwise',
      '03.01:QUE Say(user, "some")',
      '04:CND If $y is set',
      '04.01:QUE Say(user, "y")',
      '05:ELS Otherwise',
      '05.01:QUE Say(user, "no y")',
    ]);
  });

  test('every loop comes back to its head, and is left by break and continue', () => {
    const text = `- While $n < 3
  - If $done
    - Break
  - If $odd
    - Continue
  - Say "again"
- Say "over"`;
    expect(stepsOf(text)).toEqual([
      '01:LOP While $n < 3',
      '01.01:CND If $done',
      '01.01.01:JMP 02',
      '01.02:CND If $odd',
      '01.02.01:JMP 01',
      '01.03:QUE Say(user, "again")',
      '01.04:JMP 01',
      '02:QUE Say(user, "over")',
    ]);
  });

  test.each([
    ['Stop the inner loop', '02'],
    ['Leave the current loop.', '02'],
    ['Go on with the next one', '01'],
    ['Skip to the next item', '01'],
  ])('%s is a way out of the loop, or to its next round', (line, number) => {
    const steps = stepsOf(`- For each $x in $y\n  - If $x\n    - ${line}\n- Return`);
    expect(steps).toContain(`01.01.01:JMP ${number}`);
  });

  test('break where nothing is behind the loop ends the playbook', () => {
    expect(stepsOf('- While true\n  - Break')).toEqual([
      '01:LOP While true',
      '01.01:RET',
      '01.02:JMP 01',
    ]);
  });

  test('a talk that goes on until something holds is a loop', () => {
    expect(stepsOf('- Greet the user and ask for $day; keep talking until they name one')).toEqual([
      '01:LOP Until they name one',
      '01.01:QUE Say(user, Greet the user and ask for $day)',
      '01.02:YLD for user',
      '01.03:JMP 01',
    ]);
  });

  test('go to step counts the items as they are written', () => {
    const text = '1. Ask the user for $x\n2. Say "got it"\n3. If $x is odd, go to step 2';
    expect(stepsOf(text).slice(2)).toEqual([
      '03:QUE Say(user, "got it")',
      '04:CND If $x is odd',
      '04.01:JMP 03',
    ]);
  });

  test.each(['Repeat from step 1', 'Start over at step 1', 'Begin again from step 1'])(
    '%s goes there',
    (line) => {
      expect(stepsOf(`- $x = 1\n- If $x is 2\n  - ${line}\n- Return $x`)[2]).toBe('02.01:JMP 01');
    },
  );

  test('lines without marks stand under each other by how far they are in', () => {
    const lines = [
      ...['Ask the user for a $day', 'While $day is rainy', '  If $day is odd'],
      ...['\tSay("odd")', '  Otherwise', '    Say("even")', 'Return $day'],
    ];
    expect(stepsOf(lines.join('\n'))).toEqual([
      ...['01:QUE Say(user, Ask the user for a $day)', '02:YLD for user'],
      ...['03:LOP While $day is rainy', '03.01:CND If $day is odd'],
      ...['03.01.01:QUE Say(user, "odd")', '03.02:ELS Otherwise'],
      ...['03.02.01:QUE Say(user, "even")', '03.03:JMP 03', '04:RET $day'],
    ]);
  });

  test('four levels, several paragraphs, any marker', () => {
    const text = `* If $a
  + If $b
    1. If $c
       - If $d
         - Say "deep"

  second thought
* Say "end"`;
    const { steps } = mainOf(program(text));
    const deep = steps[0]?.children[0]?.children[0]?.children[0]?.children[0];
    expect(deep?.number).toBe('01.01.01.01.01');
    expect(deep?.place).toEqual({ line: 11, column: 12 });
    expect(steps.at(-1)?.text).toBe('Say(user, "end")');
  });
});

describe('yields, by the five rules', () => {
  test('a: before the first use of a result, and no earlier', () => {
    const text = '- $a = F()\n- $b = G()\n- Say "wait"\n- Say "{$a} {$b}"';
    expect(stepsOf(text)).toEqual([
      '01:QUE $a = F()',
      '02:QUE $b = G()',
      '03:QUE Say(user, "wait")',
      '04:YLD for call',
      '05:QUE Say(user, "{$a} {$b}")',
    ]);
  });

  test('a: before words for results that no variable takes, and before nothing else', () => {
    const search = '- For each $q in $all\n  - F($q)\n';
    const behind = (next: string): string | undefined => stepsOf(`${search}${next}`)[3];
    expect(behind('- $best = the best of what was found')).toBe('02:YLD for call');
    expect(behind('- Tell the user the results')).toBe('02:YLD for call');
    expect(behind('- If nothing was found\n  - Say "no"')).toBe('02:YLD for call');
    expect(behind('- Return the page that was found')).toBe('02:YLD for call');
    expect(behind('- Say "That is what was found."')).toBe(
      '02:QUE Say(user, "That is what was found.")',
    );
    expect(behind('- $n = 3')).toBe('02:EXE $n = 3');
    expect(behind('- Ask the user what else they need')).toMatch(/^02:QUE/);
  });

  test('a: before a condition that any of its branches asks about', () => {
    const text = '- $a = F()\n- If $b\n  - Say "b"\n- Otherwise if $a\n  - Say "a"';
    expect(stepsOf(text).slice(0, 3)).toEqual([
      '01:QUE $a = F()',
      '02:YLD for call',
      '03:CND If $b',
    ]);
  });

  test('a: what a branch has queued is waited for behind it', () => {
    const text = '- If $b\n  - $a = F()\n- Tell the user the $a';
    expect(stepsOf(text).slice(2)).toEqual([
      '02:YLD for call',
      '03:QUE Say(user, Tell the user the $a)',
    ]);
  });

  test('a: a return waits by itself', () => {
    expect(stepsOf('- $a = F()\n- Return $a')).toEqual(['01:QUE $a = F()', '02:RET $a']);
  });

  test('a: what a playbook sets is a result of its call', () => {
    const rest = '## Learn\n### Steps\n- Ask the user for $name\n';
    expect(stepsOf('- Learn()\n- Say "Hi {$name}"', rest)).toEqual([
      '01:QUE Learn()',
      '02:YLD for call',
      '03:QUE Say(user, "Hi {$name}")',
    ]);
  });

  test('a: before words that may be about a result, also where they name none', () => {
    expect(stepsOf('- $order = F()\n- Say order status to the user')[1]).toBe('02:YLD for call');
    expect(stepsOf('- $x = F()\n- If nothing was found\n  - Return')[1]).toBe('02:YLD for call');
    expect(stepsOf('- $x = F()\n- Tell the user the result')[1]).toBe('02:YLD for call');
    expect(stepsOf('- $x = F()\n- Say goodbye to the user')[1]).toMatch(/^02:QUE/);
  });

  test('b: behind a question, not behind what only tells', () => {
    expect(stepsOf('- Say "How are you?"\n- Say "I am fine."')).toEqual([
      '01:QUE Say(user, "How are you?")',
      '02:YLD for user',
      '03:QUE Say(user, "I am fine.")',
    ]);
  });

  test('b: between questions, before one that is about what any of those before it asks for', () => {
    const ask = (...all: string[]) => stepsOf(all.map((one) => `- Ask the user ${one}`).join('\n'));
    const codes = (steps: readonly string[]) =>
      steps.map((one) => (one.includes(':YLD') ? one.slice(3) : one.slice(0, 6)));
    expect(codes(ask('for $a', 'for $b', 'how many of {$a}, as $n', 'for $c'))).toEqual([
      ...['01:QUE', '02:QUE', 'YLD for user', '04:QUE', '05:QUE', 'YLD for user'],
    ]);
    expect(codes(ask('for $a', 'for $b', 'for $c', 'for $d', 'about $b, as $n'))[4]).toBe(
      'YLD for user',
    );
    // Waiting for a call is no answer to what was asked before it.
    const called = stepsOf(
      ['$x = F()', ...['for $a', 'about $x, as $b', 'about $a, as $c'].map((one) => `Ask ${one}`)]
        .map((one) => `- ${one}`)
        .join('\n'),
    );
    expect(codes(called)).toEqual([
      ...['01:QUE', '02:QUE', 'YLD for call', '04:QUE', 'YLD for user', '06:QUE', 'YLD for user'],
    ]);
  });

  test('b: not twice where the author waits', () => {
    expect(stepsOf('- Ask the user for $x\n- Wait for the user')).toEqual([
      '01:QUE Say(user, Ask the user for $x)',
      '02:YLD for user',
    ]);
  });

  test('c: one behind a loop that queues independent calls', () => {
    const text = '- For each $q in $all\n  - $r = F($q)\n- Say "{$r}"';
    expect(stepsOf(text)).toEqual([
      '01:LOP For each $q in $all',
      '01.01:QUE $r = F($q)',
      '01.02:JMP 01',
      '02:YLD for call',
      '03:QUE Say(user, "{$r}")',
    ]);
  });

  test('c: within the loop where a round needs what the one before has queued', () => {
    const text = '- While true\n  - $n = F($n)';
    expect(stepsOf(text)).toEqual([
      '01:LOP While true',
      '01.01:YLD for call',
      '01.02:QUE $n = F($n)',
      '01.03:JMP 01',
    ]);
    expect(stepsOf('- While $n\n  - $n = F()')).toEqual([
      '01:LOP While $n',
      '01.01:QUE $n = F()',
      '01.02:YLD for call',
      '01.03:JMP 01',
    ]);
  });

  test('what was queued before a loop is waited for before it, not in each of its rounds', () => {
    const note = '## Note\n### Steps\n- $seen = 1';
    const inner = '  - For each z in [1, 2]\n    - Say "{z} {$seen}"';
    expect(stepsOf(`- Note()\n- For each x in [1, 2]\n${inner}`, note)).toEqual([
      '01:QUE Note()',
      '02:YLD for call',
      '03:LOP For each x in [1, 2]',
      '03.01:LOP For each z in [1, 2]',
      '03.01.01:QUE Say(user, "{z} {$seen}")',
      '03.01.02:JMP 03.01',
      '03.02:JMP 03',
    ]);
    // Its own calls have it wait at the same place: then once there is enough.
    const own = '  - $r = F(x)\n  - Say "{$r} {$seen}"';
    expect(stepsOf(`- Note()\n- For each x in [1, 2]\n${own}`, note)).toEqual([
      '01:QUE Note()',
      '02:LOP For each x in [1, 2]',
      '02.01:QUE $r = F(x)',
      '02.02:YLD for call',
      '02.03:QUE Say(user, "{$r} {$seen}")',
      '02.04:JMP 02',
    ]);
    // Where it is needed on some ways alone, only those wait.
    const some = '  - If x > 1\n    - Say "{$seen}"\n    - Break';
    expect(stepsOf(`- Note()\n- For each x in [1, 2]\n${some}`, note)).toContain(
      '02.01.01:YLD for call',
    );
  });

  test('d: one for several questions in a row', () => {
    expect(stepsOf('- Ask the user for $a\n- Ask the user for $b')).toEqual([
      '01:QUE Say(user, Ask the user for $a)',
      '02:QUE Say(user, Ask the user for $b)',
      '03:YLD for user',
    ]);
  });

  test('e: none where a question has waited for everything', () => {
    expect(stepsOf('- $a = F()\n- Ask the user for $b\n- Say "{$a}"')).toEqual([
      '01:QUE $a = F()',
      '02:QUE Say(user, Ask the user for $b)',
      '03:YLD for user',
      '04:QUE Say(user, "{$a}")',
    ]);
  });

  test('calls in what is said come before it, also between its braces', () => {
    expect(stepsOf('- Say(F(G(1)))', '', ['F', 'G'])).toEqual([
      ...['01:QUE g_1 = G(1)', '02:YLD for call', '03:QUE f_1 = F(g_1)', '04:YLD for call'],
      '05:QUE Say(user, "{f_1}")',
    ]);
    expect(stepsOf('- Say("It says {F("x")}, {$n} times.")', '', ['F'])).toEqual([
      ...['01:QUE f_1 = F("x")', '02:YLD for call'],
      '03:QUE Say(user, "It says {f_1}, {$n} times.")',
    ]);
  });

  test('calls in calls come first, together, and are waited for once', () => {
    expect(stepsOf('- $x = F(G($a), H($b))', '', ['F', 'G', 'H'])).toEqual([
      '01:QUE g_1 = G($a)',
      '02:QUE h_1 = H($b)',
      '03:YLD for call',
      '04:QUE $x = F(g_1, h_1)',
    ]);
  });
});

test('a playbook is called by its name in words where it is known what to pass', () => {
  const rest = '## Book a bike($bike, deposit=20)\n### Steps\n- Return $bike\n';
  expect(stepsOf('- Ask the user for $bike\n- Book a bike', rest).slice(2)).toEqual([
    '03:QUE BookABike(bike=$bike)',
  ]);
  expect(stepsOf('- Book a bike', rest)).toEqual(['01:EXE? Book a bike']);
});

test('a playbook is called by its title with brackets behind it', () => {
  const titled = '## Design the menu($topic)\n### Steps\n- Return 1\n';
  const called = (line: string): string => stepsOf(line, titled)[0] ?? '';
  expect(called('- Design the menu("soup")')).toBe('01:QUE DesignTheMenu("soup")');
  expect(called('- $x = Design the menu("a, b").')).toBe('01:QUE $x = DesignTheMenu("a, b")');
  expect(called('- Get $x from design the menu($y)')).toBe('01:QUE $x = DesignTheMenu($y)');
  expect(called('- Return Design the menu("soup")')).toBe('01:RET DesignTheMenu("soup")');
  expect(called('- Say("We have {Design the menu("soup")}.")')).toContain('DesignTheMenu("soup")');
  expect(called('- Design the menu (with much care)')).toBe(
    '01:EXE? Design the menu (with much care)',
  );
  expect(called('- Design the menu("soup") again')).toContain('EXE?');
});

describe('a question while something is on its way', () => {
  const asked = (line: string): string[] =>
    stepsOf(`- $left = stock("boots")\n- ${line}\n- Say("{$left}")`, '', ['stock']);

  test.each([
    'Ask the visitor for their name as $name',
    'Ask the visitor what their $name is',
    'Ask the guests whether they want $wine',
    'Ask "Your name?" and store the answer as $name',
  ])('%j is put at once: its words are for who is asked', (line) => {
    expect(asked(line).filter((step) => step.includes('YLD'))).toEqual(['03:YLD for user']);
  });

  test.each([
    'Ask the visitor whether that is enough as $name',
    'Ask the visitor whether the result is right as $name',
    'Ask the visitor what to do about it as $name',
  ])('%j waits for what it is about', (line) => {
    expect(asked(line)[1]).toBe('02:YLD for call');
  });
});
