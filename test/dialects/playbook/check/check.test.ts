import { expect, it } from 'vitest';
import type { Environment } from '../../../../src/dialects/dialect.ts';
import { checkCompiled } from '../../../../src/dialects/playbook/check/check.ts';
import { countLines } from '../../../../src/dialects/playbook/compile/compile.ts';
import { compiledOf, readTree } from '../../../../src/dialects/playbook/reader.ts';

const environment: Environment = { tools: new Map(), inputs: ['day'] };

/** `warning PV2406 8:9 got $x, which …` */
function problemsOf(text: string, more: Partial<Environment> = {}): string[] {
  const all = { ...environment, ...more };
  const { tree } = readTree(text);
  const found = checkCompiled(compiledOf(tree, all.tools.values()), all);
  return found.map(({ severity, code, line, column, message }) => {
    return `${severity} ${code} ${line}:${column} ${message}`;
  });
}

/** The steps begin in line 5. */
const desk = (steps: string, after = ''): string =>
  `# Desk
## Main
### Triggers
- At the beginning
### Steps
${steps}
${after}`;

const price = '\n## Price($n, $m=1)\n### Steps\n- Return $n + $m\n';
const others =
  '\n# Till\n## Pay($n)\npublic: true\n### Steps\n- Return $n\n## Own\n### Steps\n- Return 1\n\n# Kim:Human\n';

/** The steps, what stands after them, and what is said. */
const inSteps: Readonly<Record<string, readonly [string, string, ...(readonly string[])]>> = {
  'a program without faults': [
    '- Ask user for $n\n- $x = Price($n, $day)\n- Say("{$x}")\n- Return $x',
    price,
  ],
  'a call of what there is not': [
    '- $x = Prise(1)\n- Return $x',
    price,
    'error PV2404 6:3 there is no playbook, function or tool Prise',
  ],
  'arguments that are missing or too many': [
    '- Price()\n- Price(1, 2, 3)\n- Price(1, k=2)',
    price,
    'warning PV2415 6:3 got no n for Price, which needs it',
    'warning PV2416 7:3 got the argument 3 for Price, which has no such parameter',
    'warning PV2416 8:3 got the argument k for Price, which has no such parameter',
  ],
  'a playbook of another agent that is not public': [
    '- $x = Till.Pay(1)\n- $y = Till.Own()\n- Return $x + $y',
    others,
    'error PV2417 7:3 Till.Own is not public, and belongs to another agent',
  ],
  'variables that nothing sets, or only some ways': [
    '- Say("{$nothing}")\n- If $day\n  - $some = 1\n- Say("{$some}")\n- Return $daze',
    '',
    'warning PV2406 6:3 got $nothing, which nothing has set before',
    'warning PV2420 9:3 got $some, which may be unset: some way to this line does not set it',
    'warning PV2406 10:3 got $daze, which nothing has set before',
  ],
  'variables that a model, an input or a condition accounts for': [
    [
      ...['- Think about $day', '- Find out the best $boat', '- Say("{$boat} {$day}")'],
      ...['- While $trip == None', '  - Ask user for $trip', '- If not $lost', '  - Return $trip'],
    ].join('\n'),
    '',
  ],
  'variables that a condition or a loop knows of': [
    [
      ...[
        '- If $n is not set',
        '  - $n = 0',
        '- $n = $n + 1',
        '- For each $y in [$n]',
        '  - $x = $y',
      ],
      ...['- Say("{$x}")', '- If $day == "Sunday"', '  - $z = 1', '- If $day != "Monday"'],
      ...['  - Say("{$z}")', '- Return $n'],
    ].join('\n'),
    '',
  ],
  'variables in descriptions that nothing sets': [
    '- Look()\n- $sun = 1\n- Return $sun',
    '\n## Look\nAbout {$sun} and {$moon}.\n### Steps\n- Say("a")\n',
    'warning PV2406 10:4 got $moon in a description, which nothing sets',
  ],
  'lines that no way comes to': [
    '- Return 1\n- Say("Never")\n- Say("Nor this")',
    '',
    'warning PV2405 7:3 got 02:QUE Say("Never"), which no way through the lines comes to',
  ],
  'jumps to nowhere': [
    '- Go to step 9\n- Break\n- Continue\n- For each $x in [1]\n  - Break',
    '',
    'error PV2408 6:3 got a jump to 09, want a line',
    'error PV2408 7:3 got a line of a loop, which stands in none',
    'warning PV2408 8:3 got a line of a loop, which stands in none',
  ],
  'lines that only go round': [
    '- Say("Again")\n- Go to step 1',
    '',
    'warning PV2413 2:4 got lines that go round for ever, want one that leads to the end',
  ],
  'other cases of nothing': [
    '- Otherwise\n  - Say("No")',
    '',
    'error PV2411 6:3 got 01:ELS Otherwise, want a condition before it',
  ],
  'arithmetic that may be a text': [
    '- $x = 50/50\n- $y = 2 * $day\n- Return "{$x}{$y}"',
    '',
    'warning PV2449 6:3 got 50/50, which is computed',
  ],
  'a title by which lines mean something else': [
    '- Return 1',
    '\n## Continue\n### Steps\n- Return 2\n',
    'warning PV2448 8:4 got a playbook of the name Continue, by which lines mean something else',
  ],
  'the same name twice': [
    '- Return 1',
    `${price}${price}`,
    'error PV2403 12:4 got the name Price twice, want each once',
  ],
};

