/** Replies that break off, in each form: that is said, and nothing of what stands far behind it. */
import { describe, expect, test } from 'vitest';
import { type Form, forms } from '../../playbooks/forms.ts';
import { partsOf, playbookOf } from './sample.ts';

const shelves = playbookOf('Shelves', [
  ['01', 'LOP', 'For each $shelf in $shelves', 'loop 01.01, exit 02', { writes: ['$shelf'] }],
  ['01.01', 'EXE', '$note = what $shelf has', 'next 01.02', { writes: ['$note'] }],
  [
    '01.02',
    'QUE',
    'Say("{$note}")',
    'loop 01',
    { say: { text: '{$note}', isLiteral: true, to: 'user' } },
  ],
  ['02', 'QUE', 'Say("Done.")', 'next 03', { say: { text: 'Done.', isLiteral: true, to: 'user' } }],
  ['03', 'RET', '$note', 'return', { value: '$note' }],
]);

const ops = [
  ...[{ step: '01' }, { set: { $shelf: 'A' } }, { step: '01.01' }, { set: { $note: 'full' } }],
  ...[{ step: '01.02' }, { say: '{$note}' }],
];

const toldOf = (reply: string, isCut = false) => {
  const shelved = { name: 'shelves', scope: 'state' } as const;
  const { parts } = partsOf(reply, { playbook: shelves, variables: [shelved], isCut });
  return parts.flatMap((part) => (part.op === 'problem' ? [part.text] : []));
};

const written = (form: Form): string => form({ of: 'Shelves', ops }, '$shelf $note').trimEnd();

describe('in the middle of a text', () => {
  test.each(Object.entries(forms))('%s', (_, form) => {
    const whole = written(form);
    const half = whole.slice(0, whole.lastIndexOf('full') + 2);
    for (const isCut of [false, true]) {
      expect(toldOf(half, isCut)).toEqual([expect.stringMatching(/^the reply ends in the middle/)]);
    }
  });
});

describe('in a round, behind a line', () => {
  const ofLines = Object.entries(forms).filter(([name]) => !name.startsWith('a trace'));
  test.each(ofLines)('%s', (_, form) => {
    const whole = written(form);
    const end = 'it neither goes on with line 01 (For each $shelf in $shelves) nor leaves it';
    expect(toldOf(whole)).toEqual([`the reply ends although ${end}`]);
    const line = whole.split('\n').findLast((one) => one.includes('01.02')) ?? '';
    const said = 'line 01.02 says something, and nothing was said';
    expect(toldOf(whole.slice(0, whole.indexOf(line) + line.length))).toEqual([
      `the reply ends although ${said}`,
    ]);
  });
});

test.each([
  ['`Var[$shelf, "A', '`Var[$shelf, "A'],
  ['`Say("user", "one', '`Say("user", "one'],
  ['`$note = 3', '`$note = 3'],
  ['await self.', 'await self.'],
  ['self.state.shelf =', 'self.state.shelf ='],
  ['- step: "01"\n- set: {"$shelf": "A', '- set: {"$shelf": "A'],
])('names what it ends amid: %s', (reply, half) => {
  expect(toldOf(reply)).toEqual([`the reply ends in the middle of ${JSON.stringify(half)}`]);
});

test('a last line that is wrong and whole is told as that', () => {
  const [told] = toldOf('await self.Step("Shelves:01:LOP")\nself.state.shelf = $a $b');
  expect(told).toContain('want the end');
});

test('what is wrong before a last line of words is told as that', () => {
  const [told] = toldOf('- step: "01"\n- set: {"$shelf": "A"} x\nThat is all for now.');
  expect(told).toContain('cannot read the YAML');
});
