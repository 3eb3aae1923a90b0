/** A reply whose rounds do not end breaks off in one of them: it is said of which loop they are. */
import { expect, test } from 'vitest';
import { ops } from './played.ts';
import { partsOf, playbookOf } from './sample.ts';

const letters = playbookOf('Letters', [
  ['01', 'LOP', 'For each $word in $words', 'loop 01.01, exit 02', { writes: ['$word'] }],
  ['01.01', 'LOP', 'While $word is too short', 'loop 01.01.01, exit 01.02'],
  ['01.01.01', 'EXE', 'Add a letter to $word', 'loop 01.01', { isAmbiguous: true }],
  ['01.02', 'JMP', '01', 'jump 01', { jump: '01' }],
  ['02', 'RET', '$words', 'return', { value: '$words' }],
]);

const words = { name: 'words', scope: 'state' } as const;
const letter = (at: number) => [{ step: '01.01.01' }, { set: { $word: `word ${at}` } }];
const rounds = (most: number) => Array.from({ length: most }, (_, at) => letter(at)).flat();
const item = [{ step: '01' }, { set: { $word: 'w' } }, { step: '01.01' }];

const toldOf = (reply: string, isCut = false) => {
  const { parts } = partsOf(reply, { playbook: letters, variables: [words], isCut });
  return parts.flatMap((part) => (part.op === 'problem' ? [`${part.code} ${part.text}`] : []));
};

const unended = (loop: string): string =>
  `the reply ends although it neither goes on with line ${loop} nor leaves it`;

const endless =
  '; 30 rounds of line 01.01 (While $word is too short) were read, without an end: go on ' +
  'behind it once it is over, or yield behind some of its rounds';

test('where the reply ends', () => {
  const [told] = toldOf(ops(...item, ...rounds(30)));
  expect(told).toBe(`PV7308 ${unended('01 (For each $word in $words)')}${endless}`);
});

test('where it is cut off in the middle of an operation', () => {
  const [told] = toldOf(`${ops(...item, ...rounds(30))}\n{"set": {"$wo`, true);
  expect(told).toContain('PV7308 the reply ends in the middle of ');
  expect(told).toContain(endless);
});

test('not where each item has had few, nor behind the loop', () => {
  const few = ops(...item, ...rounds(6), ...item, ...rounds(6), ...item);
  expect(toldOf(few)).toEqual([`PV7308 ${unended('01.01 (While $word is too short)')}`]);
  const behind = `${ops(...item, ...rounds(30), { step: '02' })}\n{"ret`;
  expect(toldOf(behind, true)).toEqual(['PV7308 the reply ends in the middle of "{\\"ret"']);
});
