/** Which field of an object is meant where a text or a number is wanted. */
import { expect, test } from 'vitest';
import { type FieldKind, obviousField } from '../../src/program/retrieved-text.ts';

test.each<[Readonly<Record<string, FieldKind>>, string | undefined, string | undefined]>([
  [{}, undefined, undefined],
  [{ people: 'number' }, undefined, 'people'],
  [{ name: 'text' }, 'name', undefined],
  [{ names: 'other' }, undefined, undefined],
  [{ city: 'text', people: 'number' }, undefined, 'people'],
  [{ id: 'number', userId: 'number', people: 'number' }, undefined, 'people'],
  [{ id: 'number', name: 'text' }, undefined, undefined],
  [{ men: 'number', women: 'number' }, undefined, undefined],
  [{ text: 'text', revision: 'number', url: 'text' }, 'text', 'text'],
  [{ value: 'number', unit: 'text' }, 'value', 'value'],
  [{ text: 'text', value: 'number' }, undefined, undefined],
  [{ result: 'other', people: 'number' }, undefined, undefined],
])('of %j: %s as text, %s as a number', (fields, text, number) => {
  const kinds = new Map(Object.entries(fields));
  expect([obviousField(kinds, 'text'), obviousField(kinds, 'number')]).toEqual([text, number]);
});
