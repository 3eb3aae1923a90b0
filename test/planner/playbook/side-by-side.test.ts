/** What a reply calls and nobody notices runs side by side, to what it comes to one by one. */
import { describe, expect, test } from 'vitest';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { decode, toJson } from '../../../src/program/json.ts';
import { quickTool } from '../../engine/support.ts';
import { followed } from '../../support/playbook-follower.ts';
import { atEachDeath, ops, played, saidIn, stageOf } from './played.ts';
import { slowTool, takesWhat } from './slow-tool.ts';

const printedIn = (journal: Journal, run: string): readonly unknown[] =>
  journal
    .events(run)
    .flatMap((one) =>
      one.type === 'message.emitted' && one.channel === 'print' ? [toJson(decode(one.value))] : [],
    );

const follow = {
  replies: ({ messages }: { messages: Parameters<typeof followed>[0] }) => followed(messages),
};

const desk = (code: string, steps: string, rest = ''): string =>
  `# Desk\n\n\`\`\`tools\n${code}\n\`\`\`\n\n` +
  `## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

const find = `def Find(what):
    found = look(what = what)
    if "a" in found:
        print("a is there")
    return found.upper()`;

const two = '- $a = Find("a")\n- $b = Find("b")\n- Say("{$a} {$b}")\n- Return $b';

test('functions that only read are called side by side', async () => {
  const { tool, log } = slowTool();
  const { result, said } = await played(desk(find, two), { ...follow, tools: [tool] });
  expect(result).toMatchObject({ status: 'done', answer: 'FOUND B' });
  expect(said).toEqual(['FOUND A FOUND B']);
  expect(log.slice(0, 2)).toEqual(['a begins', 'b begins']);
});

test('one at a time they come to the same, one after the other', async () => {
  const { tool, log } = slowTool();
  const more = { ...follow, tools: [tool], sequential: true };
  const { result, said } = await played(desk(find, two), more);
  expect(result).toMatchObject({ status: 'done', answer: 'FOUND B' });
  expect(said).toEqual(['FOUND A FOUND B']);
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('what each of them asks for stands at its own line', async () => {
  const { tool } = slowTool();
  const { journal, result } = await played(desk(find, two), { ...follow, tools: [tool] });
  const steps = journal
    .events(result.run)
    .flatMap((one) => (one.type === 'effect.started' ? [`${one.step} ${one.tool}`] : []));
  expect(steps.filter((one) => one.endsWith('look'))).toEqual(['Main:01 look', 'Main:02 look']);
});

test('one that fails is told at its place, and the other has its result', async () => {
  const { tool } = slowTool();
  const code = `${find}\n\ndef Fall(what):\n    look(what = what)\n    return 1 // 0`;
  const steps = '- $a = Fall("a")\n- $b = Find("ab")\n- Return $b';
  const { journal, result, prompts } = await played(desk(code, steps), {
    tools: [tool],
    replies: [
      ops(
        { call: 'Fall', args: { what: 'a' }, into: '$a' },
        { call: 'Find', args: { what: 'ab' }, into: '$b' },
        { return: '$b' },
      ),
      ops({ unexpected: 'Fall is of no use' }, { step: '03' }, { return: '$b' }),
    ],
  });
  expect(result).toMatchObject({ status: 'done', answer: 'FOUND AB' });
  expect(prompts).toHaveLength(2);
  expect(prompts[1]).toContain('Line 03 stands behind what has failed');
  const printed = printedIn(journal, result.run);
  expect(printed).toEqual([expect.stringContaining('Main:01: Fall failed'), 'a is there']);
});

describe('one after the other stay', () => {
  const main = '- $a = Do("a")\n- $b = Do("b")\n- Return $b';
  test.each([
    [
      'what changes the block',
      'log = []\ndef Do(what):\n    log.append(what)\n    return look(what = what)',
    ],
    ['what reads of the block', 'log = []\ndef Do(what):\n    return look(what = what + str(log))'],
    ['what sets variables', 'def Do(what):\n    state["n"] = what\n    return look(what = what)'],
    ['what reads variables', 'def Do(what):\n    return look(what = what + state.get("a", ""))'],
    ['what speaks', 'def Do(what):\n    Say(what)\n    return look(what = what)'],
    [
      'what changes what it is given',
      'def Do(what):\n    all = what\n    all += "!"\n    return look(what = all)',
    ],
    ['what writes', 'def Do(what):\n    write(what = what)\n    return look(what = what)'],
    [
      'what calls such a one',
      'def Own(x):\n    Say(x)\n\ndef Do(what):\n    Own(what)\n    return look(what = what)',
    ],
    [
      'what calls what it is given',
      'def Do(what, f = None):\n    if f:\n        f(what)\n    return look(what = what)',
    ],
    [
      'blocks that do something',
      'begun = look(what = "x")\ndef Do(what):\n    return look(what = what)',
    ],
  ])('%s', async (_, code) => {
    const { tool, log } = slowTool();
    const write = quickTool('write', () => null, { parameters: takesWhat, effect: 'write' });
    const { result } = await played(desk(code, main), { ...follow, tools: [tool, write] });
    expect(result.status).toBe('done');
    const calls = log.filter((one) => !one.startsWith('x')).map((one) => one.split(' ').at(-1));
    expect(calls).toEqual(['begins', 'ends', 'begins', 'ends']);
  });
});

