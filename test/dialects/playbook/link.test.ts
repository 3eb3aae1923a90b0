/** The graph of the steps, and what follows from it: liveness, inlining, tail calls, quiet ones. */
import { describe, expect, test } from 'vitest';
import { explained } from '../../../src/dialects/playbook/link/explain.ts';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import { fileOf, linked, program, rows } from './written.ts';

/** `01: next 02`, with several edges behind commas. */
const edgesOf = (steps: string): string[] =>
  [...linked(steps).lines].map(
    ([number, { edges }]) =>
      `${number}: ${edges.map(({ kind, to }) => `${kind} ${to || '·'}`).join(', ')}`,
  );

describe('edges', () => {
  test('a condition has one for either outcome, also without an Otherwise', () => {
    expect(edgesOf('- If $a\n  - Say "a"\n- Say "b"')).toEqual([
      '01: true 01.01, false 02',
      '01.01: next 02',
      '02: end ·',
    ]);
  });

  test('the last step of a branch goes behind what else there is', () => {
    const text =
      '- If $a\n  - Say "a"\n- Otherwise if $b\n  - Say "b"\n- Otherwise\n  - Say "c"\n- Say "d"';
    expect(edgesOf(text)).toEqual([
      '01: true 01.01, false 02',
      '01.01: next 04',
      '02: true 02.01, false 03',
      '02.01: next 04',
      '03: next 03.01',
      '03.01: next 04',
      '04: end ·',
    ]);
  });

  test('nested conditions with what else', () => {
    const text =
      '- If $a\n  - If $b\n    - Say "b"\n  - Otherwise\n    - Say "c"\n- Otherwise\n  - Say "d"';
    expect(edgesOf(text)).toEqual([
      '01: true 01.01, false 02',
      '01.01: true 01.01.01, false 01.02',
      '01.01.01: end ·',
      '01.02: next 01.02.01',
      '01.02.01: end ·',
      '02: next 02.01',
      '02.01: end ·',
    ]);
  });

  test('empty blocks: a condition goes on either way, a loop goes round', () => {
    expect(edgesOf('- If $a\n- Otherwise\n- While $b\n- Say "c"')).toEqual([
      '01: true 03, false 02',
      '02: next 03',
      '03: loop 03.01, exit 04',
      '03.01: loop 03',
      '04: end ·',
    ]);
  });

  test('a loop goes into its body, back and out; jumps go where they say', () => {
    const text =
      '1. Say "a"\n2. While $b\n   - If $c\n     - Break\n   - Say "d"\n3. If $e, go to step 1\n4. Return $f\n5. Say "never"';
    expect(edgesOf(text)).toEqual([
      '01: next 02',
      '02: loop 02.01, exit 03',
      '02.01: true 02.01.01, false 02.02',
      '02.01.01: jump 03',
      '02.02: next 02.03',
      '02.03: loop 02',
      '03: true 03.01, false 04',
      '03.01: jump 01',
      '04: return ·',
      '05: end ·',
    ]);
  });

  test('the end of a branch in a loop comes back to its head', () => {
    expect(edgesOf('- While $a\n  - If $b\n    - While $c\n      - Say "c"')).toContain(
      '01.01.01: loop 01.01.01.01, exit 01.02',
    );
  });

  test('End program and Return lead to no step', () => {
    expect(edgesOf('- End program\n- Say "a"')[0]).toBe('01: end ·');
  });
});

describe('liveness', () => {
  test('a variable is needed from where it is set to where it is last read', () => {
    const { lines } = linked('- $a = 1\n- $b = 2\n- Say "{$a}"\n- Say "{$b}"\n- Say "over"');
    expect([...lines.values()].map(({ live }) => live.toSorted())).toEqual([
      [],
      ['$a'],
      ['$a', '$b'],
      ['$b'],
      [],
    ]);
  });

  test('a variable that words name without its dollar is needed', () => {
    const { lines } = linked('- Ask the user for $pin\n- While the pin is too short\n  - Say "no"');
    expect(lines.get('03')?.live).toEqual(['$pin']);
    expect(lines.get('01')?.live).toEqual([]);
  });

  test('what a loop reads is needed until it is left', () => {
    const { lines } = linked('- $a = 1\n- While $c\n  - Say "{$a}"\n- Say "over"');
    expect(lines.get('02.02')?.live).toEqual(['$a', '$c']);
    expect(lines.get('03')?.live).toEqual([]);
  });

  test('a branch that sets it anew needs no old value', () => {
    const { lines } = linked('- If $c\n  - $a = 1\n- Otherwise\n  - $a = 2\n- Say "{$a}"');
    expect(lines.get('01')?.live).toEqual(['$c']);
  });
});

