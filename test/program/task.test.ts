/** Tasks of plans as data: nodes made and taken apart. */
import { describe, expect, it } from 'vitest';
import { decode, encode, fromJson } from '../../src/program/json.ts';
import { isNode, numberNode, readNode, refNode, textNode } from '../../src/program/task.ts';
import { tuple } from '../../src/program/value.ts';

describe('nodes', () => {
  it('are taken apart into what they were made of', () => {
    expect(readNode(refNode(2, 'a', -1, '*'))).toEqual({
      kind: 'ref',
      index: 2,
      path: ['a', -1, '*'],
    });
    expect(readNode(textNode('a', refNode(0)))).toEqual({
      kind: 'text',
      pieces: ['a', { kind: 'ref', index: 0, path: [] }],
    });
    expect(readNode(numberNode('-', refNode(0), ' * 2'))).toEqual({
      kind: 'number',
      pieces: ['-', { kind: 'ref', index: 0, path: [] }, ' * 2'],
    });
  });

  it.each([
    ['a ref without an index', tuple(['ref'])],
    ['a ref with a negative index', tuple(['ref', -1])],
    ['a key that is neither text nor position', tuple(['ref', 0, null])],
    ['a piece that is no text', tuple(['text', 3])],
    ['a piece that is a number', tuple(['number', 1])],
    ['arithmetic with a reference in its text', tuple(['number', '$0 * 2', refNode(0)])],
  ])('say so of %s', (_, node) => {
    expect(isNode(node)).toBe(true);
    expect(readNode(node)).toBeUndefined();
  });

  it('are not what JSON makes, nor other tuples', () => {
    expect(isNode(fromJson(['ref', 0]))).toBe(false);
    expect(isNode(fromJson({ $tuple: ['ref', 0] }))).toBe(false);
    expect(isNode(decode(encode(fromJson({ $tuple: ['ref', 0] }))))).toBe(false);
    expect(isNode(tuple(['refer', 0]))).toBe(false);
  });
});
