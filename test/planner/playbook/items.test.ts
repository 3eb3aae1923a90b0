/**
 * Loops over items that are known: each is done once, in its order, and none is left out, whatever
 * a model says of them; models that keep to that are let be, in each of their ways.
 */
import { describe, expect, test } from 'vitest';
import type { Strictness } from '../../../src/dialects/playbook/source/manner.ts';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const desk = (...lines: readonly string[]) =>
  `# Shop\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n`;

const literal = desk('- For each $x in ["Emma", "Dune"]', '  - lend($x)', '- Say("Bye.")');
const listed = desk(
  ...['- $books = ["Emma", "Dune"]', '- For each $x in $books', '  - lend($x)', '- Say("Bye.")'],
);

const at = (step: string) => ({ step });
const set = (x: unknown) => ({ set: { $x: x } });
const lend = (x: string) => ({ call: 'lend', args: { x }, into: `slip_${x.replace('$', '')}` });
const call = (x: string) => [at('01.01'), lend(x)];
const round = (x: string) => [at('01'), set(x), at('01.01'), lend('$x')];
const bye = [at('02'), { say: 'Bye.' }, { return: null }];

async function play(
  program: string,
  replies: readonly string[],
  strictness: Strictness = 'repair',
) {
  const lent: unknown[] = [];
  const tool = quickTool('lend', ({ x }) => lent.push(x), {
    ...{ effect: 'write', idempotent: false },
    parameters: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
  });
  const ran = await played(program, { replies, tools: [tool], strictness });
  return { ...ran, lent, warnings: ran.result.warnings.map(({ message }) => message).join('\n') };
}

const wait = { yield: 'call' };
const done = { return: 1 };
const rest = ops(...round('Dune'), wait);
const end = ops(...bye);

describe.each(['repair', 'enforce'] as const)('under %s', (strictness) => {
  test.each<readonly [string, readonly object[], string]>([
    ['a loop that is left early', [...round('Emma'), wait], 'item 2 of 2, which is "Dune"'],
    ['an item once more', [...round('Emma'), ...round('Emma')], 'got "Emma" for $x of line 01'],
    ['another item', [...round('Emma'), ...round('Persuasion')], 'want item 2 of 2'],
  ])('%s is a problem', async (_, first, told) => {
    const isWait = first.at(-1) === wait;
    const replies = isWait ? [ops(...first), ops(...bye), rest, end] : [ops(...first), rest, end];
    const { lent, result, said, prompts } = await play(literal, replies, strictness);
    expect(prompts.join('\n')).toContain(told);
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['Bye.']);
    expect(lent).toEqual(['Emma', 'Dune']);
  });
});

describe('the next item, set in a round that is not over', () => {
  const say = (x: string) => [at('01.01'), { say: x }];
  const two = desk(
    '- For each $x in ["Emma", "Dune"]',
    ...['  - Say("{$x}")', '  - lend($x)', '- Say("Bye.")'],
  );

  test('is a problem behind a line of it as well', async () => {
    const begun = [at('01'), set('Emma'), ...say('Emma')];
    const { lent, prompts, result, said } = await play(two, [
      ops(...begun, set('Dune'), at('01.02'), lend('$x'), wait),
      ops(at('01.02'), lend('$x'), at('01'), set('Dune'), ...say('Dune'), at('01.02'), lend('$x')),
      end,
    ]);
    expect(prompts[1]).toContain('line 01.02 was not done, before the next $x');
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['Emma', 'Dune', 'Bye.']);
    expect(lent).toEqual(['Emma', 'Dune']);
  });

  test.each(['repair', 'enforce'] as const)('begins the next one: %s', async (strictness) => {
    const program = literal.replace('- Say("Bye.")', '  - Look at it closely\n- Say("Bye.")');
    const { lent, prompts, result } = await play(
      program,
      [
        ops(...round('Emma'), wait),
        ops(set('Dune'), ...call('Dune'), wait),
        ...(strictness === 'enforce' ? [ops(at('01.02'), ...round('Dune'), wait)] : []),
        ops(at('01.02'), ...bye),
      ],
      strictness,
    );
    expect(prompts.at(-1)).toMatch(/Go on at line 01\.02\. At line 01: item 2 of 2/);
    expect(result.error).toBeUndefined();
    expect(lent).toEqual(['Emma', 'Dune']);
  });
});

describe('under advise it is warned of, and done', () => {
  test.each<readonly [string, readonly object[], string]>([
    ['a loop that is left early', [], 'PV7303 at Shop.Main:02: line 01 is left early'],
    ['an item once more', round('Emma'), 'PV7303 at Shop.Main:01: got '],
  ])('%s', async (_, more, told) => {
    const replies = [ops(...round('Emma'), ...more, wait), end];
    const { result, said } = await play(literal, replies, 'advise');
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['Bye.']);
    const warnings = result.warnings.map(({ message }) => message);
    expect(warnings).toContainEqual(expect.stringContaining(told));
  });
});