describe('questions that need not be asked', () => {
  const asksOf = (steps: string, rest = ''): unknown[] =>
    [...linked(steps, rest).lines.values()].flatMap(({ step }) =>
      step.asks === undefined ? [] : [step.asks],
    );

  test('are those that speak of their variables first', () => {
    expect(asksOf('- Ask the user for $x')).toEqual([['$x']]);
    expect(asksOf('- Ask the user for $x; keep talking until they name one')).toEqual([['$x']]);
  });

  test('not those behind a look at it, that ask again, or that it was started for', () => {
    expect(asksOf('- While $pin is too short\n  - Ask the user for $pin')).toEqual([[]]);
    expect(asksOf('- Ask the user for $x\n- Ask the user for $x')).toEqual([['$x'], []]);
    expect(asksOf('- Ask the user for another $x')).toEqual([[]]);
    const text = '# A\n## P\n### Triggers\n- When $x is set\n### Steps\n- Ask the user for $x\n';
    expect(link(fileOf(text)).agents[0]?.playbooks[0]?.steps[0]?.asks).toEqual([]);
  });

  test.each([
    ['it was set', '- Ask the user for $x'],
    ['it was said, or given on', '- Say("{$x}")\n- Log($x)\n- Ask the user for $x'],
    ['another question was for it', '- Ask the user for $x\n- Say("so")\n- Ask the user for $x'],
    ['a condition is about something else', '- If $y\n  - Ask the user for $x'],
  ])('or not, as the model says, where %s before', (_, steps) => {
    const last = [...linked(`- $x = 1\n${steps}`).lines.values()].findLast(({ step }) => step.asks);
    expect(last?.step).toMatchObject({ asks: [], mayHave: ['$x'] });
  });

  test.each([
    ['it', '- While $x > 1\n  - Ask the user for $x'],
    ['it, in words', '- If the x is too short\n  - Ask the user for $x'],
    ['what is made of it', '- $ok = Fits($x)\n- If not $ok\n  - Ask the user for $x'],
    [
      'it, where that is not so',
      '- If $x > 1\n  - Say("so")\n- Otherwise\n  - Ask the user for $x',
    ],
  ])('not where they stand under a condition on %s', (_, steps) => {
    const last = [...linked(`- $x = 1\n${steps}`).lines.values()].findLast(({ step }) => step.asks);
    expect(last?.step.asks).toEqual([]);
    expect(last?.step.mayHave).toBeUndefined();
  });
});

const small = '## Small(n, $m = 2)\n### Steps\n- x = 3\n- $t = Total(n, x)\n- Return $t\n';

