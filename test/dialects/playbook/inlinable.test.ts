/** Why a playbook does not stand in the place of a call. */
import { expect, test } from 'vitest';
import type { LinkedPlaybook } from '../../../src/dialects/playbook/compiled/linked.ts';
import { type LinkOptions, link } from '../../../src/dialects/playbook/link/link.ts';
import { fileOf, linked, program, rows } from './written.ts';

test.each([
  ['notes', '## F\n### Steps\n- Say "a"\n### Notes\n- Be brief', 'it has notes'],
  ['a filled-in description', '## F\nFor {$x}.\n### Steps\n- Say "a"', 'its description'],
  ['more to say of it', '## F\nGreets.\n\nIn French.\n### Steps\n- Say "a"', 'its description has'],
  ['a hidden description', '## F\nhidden: true\n\nIn French.\n### Steps\n- Say "a"', 'its descr'],
  ['no steps', '## F\nDo it.', 'it has no steps'],
  ['a missing argument', '## F(x)\n### Steps\n- Return x', 'its arguments'],
])('not with %s', (_, rest, why) => {
  const [one] = link(fileOf(program('- F()', `${rest}\n`))).inlining;
  expect(one?.isInlined).toBe(false);
  expect(one?.why).toContain(why);
});

test('one line of description is told to who calls it: it stands there', () => {
  const [one] = link(fileOf(program('- F()', '## F\nGreets.\n### Steps\n- Say "a"\n'))).inlining;
  expect(one?.isInlined).toBe(true);
});

test('not where another model is wanted for it, or for its caller', () => {
  const whyOf = (rest: string, models: LinkOptions['models'] = {}, steps = '- F()') =>
    link(fileOf(program(steps, `## F\n${rest}\n### Steps\n- Say "a"\n`)), { models }).inlining[0]
      ?.why;
  expect(whyOf('model: openai/z')).toBe('it has a model of its own, openai/z');
  expect(whyOf('', { 'Desk.F': 'openai/z' })).toBe('it has a model of its own, openai/z');
  expect(whyOf('', { 'Desk.Main': 'openai/z' })).toBe('Main has a model of its own');
  expect(whyOf('', { Desk: 'openai/z' })).toBe('1 step, at most 8');
  expect(whyOf('model: openai/y', { Desk: 'openai/z' })).toBe('1 step, at most 8');
  expect(whyOf('', { 'Desk.Main': 'openai/z', 'Desk.F': 'openai/z' })).toBe('1 step, at most 8');
});

test.each([
  ['that it sets', '$q > 3', '## F\n### Steps\n- $q = 5', '$q'],
  ['that a call of it sets', '$q > 3', '## F\n### Steps\n- $q = Total(1)', '$q'],
  ['that a person says', '$age > 3', '## F\n### Steps\n- Ask the user for $age', '$age'],
  ['that it takes', '$q > 3', '## F($q = 2)\n### Steps\n- Say "a"', '$q'],
  ['that its words name', '$age is high', '## F\n### Steps\n- Guess the age of them', '$age'],
  ['that a function sets', '$q > 3', '## F\n### Steps\n- $r = Up()', '$q'],
  ['that a function gets', '$all has items', '## F\n### Steps\n- Add($all)', '$all'],
])('not where a trigger is about what may be set: %s', (_, when, rest, name) => {
  const of = (condition: string) => {
    const trigger = `\n\n## Big\n### Triggers\n- When ${condition}\n### Steps\n- Say "big"\n`;
    const code = 'def Up():\n    state["q"] = 4\n\ndef Add(xs):\n    xs.append(1)\n';
    const whole = `${rest}${trigger}\n\`\`\`tools\n${code}\`\`\`\n`;
    return link(fileOf(program('- F()', whole))).inlining[0]?.why;
  };
  expect(of(when)).toBe(`it may set ${name}, which may set off Big`);
  expect(of('$other > 3')).toMatch(/^\d steps?, at most 8/);
});

test('who calls no function that sets what a trigger is about may stand there', () => {
  const rest =
    '## F\n### Steps\n- Size($q)\n\n## Big\n### Triggers\n- When $q > 3\n### Steps\n- Say "big"\n' +
    '\n```tools\ndef Up():\n    state["q"] = 4\n\ndef Size(x):\n    return x\n```\n';
  expect(link(fileOf(program('- F()', rest))).inlining[0]?.why).toBe('1 step, at most 8');
});

