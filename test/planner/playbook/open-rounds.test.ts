/** Lines that are left open may be done more than once, where their words may say so. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const desk = (...lines: readonly string[]) =>
  `# Shop\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n`;

const at = (step: string) => ({ step });
const person = { yield: 'user' };

async function play(
  program: string,
  replies: readonly (readonly object[])[],
  answers: readonly string[] = [],
) {
  const rung: unknown[] = [];
  const tool = quickTool('ring', ({ x }) => rung.push(x), {
    ...{ effect: 'write', idempotent: false },
    parameters: { type: 'object', properties: { x: {} }, required: ['x'] },
  });
  const all = replies.map((one) => ops(...one));
  const ran = await played(program, { replies: all, tools: [tool], answers });
  return { ...ran, rung };
}

describe('the lines under a head in words', () => {
  const round = [at('01'), at('01.01'), { call: 'ring', args: { x: 'a' } }];
  const end = [at('02'), { return: 1 }];

  test.each([
    ...['Go through the list', 'Go through the list:', 'Go through $all', 'Each guest'],
    ...['Interview the guest about each skill', 'Greet each guest', 'One by one'],
  ])('%s: once, or several times', async (head) => {
    const program = desk(`- ${head}`, '  - ring("a")', '- Return 1');
    for (const times of [1, 3]) {
      const rounds = Array.from({ length: times }, () => round).flat();
      const { result, rung } = await play(program, [[...rounds, ...end]]);
      expect(result).toMatchObject({ status: 'done', answer: 1 });
      expect([rung.length, result.warnings]).toEqual([times, []]);
    }
  });

  test('of no such head they are done once', async () => {
    const program = desk('- Prepare the order', '  - ring("a")', '- Return 1');
    const { prompts, rung } = await play(program, [[...round, ...round], end]);
    expect(prompts.join('\n')).toContain('line 01 does not come after line 01.01');
    expect(rung).toHaveLength(1);
  });
});

test('a line that waits for several replies waits until its model goes on', async () => {
  const program = desk('- Say "Who comes?"', '- Wait for several replies', '- Return 1');
  const { result, prompts } = await play(
    program,
    [
      [at('01'), { say: 'Who comes?' }, at('02'), person],
      [at('02'), person],
      [person],
      [at('02'), at('03'), { return: 1 }],
    ],
    ['Ann', 'Ben', 'Cleo'],
  );
  expect(result).toMatchObject({ status: 'done', answer: 1 });
  expect([prompts.length, result.warnings]).toEqual([4, []]);
});

test.each(['', 'I do not know', '4'])('a default is for who has answered %j', async (said) => {
  const program = desk('- Ask for $n (default 3)', '- ring($n)', '- Return 1');
  const n = said === '4' ? 4 : 3;
  const { result, rung } = await play(
    program,
    [
      [at('01'), { say: 'How many?' }, person],
      [
        ...[{ set: { $n: n } }, at('03'), { call: 'ring', args: { x: '$n' } }],
        ...[at('04'), { return: 1 }],
      ],
    ],
    [said],
  );
  expect(result).toMatchObject({ status: 'done', answer: 1 });
  expect([rung, result.warnings]).toEqual([[n], []]);
});