describe('inlining', () => {
  test('a small playbook stands under the step that calls it', () => {
    const playbook = linked('- $r = Small(n=$k)\n- Say "{$r}"', small);
    expect(rows(playbook.steps)).toEqual([
      '01:EXE Small(n=$k): its lines are here',
      '01.01:EXE $m = 2',
      '01.02:EXE x = 3',
      '01.03:QUE $t = Total($k, x)',
      '01.04:EXE $r = $t',
      '02:YLD for call',
      '03:QUE Say(user, "{$r}")',
    ]);
    expect(playbook.lines.get('01.03')?.inlinedFrom).toBe('Small:02');
    expect(playbook.lines.get('01.01')?.inlinedFrom).toBeUndefined();
  });

  test('its variables get other names where theirs mean something already', () => {
    const steps = '- x = 1\n- $r = Small(x)\n- Small(4)\n- Say "{x}"';
    expect(rows(linked(steps, small).steps)).toEqual([
      '01:EXE x = 1',
      '02:EXE Small(x): its lines are here',
      '02.01:EXE $m = 2',
      '02.02:EXE small_02_x = 3',
      '02.03:QUE $t = Total(x, small_02_x)',
      '02.04:EXE $r = $t',
      '03:EXE Small(4): its lines are here',
      '03.01:EXE n = 4',
      '03.02:EXE $m = 2',
      '03.03:EXE small_03_x = 3',
      '03.04:QUE $t = Total(n, small_03_x)',
      '03.05:EXE Done: $t',
      '04:QUE Say(user, "{x}")',
    ]);
  });

  test('a parameter that changes, or that others or code may change, is a variable of its own', () => {
    const own = '## F(n)\n### Steps\n- n = 5\n- Say "{n}"\n';
    expect(rows(linked('- F($k)', own).steps)).toContain('01.01:EXE n = $k');
    const other = '## F(n)\n### Steps\n- Say "{n}"\n\n## Other\n### Steps\n- $k = 5\n';
    expect(rows(linked('- F($k)', other).steps)).toContain('01.01:EXE n = $k');
    const code = '## F(n)\n### Steps\n- Say "{n}"\n\n```tools\ndef f():\n    state["k"] = 1\n```\n';
    expect(rows(linked('- F($k)', code).steps)).toContain('01.01:EXE n = $k');
  });

  test('arguments are set as if at once: none before another one has read it', () => {
    const both = '## F($a, b)\n### Steps\n- Say "{$a} {b}"\n';
    const inOrder = rows(linked('- F(1, $a)', both).steps);
    expect(inOrder.slice(1, 3)).toEqual(['01.01:EXE b = $a', '01.02:EXE $a = 1']);
    expect(inOrder).toContain('01.03:QUE Say(user, "{$a} {b}")');
    const swapped = '## F($a, $b)\n### Steps\n- Say "{$a} {$b}"\n';
    expect(rows(linked('- F($b, $a)', swapped).steps)).toEqual(['01:QUE F($b, $a)']);
    const { inlining } = link(fileOf(program('- F($b, $a)', swapped)));
    expect(inlining.map(({ why }) => why)).toEqual(['its arguments change places with each other']);
  });

  test('words in quotes stay, and what is filled in there goes along', () => {
    const rest =
      '## F(day)\n### Steps\n- x = Total("day")\n- Total(day="day")\n' +
      '- Say "What a day, {day}!"\n';
    const steps = rows(linked('- day = 2\n- F(3)', rest).steps);
    expect(steps).toContain('02.01:EXE f_02_day = 3');
    expect(steps).toContain('02.02:QUE x = Total("day")');
    // Nor has an argument another name.
    expect(steps).toContain('02.03:QUE Total(day="day")');
    expect(steps.join('\n')).toContain('"What a day, {f_02_day}!"');
  });

  test('what stands in a callee comes along, as long as it stays small enough', () => {
    const chain =
      '## A(n)\n### Steps\n- r = B(n)\n- Return r\n\n## B(n)\n### Steps\n- Say "b"\n- Return n\n';
    const whole = linked('- $r = A($k)', chain);
    expect(rows(whole.steps)).toEqual([
      '01:EXE A($k): its lines are here',
      '01.01:EXE B($k): its lines are here',
      '01.01.01:QUE Say(user, "b")',
      '01.01.02:EXE a_01_r = $k',
      '01.02:EXE $r = a_01_r',
    ]);
    expect(whole.lines.get('01.01.01')?.inlinedFrom).toBe('B:01');
    const tight = rows(linked('- $r = A($k)', chain, { inlineSteps: 3 }).steps);
    expect(tight).toContain('01.01:QUE a_01_r = B($k)');
  });

  test('of a call that is returned, returns are those of its caller', () => {
    const rest = '## F(n)\n### Steps\n- If n > 1\n  - Return n\n- Say "small"\n';
    const playbook = linked('- Say "a"\n- Return F($k)', rest);
    expect(rows(playbook.steps)).toEqual([
      '01:QUE Say(user, "a")',
      '02:EXE F($k): its lines are here',
      '02.01:CND If $k > 1',
      '02.01.01:RET $k',
      '02.02:QUE Say(user, "small")',
      '02.03:RET',
    ]);
    expect(playbook.lines.get('02.01.01')?.edges).toEqual([{ to: '', kind: 'return' }]);
    const all = '## F(n)\n### Steps\n- If n\n  - Return 1\n- Otherwise\n  - Return 2\n';
    const numbers = [...linked('- Return F($k)', all).lines.keys()];
    expect(numbers).toEqual(['01', '01.01', '01.01.01', '01.02', '01.02.01']);
  });

  test('says what was done and why', () => {
    const file = fileOf(program('- $r = Small(1)\n- Big()\n- Round()', `${small}${big}${round}`));
    expect(link(file, { inlineSteps: 3 }).inlining).toEqual([
      { at: 'Desk.Main:01', callee: 'Small', steps: 3, isInlined: true, why: '3 steps, at most 3' },
      {
        at: 'Desk.Main:02',
        callee: 'Big',
        steps: 4,
        isInlined: false,
        why: '4 steps, more than 3',
      },
      { at: 'Desk.Main:03', callee: 'Round', steps: 1, isInlined: false, why: 'it calls itself' },
      { at: 'Desk.Round:01', callee: 'Round', steps: 1, isInlined: false, why: 'it calls itself' },
    ]);
    expect(link(file, { inlineSteps: 0 }).inlining.some(({ isInlined }) => isInlined)).toBe(false);
  });

  test('a yield that waits for nothing any more is left out, unless it waits for others', () => {
    const quick = '## Quick\n### Steps\n- $q = 1\n- Return $q\n';
    expect(rows(linked('- $r = Quick()\n- Say "{$r}"', quick).steps)).toEqual([
      '01:EXE Quick(): its lines are here',
      '01.01:EXE $q = 1',
      '01.02:EXE $r = $q',
      '03:QUE Say(user, "{$r}")',
    ]);
    const both = rows(linked('- $s = Slow()\n- $r = Quick()\n- Say "{$r} {$s}"', quick).steps);
    expect(both).toContain('03:YLD for call');
  });

  test.each([
    ['- $t = Fast($r)', []],
    ['- $u = 3\n- If $r is 1\n  - $u = $r\n- $t = Fast($r)', []],
    ['- $u = $s + $r\n- $t = Fast($r)', ['03:YLD for call']],
    ['- If they are fine with $r\n  - $u = 2\n- $t = Fast($r)', ['03:YLD for call']],
    ['- Say what became of $r\n- $t = Fast($r)', ['03:YLD for call']],
    ['- $t = $r', ['03:YLD for call']],
  ])('nor one that would wait for others too early: behind it comes %s', (next, yields) => {
    const quick = '## Quick\n### Steps\n- $q = 1\n- Return $q\n';
    const steps = `- $s = Slow()\n- $r = Quick()\n${next}\n- Say "{$s} {$t}"`;
    const found = rows(linked(steps, quick).steps);
    expect(found.filter((row) => row === '03:YLD for call')).toEqual(yields);
    // What is said needs a result, so something waits for it.
    expect(found.filter((row) => row.includes(':YLD for call'))).not.toEqual([]);
  });

  test.each<[string, string, string, boolean]>([
    ['looks at what a call gives', '- $c = Fast(1)', '- If $c == 1\n  - Say "one"', true],
    ['says it', '- $c = Fast(1)', '- Say("{$c}")', true],
    ['speaks of it', '- Fast(1)', '- If it is fine\n  - Say "one"', true],
    ['looks at what a function sets', '- Up()', '- If $q == 4\n  - Say "one"', true],
    ['looks at what a playbook may set', '- Slow(1)', '- If $q == 4\n  - Say "one"', true],
    ['has called it anew', '- $c = Fast(1)', '- $c = Fast(2)\n- Return $c', false],
    ['looks at something else', '- $c = Fast(1)', '- If $d == 1\n  - Say "one"', false],
    ['looks at none', '- $c = Fast(1)', '- Say "one"', false],
  ])('what a caller has called is waited for where what stands there %s', (_, call, lines, is) => {
    const code = '\n```tools\ndef Fast(x):\n    return x\n\ndef Up():\n    state["q"] = 4\n```\n';
    const slow = '## Slow(x)\nexecution_mode: raw\nSay {x}.\n';
    const rest = `## F\n### Steps\n${lines}\n\n${slow}${code}`;
    const all = rows(linked(`- $d = 1\n${call}\n- F()\n- Say "two"`, rest).steps);
    expect(all).toContain('03:EXE F(): its lines are here');
    expect(all.includes('03.00:YLD for call')).toBe(is);
  });

  test('a return before the end sets the result and goes on behind what stands there', () => {
    const rest =
      '## F(n)\n### Steps\n- For each i in $list\n  - If i > n\n    - Return i\n- Return G(n)\n' +
      '\n## G(n)\n### Steps\n- If n\n  - Return 1\n- Say "b"\n- Go to step 1\n';
    const playbook = linked('- $r = F($k)\n- Return $r', rest, { inlineSteps: 20 });
    expect(rows(playbook.steps)).toEqual([
      '01:EXE F($k): its lines are here',
      ...['01.01:LOP For each i in $list', '01.01.01:CND If i > $k'],
      ...['01.01.01.01:EXE $r = i', '01.01.01.02:JMP 01.03', '01.01.02:JMP 01.01'],
      '01.02:EXE G($k): its lines are here',
      ...['01.02.01:CND If $k', '01.02.01.01:EXE $r = 1', '01.02.01.02:JMP 01.03'],
      ...['01.02.02:QUE Say(user, "b")', '01.02.03:JMP 01.02.01', '01.02.04:EXE $r = None'],
      ...['01.03:EXE Done: F', '02:RET $r'],
    ]);
    const { lines } = playbook;
    expect(lines.get('01.01.01.02')).toMatchObject({
      ...{ inlinedFrom: 'F:01.01.01', edges: [{ to: '01.03', kind: 'jump' }] },
      step: { place: lines.get('01.01.01.01')?.step.place },
    });
  });

  test('a way without a return sets the result to none', () => {
    const rest = '## F(n)\n### Steps\n- If n\n  - Return 1\n- Say "b"\n';
    const file = fileOf(program('- $r = F($k)\n- Return $r', rest));
    expect(link(file).inlining[0]?.why).toMatch(/; where it returns before its end, what comes is/);
    expect(rows(linked('- $r = F($k)\n- Return $r', rest).steps)).toEqual([
      ...['01:EXE F($k): its lines are here', '01.01:CND If $k', '01.01.01:EXE $r = 1'],
      ...['01.01.02:JMP 01.04', '01.02:QUE Say(user, "b")', '01.03:EXE $r = None'],
      ...['01.04:EXE Done: F', '02:RET $r'],
    ]);
  });

  test('jumps and loops within move along', () => {
    const rest = '## F\n### Steps\n- While $a\n  - Say "a"\n';
    expect(rows(linked('- Say "b"\n- F()', rest).steps)).toContain('02.01.02:JMP 02.01');
  });
});

