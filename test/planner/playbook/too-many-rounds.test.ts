/**
 * A reply that goes round and round a loop whose end only its model knows is read no further: that is
 * told once, and the run ends with what it wrote where the next reply does so, too.
 */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';

const desk = (...lines: readonly string[]) =>
  `# Shop\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n`;

const guests = (head: string) =>
  desk(`- ${head}`, '  - Tell the guest something new', '- Say("Bye.")');

const named = (at: number) => [{ step: '01' }, { step: '01.01' }, { say: `News ${at}.` }];
const body = (at: number) => named(at).slice(1);

const rounds = (most: number, round: (at: number) => readonly object[], from = 0) =>
  Array.from({ length: most }, (_, at) => round(from + at)).flat();

const bye = [{ step: '02' }, { say: 'Bye.' }, { return: null }];

describe.each<readonly [string, (at: number) => readonly object[]]>([
  ['names each line', named],
  ['names the lines of the body', body],
])('a model that %s', (_, round) => {
  test('is told once that its rounds do not end', async () => {
    const { result, prompts, said } = await played(guests('While the guest is bored'), {
      replies: [ops(...rounds(1500, round)), ops(...rounds(1, round, 2000), ...bye)],
    });
    expect(prompts[1]).toContain(
      '300 rounds of line 01 (While the guest is bored) were read, without an end',
    );
    expect(result.status).toBe('done');
    expect([said.length, said.at(-1)]).toEqual([302, 'Bye.']);
  });

  test('and goes round without an end once more is stopped with what it wrote', async () => {
    const { result, prompts } = await played(guests('While the guest is bored'), {
      replies: [ops(...rounds(1500, round)), ops(...rounds(1500, round, 2000))],
    });
    expect(prompts).toHaveLength(2);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7308' } });
    expect(result.error?.message).toContain('News 2299.');
  });
});

test('one that names no line is told, too', async () => {
  const rung: unknown[] = [];
  const program = desk(
    ...['- While the guest is bored', '  - Tell the guest something new', '  - ring(a number)'],
    '- Say("Bye.")',
  );
  const round = (n: number) => [{ say: `News ${n}.` }, { call: 'ring', args: { n } }];
  const { prompts, result } = await played(program, {
    tools: [quickTool('ring', ({ n }) => rung.push(n), orders)],
    replies: [ops(...rounds(1500, round)), ops(...bye)],
  });
  expect(prompts[1]).toContain('300 rounds of line 01 (While the guest is bored)');
  expect([result.status, rung.length]).toEqual(['done', 300]);
});

test('where all goes on, so does the reply, and it is warned of once', async () => {
  const { result, said } = await played(guests('While the guest is bored'), {
    strictness: 'advise',
    replies: [ops(...rounds(400, named), ...bye)],
  });
  expect([result.status, said.length]).toEqual(['done', 401]);
  const warned = result.warnings.filter(({ message }) => message.includes('300 rounds'));
  expect(warned).toHaveLength(1);
});

test.each<readonly [string, string]>([
  ['400 times:', 'is counted'],
  ['For $i from 1 to 400', 'goes over numbers'],
])('%s: a loop that %s may have as many', async (head) => {
  const { result, said, prompts } = await played(guests(head), {
    replies: [ops(...rounds(400, named), ...bye)],
  });
  expect([result.status, said.length, prompts.length]).toEqual(['done', 401, 1]);
});

test('a loop whose condition is computed may have as many', async () => {
  const program = desk('- $n = 0', '- While $n < 400', '  - $n = $n + 1', '- Say("Bye.")');
  const round = (at: number) => [{ step: '02' }, { step: '02.01' }, { set: { $n: at + 1 } }];
  const { result, said } = await played(program, {
    replies: [
      ops(
        ...[{ step: '01' }, { set: { $n: 0 } }, ...rounds(400, round)],
        ...[{ step: '03' }, { say: 'Bye.' }],
      ),
    ],
  });
  expect([result.status, said]).toEqual(['done', ['Bye.']]);
});

test('rounds of a loop in another one count for each of its own', async () => {
  const program = desk(
    ...['- For each $x in ["a", "b"]', '  - While the guest is bored'],
    ...['    - Tell the guest something new', '- Say("Bye.")'],
  );
  const inner = (at: number) => [{ step: '01.01' }, { step: '01.01.01' }, { say: `News ${at}.` }];
  const item = ($x: string) => [{ step: '01' }, { set: { $x } }];
  const { result, prompts } = await played(program, {
    replies: [
      ops(
        ...[...item('a'), ...rounds(200, inner), ...item('b'), ...rounds(200, inner, 300)],
        ...[{ step: '02' }, { say: 'Bye.' }],
      ),
    ],
  });
  expect([result.status, prompts.length]).toEqual(['done', 1]);
});

test('one for each of what its list has, as words say of it, may have many', async () => {
  const program = desk('- For each valid $x in $all', '  - Note that $x was seen', '- Return 1');
  const one = (at: number) => [
    ...[{ step: '01' }, { set: { $x: `item ${at}` } }, { step: '01.01' }, { think: 'seen' }],
  ];
  const { result, prompts } = await played(program, {
    replies: [ops(...rounds(700, one), { step: '02' }, { return: 1 })],
    given: { all: Array.from({ length: 700 }, (_, at) => `item ${at}`) },
  });
  expect([result.status, prompts.length]).toEqual(['done', 1]);
});
