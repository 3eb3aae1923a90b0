/** Words: case, accents, ligatures and scripts without spaces, in files and queries alike. */
import { expect, test } from 'vitest';
import {
  anyOf,
  capitals,
  fold,
  nameKey,
  termsOf,
  wordsOf,
} from '../../../src/effects/retrieve/words.ts';

test.each([
  ['Les frontières de l’Espagne', ['les', 'frontieres', 'de', 'l', 'espagne']],
  ["Côte d'Ivoire", ['cote', 'd', 'ivoire']],
  ['cœur, Straße, Łódź', ['coeur', 'strasse', 'lodz']],
  ['e\u0301te\u0301', ['ete']],
  ['area_km2: 505,990', ['area', 'km2', '505', '990']],
  ['法国的邻国', ['法', '国', '的', '邻', '国']],
  ['"AND" NEAR(* -col:x)', ['and', 'near', 'col', 'x']],
  ['!?…', []],
])('the words of %s', (text, words) => expect(wordsOf(text)).toEqual(words));

test('names are one when they differ in case, accents and marks', () => {
  expect(nameKey('São  Tomé')).toBe(nameKey('sao-tome'));
  expect(nameKey('Spain')).not.toBe(nameKey('Spains'));
});

test('folding keeps what is no accent', () => {
  expect(fold('й ñ 2 +')).toBe('и n 2 +');
});

test('capitals line up with the words', () => {
  const text = 'Is it IT, or x̂y US?';
  expect(capitals(text)).toHaveLength(wordsOf(text).length);
  expect(wordsOf(text).filter((_, index) => capitals(text)[index])).toEqual(['it', 'us']);
});

test('terms leave function words out, unless there is nothing else', () => {
  expect(termsOf('Quelle est la capitale de l’Italie ?', 9).words).toEqual(['capitale', 'italie']);
  expect(termsOf('What is the capital of Italy?', 9).words).toEqual(['capital', 'italy']);
  expect(termsOf('The Who', 9).words).toEqual(['the', 'who']);
});

test('terms are distinct and bounded, and say how many were left', () => {
  expect(termsOf('red red green blue', 2)).toEqual({ words: ['red', 'green'], left: 1 });
});

test('an expression quotes every word', () => {
  expect(anyOf(['and', 'near'])).toBe('"and" OR "near"');
});
