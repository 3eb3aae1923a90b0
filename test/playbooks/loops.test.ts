/** Programs without a person: three greetings, results in what is said, loops with conditions. */
import { describe } from 'vitest';
import { noting } from './noting.ts';
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

describe('loops in common words are gone through as any others', () => {
  const steps = (...all: readonly string[]) => all.map((step) => ({ step }));
  tell({
    program: 'loops-in-words',
    turns: [
      {
        of: 'Main',
        ops: [
          ...[{ step: '01' }, { set: { $left: 2 } }],
          ...['1', '2'].flatMap((n) => [
            ...[{ step: '02' }, { set: { $n: n } }, { step: '02.01' }, { say: '{$n}' }],
          ]),
          ...[...steps('02', '03', '03.01'), { say: '{$left} to go' }],
          ...[{ step: '03.02' }, { set: { $left: 1 } }, ...steps('03', '03.01')],
          ...[{ say: '{$left} to go' }, { step: '03.02' }, { set: { $left: 0 } }],
          ...[...steps('03', '04', '04.01'), { say: 'hip' }, ...steps('04.02', '04', '04.01')],
          ...[{ say: 'hip' }, ...steps('04.02', '04', '05'), { yield: 'exit' }],
        ],
      },
    ],
    said: ['1', '2', '2 to go', '1 to go', 'hip', 'hip'],
    skip: { turn: 0, ops: [{ step: '05' }, { yield: 'exit' }] },
  });
});

describe('hello: three messages, and the end', () => {
  const greeting = [
    ...[{ step: '01' }, { say: 'Hello from the lighthouse.' }],
    ...[{ step: '02' }, { say: 'This is a demo.' }],
  ];
  tell({
    program: 'hello',
    turns: [
      {
        of: 'Main',
        ops: [
          ...greeting,
          ...[{ step: '03' }, { say: 'Goodbye.' }, { step: '04' }, { yield: 'exit' }],
        ],
      },
    ],
    said: ['Hello from the lighthouse.', 'This is a demo.', 'Goodbye.'],
    skip: { turn: 0, ops: [...greeting, { step: '04' }, { yield: 'exit' }] },
  });
});

describe('tide table: what tools and functions return is in what is said', () => {
  const level = (step: string, place: string, into: string) => [
    ...[{ step }, { call: 'level', args: { place }, into }, { yield: 'call' }],
  ];
  tell({
    program: 'tide-table',
    tools: (calls) => [noting(calls, 'level', ['place'], () => 3.5)],
    turns: [
      { of: 'Main', ops: level('01', 'pier', 'level_1') },
      {
        of: 'Main',
        ops: [
          { step: '03' },
          { call: 'in_words', args: { metres: '$level_1' }, into: 'in_words_1' },
          { yield: 'call' },
        ],
      },
      {
        of: 'Main',
        ops: [{ step: '05' }, { say: '{in_words_1}' }, ...level('06', 'bridge', 'level_2')],
      },
      { of: 'Main', ops: [{ step: '08' }, { say: 'The gauge says {level_2}.' }, { return: null }] },
    ],
    said: ['high', 'The gauge says 3.5.'],
    calls: [
      ['level', 'pier'],
      ['level', 'bridge'],
    ],
    skip: { turn: 2, ops: level('06', 'bridge', 'level_2') },
  });
});
