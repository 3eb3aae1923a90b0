/** Tasks of plans as data: nodes made and taken apart. */
import { describe, expect, it } from 'vitest';
import { decode, encode, fromJson } from '../../src/program/json.ts';
import {
  callTree,
  isNode,
  negationTree,
  numberNode,
  operationTree,
  readNode,
  refNode,
  textNode,
} from '../../src/program/task.ts';
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
    const tree = operationTree('**', negationTree(refNode(0)), callTree('max', 1, refNode(1)));
    expect(readNode(numberNode(tree))).toEqual({
      kind: 'number',
      tree: {
        kind: 'operation',
        op: '**',
        left: { kind: 'negation', of: { kind: 'ref', index: 0, path: [] } },
        right: {
          kind: 'call',
          name: 'max',
          args: [
            { kind: 'literal', value: 1 },
            { kind: 'ref', index: 1, path: [] },
          ],
        },
      },
    });
  });

  it.each([
    ['a ref without an index', tuple(['ref'])],
    ['a ref with a negative index', tuple(['ref', -1])],
    ['a key that is neither text nor position', tuple(['ref', 0, null])],
    ['a piece that is no text', tuple(['text', 3])],
    ['a tree with an unknown operator', tuple(['number', tuple(['<<', 1, 2])])],
    ['a tree with one operand', tuple(['number', tuple(['+', 1])])],
    ['a tree with an unknown function', tuple(['number', callTree('eval', 1)])],
    ['a tree that is text', tuple(['number', '1'])],
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
