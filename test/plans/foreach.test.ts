/** Lists of any length: foreach, and variables that stand for a key or a position. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { answer, echo, look, play, set, step } from './stage.ts';

const people = [{ name: 'Ann' }, { name: 'Bob' }, { name: 'Cid' }];
const calling = (seq: number, tool: string, params: unknown, output?: unknown) =>
  step(seq, 'calling', { tool, params, ...(output === undefined ? {} : { output_vars: output }) });
const foreach = (seq: number, instructions: unknown, more: object = {}) =>
  step(seq, 'foreach', { items: '${people}', item_var: 'person', instructions, ...more });

/** Tells when it began and ended; each call waits until all that can run beside it has begun. */
function overlapping(count: number) {
  const log: string[] = [];
  const open: (() => void)[] = [];
  const tool = (name: string) =>
    quickTool(name, async ({ of }) => {
      log.push(`${name} ${of}`);
      await new Promise<void>((resolve) => {
        open.push(resolve);
        if (open.length === count) for (const end of open.splice(0)) end();
      });
      return `${name} of ${of}`;
    });
  return { log, tool };
}

describe('foreach', () => {
  test('executes calls and assigns for each item, and collects the last outputs', async () => {
    const plan = [
      foreach(
        0,
        [calling(1, 'echo', { a: '${person.name}' }, 'told'), set(2, { line: '${i}: ${told.a}' })],
        { index_var: 'i', output_vars: 'lines' },
      ),
      answer(3, '${lines}'),
    ];
    const played = await play(plan, { tools: [echo], inputs: { people } });
    expect(played).toMatchObject({ answer: ['0: Ann', '1: Bob', '2: Cid'], checked: [] });
    expect(played.steps).toEqual([
      ...['0', '0.each.1', '0.each.2', '0.each.1@2', '0.each.2@2'],
      ...['0.each.1@3', '0.each.2@3', '3'],
    ]);
    expect(played.variables).toMatchObject({ person: { name: 'Cid' }, line: '2: Cid', i: 2 });
  });

  test('lets the calls of all items run at the same time, and chains of them, too', async () => {
    const { log, tool } = overlapping(3);
    const plan = [
      foreach(
        0,
        [
          calling(1, 'first', { of: '${person.name}' }, 'found'),
          calling(2, 'second', { of: '${found}' }, 'told'),
        ],
        { output_vars: 'final_answer' },
      ),
    ];
    const { answer: lines } = await play(plan, {
      tools: [tool('first'), tool('second')],
      inputs: { people },
    });
    const names = people.map(({ name }) => name);
    expect(lines).toEqual(names.map((name) => `second of first of ${name}`));
    expect(log.slice(0, 3)).toEqual(names.map((name) => `first ${name}`));
    expect(log.slice(3)).toEqual(names.map((name) => `second first of ${name}`));
  });

  test.each<[string, unknown, unknown]>([
    ['no item', [], []],
    ['text that holds a list', '```json\n["a", "b"]\n```', ['a!', 'b!']],
    ['a list in the plan', undefined, ['x!', 'y!']],
  ])('goes through %s', async (_, given, lines) => {
    const items = given === undefined ? ['x', 'y'] : '${people}';
    const plan = [
      foreach(0, [set(0, { line: '${item}!' })], { items, item_var: null, output_vars: 'lines' }),
      answer(1, '${lines}'),
    ];
    const inputs = given === undefined ? {} : { people: given };
    expect(await play(plan, { inputs })).toMatchObject({ answer: lines, checked: [] });
  });

  test('in foreach goes through lists of lists', async () => {
    const inner = foreach(0, [set(0, { cell: '${x}${y}' })], {
      ...{ items: '${row}', item_var: 'x', index_var: 'y', output_vars: 'cells' },
    });
    const plan = [
      foreach(0, [inner], { item_var: 'row', output_vars: 'table' }),
      answer(1, '${table}'),
    ];
    const played = await play(plan, { inputs: { people: [['a', 'b'], [], ['c']] } });
    expect(played.answer).toEqual([['a0', 'b1'], [], ['c0']]);
    expect(played.steps).toContain('0.each.0.each.0@3');
  });

  test('goes on where an instruction for an item fails and on_error names one of the same', async () => {
    const tool = quickTool('odd', ({ n }) => {
      if (n === 2) throw new Error('even');
      return n;
    });
    const plan = [
      foreach(
        0,
        [
          set(1, { said: 'even' }),
          { ...calling(2, 'odd', { n: '${n}' }, 'said'), on_error: 3 },
          set(3, { line: '${said}' }),
        ],
        { item_var: 'n', output_vars: 'final_answer' },
      ),
    ];
    const played = await play(plan, { tools: [tool], inputs: { people: [1, 2, 3] } });
    expect(played.answer).toEqual([1, 'even', 3]);
  });

  test('fails for what is no list', async () => {
    const plan = [foreach(0, [set(1, { a: 1 })]), answer(2, 1)];
    const played = await play(plan, { inputs: { people: 'no list' } });
    expect(played).toMatchObject({ status: 'failed', error: { step: '0' } });
  });

  const jump = step(1, 'jmp', { target_seq: 2 });
  test.each<[string, readonly unknown[], string]>([
    ['a jump', [foreach(0, [jump]), answer(2, 1)], 'PV2156! 0.each.1'],
    ['an answer', [foreach(0, [answer(1, 1)])], 'PV2156! 0.each.1'],
    [
      'a failure that leads out',
      [foreach(0, [{ ...set(1, { a: 1 }), on_error: 2 }]), answer(2, 1)],
      'PV2156! 0.each.1',
    ],
    [
      'a jump into it',
      [step(0, 'jmp', { target_seq: 2 }), foreach(1, [set(2, { a: 1 })]), answer(3, 1)],
      'PV2129! 0',
    ],
    [
      'no output to collect',
      [foreach(0, [calling(1, 'echo', {})], { output_vars: 'x' }), answer(2, 1)],
      'PV2156! 0',
    ],
    ['no items', [step(0, 'foreach', { instructions: [] }), answer(1, 1)], 'PV2111! 0'],
    [
      'an unknown variable',
      [foreach(0, [set(1, { a: '${persn}' })]), answer(2, 1)],
      'PV2137! 0.each.1',
    ],
    [
      'an item before it',
      [set(0, { a: '${person}' }), foreach(1, [set(2, { b: 1 })]), answer(3, 1)],
      'PV2138! 0',
    ],
  ])('is refused with %s', (_, plan, code) => {
    expect(
      look(plan, { tools: [echo], inputs: { people }, dialect: 'stackvm-2' }).checked,
    ).toContain(code);
  });
});

