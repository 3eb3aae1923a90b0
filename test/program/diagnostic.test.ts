/** The word that was meant. */
import { expect, test } from 'vitest';
import { nearest } from '../../src/program/diagnostic.ts';

const tools = ['search', 'send_mail', 'llm_generate', 'retrieve_embedded_chunks'];

test.each([
  ['serch', 'search'],
  ['SEARCH', 'search'],
  ['serach', 'search'],
  ['llm_genrate', 'llm_generate'],
  ['retrieve_embeded_chunk', 'retrieve_embedded_chunks'],
  ['SendMail', 'send_mail'],
  ['sned_mial', 'send_mail'],
])('%s means %s', (written, meant) => {
  expect(nearest(written, tools)).toBe(meant);
});

test.each(['', 'x', '_', 'calculate', 'send', 'SaveFile'])('%o means none of them', (written) => {
  expect(nearest(written, tools)).toBeUndefined();
});

test('of two that are equally near, the first; of none, none', () => {
  expect(nearest('cat', ['car', 'can'])).toBe('car');
  expect(nearest('cat', ['car', 'cat'])).toBe('cat');
  expect(nearest('cat', [])).toBeUndefined();
  expect(nearest('', ['', '_'])).toBeUndefined();
  expect(nearest('SaveFile', ['datetime'])).toBeUndefined();
});
