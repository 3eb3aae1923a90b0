/** Tasks of plans as data: nodes made and taken apart, tasks as values of the guest and back. */
import { describe, expect, it } from 'vitest';
import { decode, encode, fromJson, GuestValue } from '../../src/program/json.ts';
import {
  callTree,
  isNode,
  negationTree,
  numberNode,
  operationTree,
  readNode,
  refNode,
  type Task,
  taskOfValue,
  taskToValue,
  textNode,
} from '../../src/program/task.ts';
import { dict, list, tuple } from '../../src/program/value.ts';

const task: Task = {
  id: '3',
  tool: 'search',
  args: dict([
    ['query', textNode('capital of ', refNode(0, 'country'))],
    ['limit', numberNode(operationTree('*', refNode(1), 2))],
  ]),
  needs: ['1', '2'],
  thought: 'now the capital',
  source: '3. search("capital of $1.country", $2 * 2)',
  line: 4,
  column: 1,
};

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

describe('a task as a value', () => {
  it('comes back, also through a part of a stream', () => {
    expect(taskOfValue(taskToValue(task))).toEqual(task);
    const part = decode(encode(fromJson(new GuestValue(taskToValue(task)))));
    expect(taskOfValue(part)).toEqual(task);
  });

  it.each([
    ['no dict', list([])],
    ['a missing member', dict([['id', '1']])],
    ['needs that are no texts', fromJson({ ...task, args: {}, needs: [1] })],
    ['a line that is no number', fromJson({ ...task, args: {}, line: 'four' })],
  ])('is refused for %s', (_, value) => {
    expect(taskOfValue(value)).toBeUndefined();
  });
});