test('what changes only what it has made itself does not count as a change', async () => {
  const code = `least = 2
def Longest(words):
    """The longest word."""
    found = []
    for word in words.split():
        if len(word) >= least:
            found.append(word)
    found += ["zz"]
    counts = {word: len(word) for word in found}
    counts["zz"] = 0
    best, most = None, -1
    for word, size in counts.items():
        if size > most:
            best, most = word, size
    return look(what = best)`;
  const { tool, log } = slowTool();
  const steps = '- $a = Longest("a bb")\n- $b = Longest("ccc")\n- Return "{$a}, {$b}"';
  const { result } = await played(desk(code, steps), { ...follow, tools: [tool] });
  expect(result).toMatchObject({ status: 'done', answer: 'found bb, found ccc' });
  expect(log.slice(0, 2)).toEqual(['bb begins', 'ccc begins']);
});

test('playbooks that call such functions run side by side', async () => {
  const rest = '## Ask the books(what)\n### Steps\n- found = Find(what)\n- Return found\n';
  const steps = '- $a = AskTheBooks("a")\n- $b = AskTheBooks("b")\n- Return "{$a} {$b}"';
  const { tool, log } = slowTool();
  const { result } = await played(desk(find, steps, rest), { ...follow, tools: [tool] });
  expect(result).toMatchObject({ status: 'done', answer: 'FOUND A FOUND B' });
  expect(log.slice(0, 2)).toEqual(['a begins', 'b begins']);
});

test('what agents have can be changed behind calls side by side', async () => {
  const code = `${find}\n\ndef Add(x):\n    state["rows"][0].append(x)\n    return len(state["rows"][0])`;
  const rest = '## Get(rows)\n### Steps\n- found = look("x")\n- Return found\n';
  const steps = '- $rows = [[1]]\n- $a = Get($rows)\n- $b = Get($rows)\n- $n = Add(5)\n- Return $n';
  const { tool, log } = slowTool();
  const { result } = await played(desk(code, steps, rest), { ...follow, tools: [tool] });
  expect(result).toMatchObject({ status: 'done', answer: 2 });
  expect(log.slice(0, 2)).toEqual(['x begins', 'x begins']);
});

test('a playbook that reads what another one gives waits for that', async () => {
  const rest =
    '## First\n### Steps\n- found = look("x")\n- Return found\n' +
    '## Second\n### Steps\n- Return Inner()\n' +
    '## Inner\n### Steps\n- Return "then {$a}"\n';
  const steps = '- $a = First()\n- $b = Second()\n- Return $b';
  const { tool } = slowTool();
  const { result } = await played(desk(find, steps, rest), { ...follow, tools: [tool] });
  expect(result).toMatchObject({ status: 'done', answer: 'then found x' });
});

test('in front of a call that cannot be made, calls beside it are made', async () => {
  const { tool, log } = slowTool();
  const steps = '- $a = Find("a")\n- $b = Find("b")\n- Return $a';
  const one = { call: 'Find', args: { what: 'a' }, into: '$a' };
  const wrong = { call: 'Find', args: { what: '{$n + 1}' }, into: '$b' };
  const right = { call: 'Find', args: { what: 'b' }, into: '$b' };
  const { result, prompts } = await played(desk(`${find}`, `- $n = "x"\n${steps}`), {
    tools: [tool],
    replies: [
      ops({ set: { $n: 'x' } }, one, { ...wrong, args: { what: '$n.size' } }, { return: '$a' }),
      ops({ step: '03' }, right, { step: '04' }, { return: '$a' }),
    ],
  });
  expect(prompts[1]).toContain('Find into $a: "FOUND A"');
  expect(result).toMatchObject({ status: 'done', answer: 'FOUND A' });
  expect(log.filter((line) => line === 'a begins')).toHaveLength(1);
});

test('killed before any append, what was called side by side has one log', async () => {
  const alone = await played(desk(find, two), { ...follow, tools: [slowTool().tool] });
  const logOf = (journal: typeof alone.journal, run: string) =>
    journal
      .events(run)
      .flatMap((one) => (one.type === 'effect.settled' ? [one.effect] : []))
      .toSorted();
  const make = () => {
    const options = { ...follow, tools: [slowTool().tool] };
    return { stage: (journal: Journal) => stageOf(desk(find, two), { ...options, journal }) };
  };
  const last = await atEachDeath(make, ({ journal, run, result }) => {
    expect(result).toMatchObject({ status: 'done', answer: 'FOUND B' });
    expect(saidIn(journal, run)).toEqual(alone.said);
    expect(logOf(journal, run)).toEqual(logOf(alone.journal, alone.result.run));
  });
  expect(last).toBeGreaterThan(5);
});