it.each(Object.entries(inSteps))('says of steps: %s', (_, [steps, after, ...problems]) => {
  expect(problemsOf(desk(steps, after))).toEqual(problems);
});

/** Whole files. */
const files: Readonly<Record<string, readonly [string, ...(readonly string[])]>> = {
  'a file without playbooks': [
    '# Kim:Human\n',
    'error PV2401 1:1 got no playbook, want # and the name of an agent, then ## and one of a playbook',
  ],
  'a program that never begins': [
    '# Desk\n## Main\n### Steps\n- Return 1\n',
    'warning PV2414 2:4 no playbook begins when the program starts',
  ],
  'a trigger on what nothing sets': [
    `${desk('- Return 1')}\n## Late\n### Triggers\n- When $never > 1\n### Steps\n- Return 1\n`,
    'warning PV2407 10:3 got a trigger on $never, which nothing sets: it can never fire',
  ],
  'a server of which nothing is known': [
    `${desk('- $x = Files.get(1)\n- Return $x')}\n# Files:MCP\n`,
    'warning PV2431 9:3 what Files offers is not known here, so calls of it are not checked',
  ],
  'metadata of which nothing comes': [
    '---\nplanvm:\n  strictness: harsh\ntimezone: Europe/Berlim\n---\n# Desk\n\n## Main\nmodel: gpt\n### Triggers\n- At the beginning\n### Steps\n- Return 1\n',
    'error PV2444 1:1 timezone: got the time zone Europe/Berlim, want a name such as Europe/Berlin (did you mean Europe/Berlin?)',
    'warning PV2434 1:1 planvm: got strictness: "harsh", want one of advise, repair, enforce',
    'warning PV2434 8:4 got model: gpt below the heading Main, of which nothing comes',
  ],
  'somebody to attend a meeting who is not there': [
    `${desk('- Return 1')}\n## Meet\nmeeting: true\nrequired_attendees: [Poet]\n### Steps\n- Return 1\n`,
    'warning PV2443 8:4 got Poet to attend, which is not an agent of the file',
  ],
  'code that calls what there is not': [
    '# Desk\n```tools\ndef f(x):\n    return g(x)\n```\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Return f(1)\n\n## h\nexecution_mode: code\n',
    'error PV2404 12:4 got a playbook of mode code, want a function h in a block',
    'error PV2321 4:12 undefined: g',
  ],
};

it.each(Object.entries(files))('says of a file: %s', (_, [text, ...problems]) => {
  expect(problemsOf(text)).toEqual(problems);
});

it('is not sure of names where not all tools are known', () => {
  const [problem] = problemsOf(desk('- $x = Prise(1)\n- Return $x'), { open: true });
  expect(problem).toBe('warning PV2404 6:3 there is no playbook, function or tool Prise');
});

it('counts lines that are forms and those that are open', () => {
  const { tree } = readTree(desk('- Ask user for $n\n- If $n\n  - Cheer them\n- Return $n'));
  expect(countLines(compiledOf(tree))).toEqual({ formal: 3, open: 1 });
});
