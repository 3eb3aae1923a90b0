/** Small answers of models: yes or no, and objects with certain keys. */
import { describe, expect, test } from 'vitest';
import { encode } from '../../src/program/json.ts';
import { valueOfNode } from '../../src/text/json-text.ts';
import { answerOf, readObject, readVerdict } from '../../src/text/model-text.ts';

describe('a verdict', () => {
  test.each<[string, boolean, string?]>([
    ['{"result": true}', true],
    ['{"result": false, "explanation": "odd }"}', false, 'odd }'],
    ['{"result": "True"}', true],
    ['{"result": "no, it is odd"}', false],
    ['{"result": 0}', false],
    ['Let me see {a}: {"result": true, "explanation": "x"} Done.', true, 'x'],
    ['```json\n{"result": false}\n```', false],
    ['<think>{"result": false}</think>{"result": true}', true],
    ['First {"result": true}. No, rather {"result": false}', false],
    ['[{"result": true}]', true],
    ['{"result": true, "explanation": "cut sho', true],
    ["{'result': True,}", true],
    ['{"answer": true}', true],
    ['{"RESULT": "Nein", "Explanation": "x"}', false, 'x'],
    ['{"Answer": "oui"}', true],
    ['{"answer": 4, "result": false}', false],
    ['true', true],
    ['**Yes**', true],
    ...([
      ['Ja', 'Nein', 'wahr', 'falsch'],
      ['Oui', 'Non', 'vrai', 'faux'],
      ['Sí', 'No', 'verdadero', 'falso'],
      ['Sì', 'no', 'vero', 'falso'],
      ['Sim', 'Não', 'verdadeiro', 'falso'],
      ['ja', 'nee', 'waar', 'onwaar'],
      ['tak', 'nie', 'ja', 'nej'],
      ['да', 'нет', 'はい', 'いいえ'],
    ].flatMap((words) => words.map((word, i) => [`${word}.`, i % 2 === 0])) as [string, boolean][]),
    ['Nein, denn 3 ist ungerade.', false, 'denn 3 ist ungerade.'],
    ['Oui car 4 est pair', true, 'car 4 est pair'],
    ['Sì perché è pari', true, 'perché è pari'],
    ['Antwort: ja', true],
    ['« Oui »', true],
    ['Na\u0303o', false],
    ['"False."', false],
    ['```\nno\n```', false],
    ['Yes, because 4 is even.', true, 'because 4 is even.'],
    ['NO - it is odd', false, '- it is odd'],
    ['The answer is: yes', true],
    ['<think>no?</think>Answer: **Yes**, because 5 > 3.', true, 'because 5 > 3.'],
    ['<think>true?</think>\n<answer>false</answer>', false],
  ])('%j', (text, result, explanation) => {
    expect(readVerdict(text)).toEqual(
      explanation === undefined ? { result } : { result, explanation },
    );
  });

  test.each([
    '',
    'maybe',
    'No doubt it is true',
    'Yesterday',
    'Answer: no doubt',
    'Result: 1, 2 and 3',
    'The answer is 1.5',
    '{"result": "perhaps"}',
    '{"answer": "Rome"}',
    'Jawohl ist das so',
    'Non loin de Paris',
    'Nein danke',
    '2',
    '1.5',
    'It is true',
    '{"result": null}',
    '<think>true</think>',
    'nothing',
  ])('is not in %j', (text) => expect(readVerdict(text)).toBeUndefined());
});

describe('an object', () => {
  const read = (text: string, ...keys: string[]): string => {
    const { node, error } = readObject(text, keys);
    return node ? encode(valueOfNode(node)) : `${error?.line}:${error?.column} ${error?.message}`;
  };

  test.each<[string, string[], string]>([
    ['{"a":1}', ['a'], '{"a":1}'],
    ['so: {x} ```json\n{"a":"}"}\n```', ['a'], '{"a":"}"}'],
    ['{"b":1} and {"a":2}', ['a'], '{"a":2}'],
    ['{"b":1} and {"c":2}', ['a'], '{"b":1}'],
    ['[{"a":1}]', ['a'], '{"a":1}'],
    ['"{\\"a\\": 1}"', ['a'], '{"a":1}'],
    ['none', ['a'], '1:1 got only prose, want a JSON object'],
    ['[1,2]', ['a'], '1:1 got a list, want an object'],
    ['{"a": oops}', ['a'], '1:7 got oops, want a value'],
  ])('%j with %j', (text, keys, expected) => expect(read(text, ...keys)).toBe(expected));
});

test('the repairs are those of the object that was taken', () => {
  const { repairs } = readObject('{"b":1,} and {"a":2, "c": "cut', ['a']);
  expect(repairs.map((repair) => repair.code)).toEqual(['PV1010']);
});

test('the answer is what stands outside of the thinking', () => {
  expect(answerOf('<think>a</think> b ')).toBe('b');
  expect(answerOf('a</think>b')).toBe('b');
  expect(answerOf('<answer>a</answer> or <answer>b</answer> c')).toBe('b');
  expect(answerOf('<think>a')).toBe('');
});
