/** How large a sample is by which it is decided whether all of a text has to be read. */
import { expect, test } from 'vitest';
import { documentsOf } from '../../../src/effects/digest/document.ts';
import { passagesOf, sampled } from '../../../src/effects/digest/sample.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

function drawn(paragraphs: number, most: number) {
  const text = Array.from({ length: paragraphs }, (_, i) => `${i}. ${'word '.repeat(390)}`);
  const on = {
    documents: documentsOf([{ text: text.join('\n\n'), source: '' }]),
    ...{ model: scriptedModel(() => '').model, settings: {}, notes: new Map() },
    ...{ instruction: 'Count them.', goal: '', seed: 'seed', most },
  };
  return { all: passagesOf(on, [1]).length, sample: sampled(on, [1]).length };
}

test('a sample grows with the text, one passage in five, between bounds', () => {
  const few = drawn(4, 1e6);
  expect(few.sample).toBe(Math.min(5, few.all));
  const some = drawn(60, 1e6);
  expect(some.sample).toBe(Math.ceil(some.all / 5));
  expect(some.sample).toBeGreaterThan(5);
  expect(drawn(600, 1e6).sample).toBe(30);
});

test('a sample takes no more than half of what a call may send', () => {
  expect(drawn(600, 8000).sample).toBe(10);
});
