/**
 * Files as people write them, each with a slip: it is found, at its place, and once; the same file
 * without it has nothing wrong. `[[slip|right]]` is where the two differ.
 */
import { describe, expect, test } from 'vitest';
import { bundled } from '../../../src/dialects/bundled.ts';
import { checkProgram } from '../../../src/dialects/index.ts';
import { fileOf } from './written.ts';

/** `line:column PVnnnn message`. */
function said(text: string): string[] {
  const environment = { tools: new Map(), inputs: [] };
  const { diagnostics } = checkProgram(text, environment, { dialect: 'playbook' });
  return diagnostics.map(
    ({ code, column, line, message }) => `${line}:${column} ${code} ${message}`,
  );
}

const form = /\[\[([^|]*)\|([^\]]*)\]\]/g;

function expectFound(text: string, found: readonly string[]): void {
  expect(text).toMatch(form);
  expect(said(text.replace(form, '$1'))).toEqual(found);
  expect(said(text.replace(form, '$2'))).toEqual([]);
}

/** What is called with one argument. */
const tools = '\n```tools\ndef Fee(order):\n    return order\n```\n';

const begin = '### Triggers\n- At the beginning\n### Steps\n';

describe('headings', () => {
  test('of a section that is written as one of a playbook', () => {
    expectFound(
      `# Clinic
## Main
### Triggers
- At the beginning
[[##|###]] Steps
- Ask user for $name and $day
- Say("Booked: {$name}, {$day}.")
`,
      ['5:4 PV1404 got a playbook of the name Steps, which has no steps of its own'],
    );
  });

  test('of a section, misspelt', () => {
    expectFound(
      `# Reminder
## Main
${begin}- Say("Hello")
## Cancel
### [[Triger|Trigger]]
- When the user wants to cancel
### Steps
- Say("Cancelled")
`,
      ['8:5 PV1404 got the heading Triger, want Triggers, Steps or Notes'],
    );
  });

  test('of a section that stands under no playbook', () => {
    for (const heading of ['Steps', 'Triggers']) {
      expectFound(
        `# Desk
Be kind.
[[|## Main]]
### ${heading}
- At the beginning
${begin}- Say("Hello")
`,
        [`4:5 PV1404 got the heading ${heading} without a playbook: it was taken for one of Main`],
      );
    }
    const [desk] = fileOf(`# Desk\nBe kind.\n${begin}- Return 1\n## Other\n`).agents;
    expect(desk?.description).toBe('Be kind.');
    expect(desk?.playbooks.map(({ name, steps }) => [name, steps.length])).toEqual([
      ['Main', 1],
      ['Other', 0],
    ]);
  });

  test('of a section in other words, above what is written as lines are', () => {
    const lines = ['Say("Hello")', 'Ask for $day', 'F(1)', 'End program', 'At the beginning'];
    for (const line of lines) {
      expect(said(`# A\n## Main\n### Workflow\n- ${line}\n${begin}- Return 1\n`)).toEqual([
        '3:5 PV1404 got the heading Workflow, want Triggers, Steps or Notes',
      ]);
    }
    expect(said(`# A\n### Triger\n- When all is done\n## Main\n${begin}- Return 1\n`)).toEqual([
      '2:5 PV1404 got the heading Triger, want Triggers, Steps or Notes',
    ]);
  });

  test.each(['**Steps:**', '**Steps**:', '__Steps__', 'Steps:'])('that are none: %s', (label) => {
    expectFound(
      `# Desk
## Main
Be kind.

[[${label}|### Steps]]
- Return 1
### Triggers
- At the beginning
`,
      [`5:1 PV1404 got ${label} in a line: it was taken for the heading of a section`],
    );
    const text = `# Desk\n## Main\n**Triggers:**\n- At the beginning\n${label}\n1. Return 1\n`;
    const [main] = fileOf(text).agents[0]?.playbooks ?? [];
    expect([main?.triggers.length, main?.steps.length]).toEqual([1, 1]);
    // Free-form instructions have such labels, too.
    expect(said(`# How to\n## Tea\n${label}\n1. Boil water\n`)).toEqual([]);
    expect(said(`# Desk\n${label}\n- Ask\n## Main\n${begin}- Return 1\n`)).toEqual([]);
  });

  test('of a section in another language', () => {
    const text = '# A\n## Main\n### Auslöser\n- At the beginning\n### Schritte\n- Return 1\n';
    const [main] = fileOf(`${text}### Hinweise:\n- Sei nett\n`).agents[0]?.playbooks ?? [];
    expect(main?.steps.map(({ code }) => code)).toEqual(['RET']);
    expect(main?.notes.map(({ text }) => text)).toEqual(['Sei nett']);
    expect(said(text)).toEqual([]);
  });

  test('of something else before the steps are a part of the description', () => {
    for (const heading of ['Setup', 'Style', 'Stages', 'Votes', 'Codex']) {
      const rules = 'Be kind.\n- If they ask (again), say so\n- When in doubt, ask';
      expect(said(`# A\n## Main\n### ${heading}\n${rules}\n${begin}- Say("a")\n`)).toEqual([]);
    }
    expect(said(`# A\n## Notes\n${begin}- Say("a")\n`)).toEqual([]);
  });
});

