/** What was called in front of something that cannot stand is done, and is not only said to be. */
import { expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const program = `# Shop
## Main
### Triggers
- At the beginning
### Steps
- For each $x in ["a", "b"]
  - Note($x)
- Return 1

## Note($y)
### Steps
- ring($y)
- Say("noted")
- Return $y
`;

const at = (step: string) => ({ step });

test('a call in front of a wrong item is done, and its model goes on behind it', async () => {
  const rung: unknown[] = [];
  const ring = quickTool('ring', ({ x }) => rung.push(x), {
    ...{ effect: 'write', idempotent: false },
    parameters: { type: 'object', properties: { x: {} }, required: ['x'] },
  });
  const noting = (item: string) => [
    ...[at('01'), { set: { $x: item } }, at('01.01'), { call: 'Note', args: { y: item } }],
  ];
  const notes = (item: string) => [
    ...[at('01'), { call: 'ring', args: { x: item } }],
    ...[at('02'), { say: 'noted' }, at('03'), { return: item }],
  ];
  const replies = [
    [...noting('a'), ...noting('c')],
    notes('a'),
    [...noting('b'), at('01'), at('02'), { return: 1 }],
    notes('b'),
  ];
  const ran = await played(program, { replies: replies.map((one) => ops(...one)), tools: [ring] });
  expect(ran.result).toMatchObject({ status: 'done', answer: 1 });
  expect(rung).toEqual(['a', 'b']);
  expect(ran.prompts[2]).toContain('want item 2 of 2, which is "b"');
});