test('the error of one who errs again says what was done, in words', async () => {
  const other = ops(...round('Emma'), ...round('Persuasion'));
  const { lent, result } = await play(literal, [other, ops(...round('Dracula'))]);
  expect(lent).toEqual(['Emma']);
  expect(result.error).toMatchObject({ code: 'PV7303' });
  expect(result.error?.message).toMatch(/\.\nIt was told so once before\./);
  const both = ops(...round('Dune'), ...round('Persuasion'));
  const again = await play(literal, [other, both]);
  const last = 'Its last reply was cut off there, behind:';
  const lines = ['at line 01: set $x to "Dune"', 'at line 01.01: called lend(x = "Dune")'];
  const words = [last, ...lines.map((line) => `- ${line}`)].join('\n');
  expect(again.result.error?.message).toContain(words);
});

const first = [at('01'), { set: { $books: ['Emma', 'Dune'] } }];
const later = (x: string, y = x) => [at('02'), set(x), at('02.01'), lend(y)];
const later3 = [at('03'), { say: 'Bye.' }, { return: null }];

test('the items of a variable are those that it had as the loop began', async () => {
  const program = listed.replace('  - lend($x)', '  - $slip = lend($x)\n  - $books = []');
  const slip = { call: 'lend', args: { x: '$x' }, into: '$slip' };
  const empty = [at('02.02'), { set: { $books: [] } }, at('02.03'), at('02')];
  const body = [at('02.01'), slip, ...empty];
  const { lent, result, prompts } = await play(program, [
    ops(...first, at('02'), set('Emma'), ...body, set('Dune'), ...body, wait),
    ops({ say: 'Bye.' }, { return: null }),
  ]);
  expect(result.error).toBeUndefined();
  expect(prompts).toHaveLength(2);
  expect(lent).toEqual(['Emma', 'Dune']);
});

test('which item it is at is told where a turn begins in a loop, and kept', async () => {
  const program = desk(
    '- For each $x in ["Emma", "Dune"]',
    '  - Ask user for a $note',
    '- Return 1',
  );
  const ask = (x: string) => [at('01'), set(x), at('01.01'), { say: x }, { yield: 'user' }];
  const note = (text: string) => ({ set: { $note: text } });
  const { prompts, result } = await played(program, {
    replies: [ops(...ask('Emma')), ops(note('a'), ...ask('Dune')), ops(note('b'), at('02'), done)],
    answers: ['a', 'b'],
  });
  expect(result).toMatchObject({ status: 'done', answer: 1 });
  expect(prompts[1]).toMatch(/At line 01: item 1 of 2, which is "Emma"\.$/);
  expect(prompts[2]).toMatch(/At line 01: item 2 of 2, which is "Dune"\.$/);
});

test('a loop over a variable is left early no more than others', async () => {
  const { lent, prompts, result } = await play(listed, [
    ops(...first, ...later('Emma', '$x'), wait),
    ops(...later3),
    ops(...later('Dune', '$x'), wait),
    ops(...later3),
  ]);
  expect(prompts[2]).toContain('line 02 is left early: go on there with item 2 of 2');
  expect(result.error).toBeUndefined();
  expect(lent).toEqual(['Emma', 'Dune']);
});

test('a loop that may be left is, behind the line that says so', async () => {
  const program = desk(
    ...['- For each $x in ["Emma", "Dune"]', '  - Say("{$x}")', '  - If $x is long'],
    ...['    - Return 1', '- Return 2'],
  );
  const say = [at('01'), set('Emma'), at('01.01'), { say: 'Emma' }];
  const { prompts, result } = await played(program, {
    replies: [ops(...say, at('01.02'), at('01.02.01'), done)],
  });
  expect(result).toMatchObject({ status: 'done', answer: 1 });
  expect(prompts).toHaveLength(1);
});

describe('let be is a model that keeps to the items', () => {
  const both = ['Emma', 'Dune'];
  test.each<readonly [string, string, readonly object[]]>([
    ['and tells each line', literal, [...round('Emma'), at('01.02'), ...round('Dune'), at('01')]],
    ['and tells of items alone', literal, both.flatMap((x) => [set(x), lend(x)])],
    ['and sets none', literal, both.flatMap((x) => [at('01'), ...call(x)])],
    ['and tells of the body alone', literal, both.flatMap(call)],
    [
      'and tells of the item in the body',
      literal,
      both.flatMap((x) => [at('01.01'), set(x), lend(x)]),
    ],
    [
      'by what the list has',
      listed,
      [...first, ...[0, 1].flatMap((n) => later(`$books[${n}]`, both[n]))],
    ],
  ])('%s', async (_, program, operations) => {
    for (const strictness of ['repair', 'enforce'] as const) {
      const isListed = program === listed;
      const tail = isListed ? later3 : bye;
      const { lent, result, prompts } = await play(
        program,
        [ops(...operations, wait), ops(...tail)],
        strictness,
      );
      expect(result.error).toBeUndefined();
      expect(prompts).toHaveLength(2);
      expect(lent).toEqual(both);
    }
  });

  test('who does not set the item has it set', async () => {
    const program = `${literal}- Return $x`;
    const { result } = await play(program, [
      ops(...both.flatMap(call), wait),
      ops(at('02'), { say: 'Bye.' }, at('03'), { return: '$x' }),
    ]);
    expect(result).toMatchObject({ status: 'done', answer: 'Dune' });
  });
});