describe('a variable within the brackets of a reference', () => {
  const inputs = { people, i: 1, at: { last: '2', deep: [0] }, key: 'name' };

  test.each<[string, unknown]>([
    ['${people[i].name}', 'Bob'],
    ['${people[${i}].name}', 'Bob'],
    ['${people[ ${ i } ].name}', 'Bob'],
    ['${people[at.last][key]}', 'Cid'],
    ['${people[at.deep[0]]["name"]}', 'Ann'],
    ['${people[${at.deep[0]}][${key}]}!', 'Ann!'],
    ['${people[-1].name}', 'Cid'],
  ])('%s', async (text, value) => {
    const played = await play([answer(0, text)], { inputs, dialect: 'stackvm-2' });
    expect(played).toMatchObject({ answer: value, checked: [] });
  });

  test('counts in a loop, in the other dialect, too', async () => {
    const plan = [
      {
        seq_no: 0,
        type: 'assign',
        parameters: {
          value: '{{people[{{i}}].name}}, {{people[i].name}}',
          var_name: 'final_answer',
        },
      },
    ];
    const played = await play(plan, { inputs, dialect: 'stackvm-1' });
    expect(played).toMatchObject({ answer: 'Bob, Bob', checked: [] });
  });

  test('that nothing sets is an error that says how a key is written', () => {
    const { checked, diagnostics } = look([answer(0, '${people[surname]}')], { inputs });
    expect(checked).toEqual(['PV2137! 0']);
    expect(diagnostics[0]?.hint).toContain('["surname"]');
  });

  test.each([[4], ['surname'], [true], [[0]]])(
    'that holds %j is an error of the step',
    async (i) => {
      const played = await play([answer(0, '${people[i]}')], { inputs: { people, i } });
      expect(played).toMatchObject({ status: 'failed', error: { step: '0' } });
    },
  );
});