test('an Otherwise whose condition is not right before it is not said to be unreached as well', () => {
  expectFound(
    `# Doorman
## Main
${begin}- Ask user for $password
- If $password == "swordfish"
  - Say("Come in.")
[[- $tries = 1
|]]- Otherwise
  - Say("Go away.")
  - Say("Please.")
- End program
`,
    ['10:3 PV2411 got 05:ELS Otherwise, want a condition before it'],
  );
});

test('a comment that takes playbooks with it is an error, as no other program is left', () => {
  const text = `# Desk\n## Main\n${begin}- Say("a")\n[[<!-- draft|<!-- draft -->]]\n## Other\n`;
  expectFound(`${text}### Steps\n- Say("b")\n`, ['7:1 PV1403 got <!--, want --> behind it']);
  const severity = (rest: string) =>
    checkProgram(
      `# Desk\n## Main\n${begin}- Say("a")\n<!-- draft\n${rest}`,
      { tools: new Map(), inputs: [] },
      { dialect: 'playbook' },
    ).diagnostics.map((one) => [one.severity, one.hint]);
  const lost = 'the heading in line 8 and all behind it stand in the comment';
  expect(severity('## Other\n')).toEqual([['error', lost]]);
  expect(severity('and nothing else\n')).toEqual([['warning', undefined]]);
});

describe('a variable that is read before it is asked for', () => {
  test('is not set by a playbook that is called with it', () => {
    const ask = '- Ask user for $budget\n';
    const text = (first: string, second: string) => `# Travel agent
## Main
${begin}- Ask user for $city
${first}- $hotel = FindHotel($city, $budget)
${second}- Say("I have found {$hotel} in {$city}.")

## FindHotel($city, $budget)
### Steps
- Think about which hotels in $city cost at most $budget
- Return the name of the best hotel
`;
    const found = (text: string): string[] => said(text).map((one) => one.replace(/:\d+/, ''));
    expect(found(text('', ask))).toEqual(['7 PV2406 got $budget, which nothing has set before']);
    expect(found(text(ask, ''))).toEqual([]);
    expect(found(text('', ''))).toEqual(['7 PV2406 got $budget, which nothing has set before']);
  });

  test.each([
    ['it sets it itself', '- F($n)', '## F($n)\n### Steps\n- $n = 2\n- Return $n\n'],
    ['it is given another value', '- F($n)\n- F(2)', '## F($n)\n### Steps\n- Return $n\n'],
    ['it has a default', '- F($n)\n- F()', '## F($n=3)\n### Steps\n- Return $n\n'],
    ['others may call it', '- F($n)', '## F($n)\npublic: true\n### Steps\n- Return $n\n'],
    [
      'a function calls it',
      '- F($n)',
      '```tools\ndef g(): return F(3)\n```\n## F($n)\n### Steps\n- Return $n\n',
    ],
  ])('may be where %s', (_, steps, rest) => {
    expect(said(`# A\n## Main\n${begin}${steps}\n${rest}`)).toEqual([]);
  });
});

