/** Questions in the forms in which benchmarks publish them. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDataset } from '../../src/bench/dataset.ts';
import { Folder } from '../support/cli.ts';

function itemsOf(content: unknown, name = 'questions.json') {
  using folder = new Folder({ [name]: content });
  return readDataset(join(folder.path, name)).items;
}

describe('published forms', () => {
  test('HotpotQA comparison: id, level, question, answer', () => {
    const record = { id: '5a7a', level: 'hard', question: 'Is it?', answer: 'yes' };
    expect(itemsOf([record])).toEqual([
      { id: '5a7a', question: 'Is it?', label: { kind: 'text', text: 'yes' } },
    ]);
  });

  test('HotpotQA itself: _id and type', () => {
    const record = { _id: '5a8b', type: 'bridge', question: 'Who?', answer: 'Ada', context: [] };
    expect(itemsOf([record])).toEqual([
      { id: '5a8b', question: 'Who?', label: { kind: 'text', text: 'Ada' } },
    ]);
  });

  test('ParallelQA: numbers as answers, and a branch', () => {
    const records = [
      { id: 0, question: 'How many?', answer: 1234.5, branch: 3 },
      { id: 1, question: 'Which?', answer: 'Rhine', branch: 2 },
    ];
    expect(itemsOf(records)).toEqual([
      {
        id: '0',
        question: 'How many?',
        label: { kind: 'text', text: '1234.5' },
      },
      { id: '1', question: 'Which?', label: { kind: 'text', text: 'Rhine' } },
    ]);
  });

  test('the game of 24: a table of puzzles, and puzzles as documents', () => {
    const table =
      'Rank,Puzzles,AMT (s),Solved rate\n1,1 1 4 6,4.4,99.20%\n2,"1 1 11 11",4.41,99%\n';
    const [first, second, ...more] = itemsOf(table, '24.csv');
    expect(more).toEqual([]);
    expect(first).toMatchObject({ id: '1', label: { kind: 'twenty-four', numbers: [1, 1, 4, 6] } });
    expect(first?.question).toContain('1, 1, 4, 6');
    expect(second?.label).toEqual({ kind: 'twenty-four', numbers: [1, 1, 11, 11] });
    const label = { kind: 'twenty-four', numbers: [4, 9, 10, 13] };
    for (const record of [{ puzzle: '4 9 10 13' }, { numbers: [4, 9, 10, 13] }]) {
      expect(itemsOf([{ id: 'p', ...record }])).toMatchObject([{ id: 'p', label }]);
    }
    expect(itemsOf([{ question: '4 9 10 13' }])).toMatchObject([{ id: '1', label }]);
  });

  test('lines of documents, one list in a document, and questions by their ids', () => {
    const one = { id: 'a', question: 'A?', answer: 'x' };
    const two = { id: 'b', question: 'B?', answer: 'y' };
    const items = itemsOf([one, two]);
    expect(itemsOf(`${JSON.stringify(one)}\n\n${JSON.stringify(two)}\n`)).toEqual(items);
    expect(itemsOf({ version: 1, data: [one, two] })).toEqual(items);
    expect(
      itemsOf({ a: { question: 'A?', answer: 'x' }, b: { question: 'B?', answer: 'y' } }),
    ).toEqual(items);
    expect(itemsOf(`\uFEFF${JSON.stringify([one, two])}`)).toEqual(items);
  });
});

describe('what is no dataset says why', () => {
  test.each([
    ['[]', 'it holds no questions'],
    ['{"a": 1}', 'it is not a list of questions'],
    [' \n', 'it is empty'],
    ['[{"question":" ","answer":"x"}]', 'question 1: got " ", want a text as "question"'],
    ['[{"question":["A?"],"answer":"x"}]', 'question 1: got ["A?"], want a text as "question"'],
    ['[1]', 'question 1: got 1, want an object'],
    ['nonsense', 'it is not JSON'],
    ['{"id":"a","question":"A?","answer":"x"}\n{"id":', 'line 2 is not JSON'],
    ['[{"id":"a","answer":"x"}]', 'question 1 has no "question", only id, answer'],
    ['[{"id":"a","question":"A?"}]', 'question 1 (a): got no answer'],
    ['[{"id":"a","question":"A?","answer":["x"]}]', 'got ["x"], want a text or a number'],
    ['Rank,Puzzles\n1,1 1 4 6\n2,1 1 4\n', 'question 2 (2): got the puzzle "1 1 4", want four'],
    ['[{"puzzle":[1,2,3,4.5]}]', 'got the puzzle [1,2,3,4.5], want four whole numbers'],
    ['[{"id":{},"question":"A?","answer":"x"}]', 'question 1: got the id {}'],
    [
      '[{"id":"a","question":"A?","answer":"x"},{"id":"a","question":"B?","answer":"y"}]',
      'question 2 has the id a, as question 1 has',
    ],
  ])('%s', (content, message) => {
    expect(() => itemsOf(content)).toThrow(message);
    expect(() => itemsOf(content)).toThrow(expect.objectContaining({ code: 'PV6801' }));
  });

  test('a file that is not there', () => {
    expect(() => readDataset('nowhere/questions.json')).toThrow(/cannot read the dataset/);
  });
});