const inliningOf = (steps: string, rest: string) =>
  link(fileOf(program(steps, rest))).inlining.map(({ at, why }) => `${at} ${why}`);

test('not where it sets what the rounds around its call go over', () => {
  const callee = '## F\n### Steps\n- For $i from 1 to 2\n  - Say("at {$i}")\n';
  const why = 'it sets $i, which the rounds around its call go over';
  const each = (name: string) => `- For each ${name} in ["p", "q"]\n  - If $a\n    - F()`;
  expect(inliningOf(each('$i'), callee)).toEqual([`Desk.Main:01.01.01 ${why}`]);
  expect(inliningOf(`${each('$k')}\n- F()`, callee)).toEqual([
    'Desk.Main:01.01.01 3 steps, at most 8',
    'Desk.Main:03 3 steps, at most 8',
  ]);
  const whole = `${callee}\n## G\n### Steps\n- F()\n`;
  expect(inliningOf(each('$i').replace('F()', 'G()'), whole)).toContain(
    `Desk.Main:01.01.01 ${why}`,
  );
});

test.each([
  ['that lines in words name', '- Decide on a better $r'],
  ['that such a line names without its dollar', '- Decide on a better r'],
  ['that a function sets', '- Reset()'],
  ['that rounds go over', '- For each $r in [1, 2]\n  - Say("at {$r}")'],
  ['that a person is asked for', '- Ask user for $r'],
])('not where a type would be held of a variable %s', (_, line) => {
  const code = '\n```tools\ndef Reset():\n    state["r"] = "none"\n```\n';
  const whyOf = (more: string) =>
    inliningOf(
      `- $r = F()\n- Say("{$r}")\n${more}`,
      `## F() -> int\n### Steps\n- Return 1\n${code}`,
    );
  expect(whyOf('- $q = 2')).toEqual(['Desk.Main:01 1 step, at most 8']);
  expect(whyOf(line)).toEqual(['Desk.Main:01 it gives int, and $r is set elsewhere, too']);
});

test('not where words of it may make another of what the rounds around its call go over', () => {
  const of = (words: string) =>
    inliningOf('- For each $i in ["p", "q"]\n  - F()', `## F\n### Steps\n- ${words}\n`);
  const why = 'Desk.Main:01.01 it sets $i, which the rounds around its call go over';
  expect(of('Decide on a better $i')).toEqual([why]);
  expect(of('Decide on a better i')).toEqual([why]);
  expect(of('Decide on a better k')).toEqual(['Desk.Main:01.01 1 step, at most 8']);
});

test.each([
  ['under a condition', '- If $a\n  - z = 1\n- Say("{z}")', 'z'],
  ['behind the rounds that go over it', '- For each i in $all\n  - Say("{i}")\n- Total(i)', 'i'],
  ['on every way', '- z = 0\n- If $a\n  - z = 1\n- Say("{z}")', undefined],
  ['in the rounds alone', '- For each i in $all\n  - z = i\n  - Say("{z}")', undefined],
])('not in rounds where it may read what the one before has set: %s', (_, steps, name) => {
  const callee = `## F\n### Steps\n${steps}\n`;
  const [once] = inliningOf('- F()', callee);
  expect(once).toMatch(/^Desk.Main:01 \d steps, at most 8/);
  const [inRounds = ''] = inliningOf('- Two times:\n  - F()', callee);
  const why = `it may read ${name} unset, which a round before may have set`;
  expect(inRounds.includes(why)).toBe(name !== undefined);
});

test.each([
  ['its caller sets it', '- $n = 1\n- F()', '', 'and others set it, too'],
  ['its caller asks for it', '- F()\n- Ask user for $n', '', 'and others set it, too'],
  ['a function sets it', '- F()', '```tools\ndef G():\n    state["n"] = 1\n```', 'others set it'],
  ['one without steps may', '- F()', '## G\nDo what is to be done.', 'others set it'],
  ['it is called twice', '- F()\n- F()', '', 'and is called again'],
  ['it is called in rounds', '- Three times:\n  - F()', '', 'and is called again'],
  ['the way leads back to it', '- F()\n- If $a\n  - Go to step 1', '', 'and is called again'],
  ['a function calls it', '- F()', '```tools\ndef G():\n    F()\n```', 'is called again'],
])('not where a question is left out that is answered by then: %s', (_, steps, rest, why) => {
  const callee = '## F\n### Steps\n- Ask user for $n\n- Say("so {$n}")\n';
  expect(inliningOf('- $a = 1\n- F()', callee)).toEqual(['Desk.Main:02 3 steps, at most 8']);
  const [found] = inliningOf(steps, `${callee}\n${rest}`);
  expect(found).toContain('it asks for $n only where it has no value, ');
  expect(found).toContain(why);
});

