/** Which line a return belongs to that names none: of several the one that returns just that. */
import { expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const desk = (steps: string): string =>
  `# Desk\n\n## Main($kind = "late", $n = 7)\n### Triggers\n- At the beginning\n### Steps\n${steps}\n`;

/** Nobody but a model can say whether it is: there is a line in either branch. */
const ifGood = (returned: string) => `- If the day is good\n  - ${returned}\n`;

async function placed(steps: string, reply: string) {
  const look = quickTool('look', () => 7, { effect: 'read' });
  const { result, prompts } = await played(desk(steps), {
    ...{ tools: [look], replies: [reply], strictness: 'enforce' },
  });
  expect([result.error, prompts.length]).toEqual([undefined, 1]);
  return result.answer;
}

test('a value is not of a line before it that returns nothing', async () => {
  const steps = `${ifGood('Return')}- Return $n`;
  expect(await placed(steps, ops({ return: '$n' }))).toBe(7);
  expect(await placed(steps, ops({ return: 7 }))).toBe(7);
  expect(await placed(steps, ops({ return: null }))).toBe(null);
});

test('nor of one before it that returns another value', async () => {
  const steps = `${ifGood('Return $kind')}- Return $n`;
  expect(await placed(steps, ops({ return: '$n' }))).toBe(7);
  expect(await placed(steps, ops({ return: 7 }))).toBe(7);
  expect(await placed(steps, ops({ return: '$kind' }))).toBe('late');
});

test('nor is what a line computes, where it is written as that has it', async () => {
  const steps = `${ifGood('Return $kind')}- Return $n + 1`;
  expect(await placed(steps, ops({ return: '$n + 1' }))).toBe(8);
});

test('nor what it calls', async () => {
  const steps = `${ifGood('Return')}- Return look()`;
  expect(await placed(steps, ops({ return: 'look()' }))).toBe(7);
});

test('what no line returns is told of the first one', async () => {
  const { prompts } = await played(desk(`${ifGood('Return $kind')}- Return $n`), {
    ...{ replies: [ops({ return: 9 }), ops({ return: '$n' })], strictness: 'enforce' },
  });
  expect(prompts[1]).toContain('line 01.01 returns $kind, got 9');
});

test('what no line returns has come to none: what stands before is not left out for that', async () => {
  const steps = '- For $i from 1 to 2\n  - Say("item {$i}")\n- Return $n';
  const item = (i: number) => [
    ...[{ step: '01' }, { set: { $i: i } }, { step: '01.01' }, { say: `item ${i}` }],
    { step: '01.02' },
  ];
  const right = ops(...item(1), ...item(2), { step: '01' }, { step: '02' }, { return: '$n' });
  const { prompts, said } = await played(desk(steps), {
    ...{ replies: [ops({ return: null }), right], strictness: 'enforce' },
  });
  expect(prompts[1]).toContain('line 02 returns $n, got null');
  expect(prompts[1]).toContain('Go on at line 01.');
  expect(said).toEqual(['item 1', 'item 2']);
});