describe('what stands between braces in a description', () => {
  const shop = (about: string) => `# Shop
\`\`\`tools
def Worth(n):
    return n * 2
\`\`\`
## Main
${begin}- Ask user for $n
- Advise($n, 5)
## Advise($n, k)
${about}
`;

  test.each([
    ['It costs {Wroth($n)}.', '13:11 PV2404 there is no playbook, function or tool Wroth'],
    ['{Total()} euros', '13:2 PV2404 there is no playbook, function or tool Total'],
    ['So: {price(k)}', '13:6 PV2404 there is no playbook, function or tool price'],
  ])('calls what there is not: %s', (about, found) => {
    expect(said(shop(about))).toEqual([found]);
  });

  test.each([
    ['{$n euros}', '{$n euros}', 'is no expression'],
    ['{$n * quantity}', '{$n * quantity}', 'names quantity'],
  ])('stays as it stands: %s', (about, written, why) => {
    expect(said(shop(about))).toEqual([
      `13:1 PV2445 got ${written} in a description, which ${why}: it stays as it stands`,
    ]);
  });

  test.each([
    ...['{Worth($n)} and {k * 2}, {$n:.2f}', '{[one for one in [k, $n]]}', '{Main()} {len($n)}'],
    ...['{words of any kind}', '{guest(s)}', '{"name": "$n"} {name: $n}', '{$_}', '{{k}}'],
    ...['```js\nif (x) { run($n); }\n```', "Use `awk '{print $NF}'`."],
  ])('is filled in, or is nobody’s: %s', (about) => {
    expect(said(shop(about))).toEqual([]);
  });
});

describe('what is found stands where the word does that it is about', () => {
  const lines = [
    ...['---', 'title: Places', 'planvm:', '  strictnes: enforce', '---'],
    ...['# Desk', '```tools', 'def Add(a, b) -> integr:', '    return a + b', '```'],
    ...['## Main($a:numbr)', 'publc: true', '### Triggers', '- At the beginning'],
    ...['- When $x > 3 and $never > 3', '### Steps', '- $x = 1', '- If $x > 3'],
    ...['  - $y = Add($x, Nope($x), 3)', '  - While $z < 3'],
    ...['    - Say("{$y ** 2} and {$q}")', '    - Say "Two sums: "', '      + Add($x)'],
    ...['- $w:strng = $w + $late', '  * Return Missing($w)'],
  ];
  const found = [
    ...['3:1 PV2434', '8:18 PV2436', '11:12 PV2436', '12:1 PV2434', '15:19 PV2407'],
    ...['19:18 PV2404', '19:28 PV2416', '20:11 PV2406', '21:12 PV2445', '21:27 PV2406'],
    ...['23:9 PV2415', '24:6 PV2436', '24:14 PV2406', '24:19 PV2406', '25:12 PV2404'],
  ];
  const places = (text: string): string[] =>
    said(text).map((one) => one.replace(/(PV\d+).*/, '$1'));

  test.each(['\n', '\r\n'])('with lines that end in %j', (end) => {
    expect(places(lines.join(end))).toEqual(found);
  });

  test('and in a file that is imported, further in than it is there', () => {
    const steps = '- $a = 1\n- Say("{$b}")\n- F($a,\n  G(1))';
    const text = bundled(
      `# A\n## Main\n${begin}- If $x\n  !import more/steps.md\n`,
      new Map([['more/steps.md', steps]]),
    );
    const environment = { tools: new Map(), inputs: ['x'] };
    const { diagnostics } = checkProgram(text, environment, { dialect: 'playbook' });
    expect(diagnostics.map(({ column, file, line }) => `${file}:${line}:${column}`)).toEqual([
      ...['more/steps.md:2:9', 'more/steps.md:3:3', 'more/steps.md:4:3'],
    ]);
  });
});

describe('what nobody calls as a line', () => {
  test('in notes: names of nothing, and arguments that are too many', () => {
    expectFound(
      `# Desk
## Main
${begin}- Return Fee(1)
### Notes
- Never [[Refund|Fee]](7) twice, nor Fee([[1, 2|1]]) behind it; see Fee().
- Guest(s) may say so.
${tools}`,
      [
        '8:9 PV2404 there is no playbook, function or tool Refund',
        '8:37 PV2416 got the argument 2 for Fee, which has no such parameter',
      ],
    );
  });

  test('in words, and between braces of a description', () => {
    expectFound(
      `# Desk
## Main
An order of {Fee([[1, 2|1]])} and {Fee([[|3]])}.
${begin}- Tell the guest what Fee([[1, 2|2]]) comes to
${tools}`,
      [
        '3:21 PV2416 got the argument 2 for Fee, which has no such parameter',
        '3:30 PV2415 got no order for Fee, which needs it',
        '7:30 PV2416 got the argument 2 for Fee, which has no such parameter',
      ],
    );
  });
});