test('one that sets itself what it asks for first, behind that', () => {
  const callee = '## F\n### Steps\n- Ask user for $n\n- While $n < 1\n  - Ask user for $n again\n';
  expect(inliningOf('- F()', callee)).toEqual(['Desk.Main:01 6 steps, at most 8']);
});

test('whether a question may be left out is said by its own playbook, not by what is around', () => {
  const asksIn = (steps: string, callee: string) =>
    [...linked(steps, `## F\n### Steps\n${callee}\n`).lines.values()].flatMap(({ step }) =>
      step.asks ? [{ asks: step.asks, mayHave: step.mayHave }] : [],
    );
  expect(asksIn('- Say("{$n}")\n- F()', '- Ask user for $n')).toEqual([{ asks: ['$n'] }]);
  expect(asksIn('- F()', '- Say("{$n}")\n- Ask user for $n')).toEqual([
    { asks: [], mayHave: ['$n'] },
  ]);
  // What the rounds have is not asked for.
  const rounds = '- For each $n in [1, 2]\n  - Ask user for $n and $p';
  const named = ({ lines }: LinkedPlaybook) =>
    [...lines.values()].flatMap(({ step: { asks, mayHave, reads, writes } }) =>
      asks ? [{ asks, mayHave, reads, writes }] : [],
    );
  expect(named(linked(rounds))).toMatchObject([{ asks: ['$p'], reads: ['$n'] }]);
  expect(named(linked('- F()', `## F\n### Steps\n${rounds}\n`))).toEqual(named(linked(rounds)));
});

test('nor where one is about what people say, and it hears them', () => {
  const of = (steps: string) => {
    const rude = '## Rude\n### Triggers\n- When somebody is rude\n### Steps\n- Say "please"\n';
    const file = fileOf(program('- F()', `## F\n### Steps\n${steps}\n\n${rude}`));
    return link(file).inlining[0]?.why;
  };
  expect(of('- Ask the user for $name')).toMatch(/^it hears what people say.* set off Rude$/);
  expect(of('- Say "a"')).toBe('1 step, at most 8');
});

test.each([
  ['filled in', '- Say "We are in {region}."'],
  ['in a condition', '- If region is far\n  - Say "far"'],
  ['as an argument', '- Total(region)'],
  ['in words', '- Tell the user the region'],
  ['in what stands in it', '- Inner()\n\n## Inner\n### Steps\n- Tell the user the region'],
])('not where it names a variable of its caller: %s', (_, steps) => {
  const rest = `## F\n### Steps\n${steps}\n`;
  const of = (caller: string) =>
    link(fileOf(program(caller, rest))).inlining.find(({ callee }) => callee === 'F');
  expect(of('- region = "north"\n- F()')).toMatchObject({
    ...{ at: 'Desk.Main:02', isInlined: false },
    why: 'it names region, which Main has of its own there',
  });
  // A variable of the agent is everybody's, and words in quotes are words.
  expect(of('- $region = "north"\n- F()')?.isInlined).toBe(true);
  expect(of('- x = "region"\n- F()')?.isInlined).toBe(true);
});

test('words in quotes name no variable of the caller, nor does what a call gives it', () => {
  const rest = '## F(n)\n### Steps\n- Say "The region, {n}"\n';
  const steps = '- region = 1\n- user = 2\n- F(region)';
  expect(link(fileOf(program(steps, rest))).inlining[0]?.isInlined).toBe(true);
});

test('nor where it names what another has brought along, before it or behind it', () => {
  const rest =
    '## Sets\n### Steps\n- region = 1\n- Say "{region}"\n\n' +
    '## Reads\n### Steps\n- Tell the user the region\n';
  const before = link(fileOf(program('- Sets()\n- Reads()', rest)));
  expect(before.inlining.map(({ isInlined }) => isInlined)).toEqual([true, false]);
  expect(rows(linked('- While $more\n  - Reads()\n  - Sets()', rest).steps)).toContain(
    '01.02.01:EXE sets_01_02_region = 1',
  );
});