const big = '## Big\n### Steps\n- Say "a"\n- Say "b"\n- Say "c"\n- Say "d"\n';
const round = '## Round\n### Steps\n- Round()\n';

describe('tail calls', () => {
  const tails = (steps: string): string[] =>
    [...linked(steps, big, { inlineSteps: 0 }).lines].flatMap(([number, { tail }]) =>
      tail ? [number] : [],
    );

  test('a call that is returned is one, in either spelling', () => {
    expect(tails('- Return Big()')).toEqual(['01']);
    expect(tails('- $r = Big()\n- Return $r')).toEqual(['01']);
    expect(tails('- If $a\n  - Return Big()\n- Say "b"')).toEqual(['01.01']);
  });

  test('the last of a playbook is one as well, for whoever asks, though nothing is returned', () => {
    const explainedIn = (steps: string): string[] =>
      explained(link(fileOf(program(steps, big)), { inlineSteps: 0 })).flatMap(({ at, what }) =>
        what === 'tail call' ? [at] : [],
      );
    expect(explainedIn('- Big()')).toEqual(['Desk.Main:01']);
    expect(explainedIn('- If $a\n  - Big()\n- Otherwise\n  - $b = Big()')).toEqual([
      'Desk.Main:01.01',
      'Desk.Main:02.01',
    ]);
    expect(explainedIn('- Big()\n- Say "a"')).toEqual([]);
    expect(explainedIn('- While $a\n  - Big()')).toEqual([]);
    expect(explainedIn('- Big()\n- Return 1')).toEqual([]);
    expect(explainedIn('- Tool()')).toEqual([]);
  });

  test('a call whose variable sets something off is none', () => {
    const heeding = (rest: string): string[] =>
      [...linked('- $r = Big()\n- Return $r', `${big}\n${rest}`, { inlineSteps: 0 }).lines].flatMap(
        ([number, { tail }]) => (tail ? [number] : []),
      );
    const many = (of: string) =>
      `## Many\n${of}### Triggers\n- When $r > 3\n### Steps\n- Say "many"\n`;
    expect(heeding(many('').replace('$r', '$q'))).toEqual(['01']);
    expect(heeding(many(''))).toEqual([]);
    expect(heeding(`# Clerk\n${many('public: true\n')}`)).toEqual([]);
    expect(heeding(`# Clerk\n${many('')}`)).toEqual(['01']);
  });

  test('a call behind which something is left to do is none', () => {
    expect(tails('- $r = Big()\n- Say "{$r}"\n- Return $r')).toEqual([]);
    expect(tails('- $r = Big()\n- Return $s')).toEqual([]);
    expect(tails('- Return Tool()')).toEqual([]);
  });
});