describe('triggers that the types of their variables exclude', () => {
  const desk = (trigger: string, more = ''): string => `# Desk
## Main
${begin}- Ask user for $n:int
- $k:Literal["hot", "cold"] = how it is to be
- $name = their name
${more}
## Other
### Triggers
- When ${trigger}
### Steps
- Say("Hello")
`;
  const excluded = (trigger: string, types: string): string =>
    `12:3 PV2407 got When ${trigger}, which never holds: the lines that set it say ${types}`;

  test.each([
    ['$n == "a"', '$n:int'],
    ['$n in ["a", "b"]', '$n:int'],
    ['$n == 2.5', '$n:int'],
    ['$k == "warm"', '$k:Literal["hot", "cold"]'],
    ['$n > 3 and $k == "warm"', '$n:int, $k:Literal["hot", "cold"]'],
  ])('%s', (trigger, types) => {
    expect(said(desk(trigger))).toEqual([excluded(trigger, types)]);
    // Where another line sets what it likes, nobody knows.
    const free = '## Free\n### Steps\n- $n = "a"\n- $k = "warm"\n- Return 1';
    expect(said(desk(trigger, free)).filter((one) => one.includes('PV2407'))).toEqual([]);
  });

  test.each(['$n == 2', '$n > 3', '$n != "a"', '$k == "hot"', '$k != "hot"', '$name == "a"'])(
    '%s may hold',
    (trigger) => expect(said(desk(trigger))).toEqual([]),
  );
});

describe('conditions of lines that the types of their variables exclude', () => {
  const desk = (condition: string, more = ''): string => `# Desk
## Main
${begin}- Ask user for $n:int
- m:str = how it is to be
${condition}
${more}`;
  const excluded = (line: string, types: string): string =>
    `8:3 PV2405 got ${line}, which never holds, as the lines that set it say ${types}: ` +
    'nothing under it is done';

  test.each([
    ['If $n is "many"', '04:CND', '$n:int'],
    ['If $n == "many"', '04:CND', '$n:int'],
    ['If m == 3', '04:CND', 'm:str'],
    ['If m is 3', '04:CND', 'm:str'],
  ])('%s', (head, code, types) => {
    const steps = `- ${head}, say "a"`;
    expect(said(desk(steps))).toEqual([excluded(`${code} ${head}`, types)]);
    // Where another line sets what it likes, nobody knows.
    const free = '## Free\n### Steps\n- $n = "a"\n- Return 1\n';
    const isShared = types.startsWith('$');
    const left = said(desk(steps, free)).filter((one) => one.includes('PV2405'));
    expect(left.length).toBe(isShared ? 0 : 1);
  });

  test('of loops', () => {
    const steps = '- While $n is "many"\n  - $n = $n + 1';
    expect(said(desk(steps))).toEqual([excluded('04:LOP While $n is "many"', '$n:int')]);
  });

  test('of other cases', () => {
    const steps = '- If $n > 3, say "b"\n- Otherwise if $n is "many"\n  - Say "a"';
    const [found] = said(desk(steps));
    expect(found).toMatch(
      /^9:3 PV2405 got 05:ELS Otherwise if \$n is "many", which never holds, as/,
    );
  });

  test.each([
    ...['If $n is 3', 'If $n > 3', 'Unless $n is "many"', 'If $n is not "many"', 'If m is "a"'],
    ...['If $n is many', 'If $n is set', 'If m is empty', 'If $n is empty', 'If m is in "abc"'],
  ])('%s may hold', (head) => {
    expect(said(desk(`- ${head}, say "a"`))).toEqual([]);
  });

  test('an item of a loop is what that goes over', () => {
    const steps = '- For each $n in ["many", "few"]\n  - If $n is "many", say "{$n} {m}"';
    expect(said(desk(steps))).toEqual([]);
  });
});

describe('of what stands in several steps, or twice in a line, it is said once', () => {
  test('a call in the condition of a loop', () => {
    expectFound(
      `# Desk
## Main
${begin}- $n = 1
- While Fee([[$n, 2|$n]]) > 3
  - $n = $n + 1
  - If $n > 9
    - Continue
  - Say("a")
- Until Fee([[|$n]]) is 3:
  - $n = $n + 1
${tools}`,
      [
        '7:17 PV2416 got the argument 2 for Fee, which has no such parameter',
        '12:9 PV2415 got no order for Fee, which needs it',
      ],
    );
  });

  test('braces', () => {
    expectFound(
      `# Desk
## Main
${begin}- $n = 1
- Say("[[{$n +}|{$n}]], or [[{$n +}|{$n}]]")
- Say("[[{{$n +}}|{$n}]]")
`,
      [
        '7:8 PV2445 got {$n +} in quotes, which is no expression',
        '8:9 PV2445 got {$n +} in quotes, which is no expression',
      ],
    );
  });
});
