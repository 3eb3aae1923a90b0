/** Loops without a person: over a list, and while something holds, with a condition in it. */
import { describe } from 'vitest';
import { tell } from './story.ts';

describe('two loops, one with a condition in it, are gone through in one turn', () => {
  tell({
    program: 'loops',
    turns: [
      {
        of: 'Main',
        ops: [
          ...['1', '2', '3'].flatMap((n) => [
            { step: '01' },
            { set: { $n: n } },
            { step: '01.01' },
            { say: '{$n}' },
          ]),
          ...[{ step: '02' }, { set: { $left: 3 } }, { step: '03' }],
          ...[{ step: '03.02' }, { step: '03.02.01' }, { say: '{$left} to go' }],
          ...[{ step: '03.03' }, { set: { $left: 2 } }, { step: '03' }, { step: '03.01' }],
          ...[{ step: '03.01.01' }, { say: 'nearly there' }],
          ...[{ step: '03.03' }, { set: { $left: 1 } }, { step: '03' }],
          ...[{ step: '03.02' }, { step: '03.02.01' }, { say: '{$left} to go' }],
          ...[{ step: '03.03' }, { set: { $left: 0 } }, { step: '03' }],
          ...[{ step: '04' }, { say: 'lift off' }, { step: '05' }, { yield: 'exit' }],
        ],
      },
    ],
    said: ['1', '2', '3', '3 to go', 'nearly there', '1 to go', 'lift off'],
    skip: { turn: 0, ops: [{ step: '05' }, { yield: 'exit' }] },
  });
});