test('quiet are those that neither talk nor change anything, nor call one that does', () => {
  const rest =
    '## Pure(x)\n### Steps\n- y = Read(x)\n- Return y\n' +
    '## Loud\n### Steps\n- Say "a"\n' +
    '## Waits\n### Steps\n- Wait for the oven to be hot\n' +
    '## Writes\n### Steps\n- Send(1)\n' +
    '## Sets\n### Steps\n- $x = 1\n' +
    '## Takes($x)\n### Steps\n- Return $x\n' +
    '## Calls\n### Steps\n- y = Loud()\n- Return y\n' +
    '## Nests(x)\n### Steps\n- y = Pure(x)\n- Return y\n';
  const file = fileOf(program('- Say "hi"', rest), ['Read', 'Send']);
  const all = link(file, { inlineSteps: 0, isWrite: (tool) => tool === 'Send' }).agents[0];
  const quiet = all?.playbooks.flatMap(({ isQuiet, name }) => (isQuiet ? [name] : []));
  expect(quiet).toEqual(['Pure', 'Nests']);
});

test.each([
  ['a variable of the agent that it names', 'Decide on $n', false],
  ['one that it may mean', 'Work out a better n', false],
  ['only what is its own', 'Work out x', true],
])('quiet or not is what a line in words may set: %s', (_, line, isQuiet) => {
  const rest = `## F(x)\n### Steps\n- ${line}\n- Return x\n`;
  const [agent] = link(fileOf(program('- $n = 1\n- F(2)', rest))).agents;
  expect(agent?.playbooks.find(({ name }) => name === 'F')?.isQuiet === true).toBe(isQuiet);
});

test('a playbook needs what it, or what it calls, reads before it is set', () => {
  const rest =
    '## Reads\nAbout {$topic}.\n### Steps\n- Say("{$x}")\n- Return $_\n' +
    '## Sets\n### Steps\n- $x = 1\n- Reads()\n- Say("{$y}")\n' +
    '## Takes($x)\n### Steps\n- Reads()\n' +
    '## Round\n### Steps\n- If $n > 1\n  - Round()\n- Otherwise\n  - Takes(1)\n';
  const all = link(fileOf(program('- Say "hi"', rest)), { inlineSteps: 0 }).agents[0];
  const needs = all?.playbooks.map(({ name, needs }) => [name, [...needs].toSorted()]);
  expect(needs).toEqual([
    ['Main', []],
    ['Reads', ['$topic', '$x']],
    ['Sets', ['$topic', '$y']],
    ['Takes', ['$topic']],
    ['Round', ['$n', '$topic']],
  ]);
});
