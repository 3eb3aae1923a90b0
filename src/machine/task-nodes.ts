/** The nodes among the arguments of a task: found, taken apart, and refused where they are none. */
import { depthMax } from '../program/json.ts';
import {
  everyElement,
  isNode,
  type NumberTree,
  type RefNode,
  readNode,
  type TaskNode,
} from '../program/task.ts';
import type { Tuple, Value } from '../program/value.ts';
import { faults } from './values/code-names.ts';
import { Fault } from './values/fault.ts';
import { nestingFault } from './values/pendings.ts';

/**
 * Refuses what has the head of a node and is none, or names a result that was not given. True where
 * a reference goes through all elements of a list.
 */
export function checkNodes(args: Value, results: number): boolean {
  let isStarred = false;
  for (const ref of refsIn(args)) {
    if (ref.index >= results) {
      throw new Fault(
        faults.taskNode,
        `task: got a reference to result ${ref.index}, but ${results} results`,
        'results are counted from 0: task(tool, {"x": ("ref", 0)}, first)',
      );
    }
    const stars = ref.path.filter((key) => key === everyElement).length;
    isStarred ||= stars > 0;
    if (stars > 1) {
      throw new Fault(
        faults.taskNode,
        'task: got a reference with several *, want one at most',
        'let another task make one list of them',
      );
    }
  }
  return isStarred;
}

/** Every reference in a value, in its order, also those within nodes. Refuses a circle. */
export function refsIn(value: Value): RefNode[] {
  const found: RefNode[] = [];
  gather(value, found, 0);
  return found;
}

function gather(value: Value, found: RefNode[], depth: number): void {
  if (value === null || typeof value !== 'object') return;
  if (depth > depthMax) throw nestingFault();
  if (value.kind === 'dict') {
    for (const slot of value.slots) if (slot) gather(slot[1], found, depth + 1);
  } else if (isNode(value)) refsOfNode(nodeOf(value), found);
  else if (value.kind === 'list' || value.kind === 'tuple') {
    for (const item of value.items) gather(item, found, depth + 1);
  }
}

/** A node taken apart. Throws PV3703. */
export function nodeOf(value: Tuple): TaskNode {
  const node = readNode(value);
  if (node) return node;
  throw new Fault(
    faults.taskNode,
    `task: got a malformed ${JSON.stringify(value.items[0])} node among the arguments`,
    'a node is ("ref", index, key…), ("text", piece…), ("number", tree) or ("list", ref, texts)',
  );
}

function refsOfNode(node: TaskNode, found: RefNode[]): void {
  if (node.kind === 'ref') found.push(node);
  else if (node.kind === 'list') found.push(node.of);
  else if (node.kind === 'number') refsOfTree(node.tree, found);
  else for (const piece of node.pieces) if (typeof piece !== 'string') found.push(piece);
}

function refsOfTree(tree: NumberTree, found: RefNode[]): void {
  switch (tree.kind) {
    case 'literal':
      return;
    case 'ref':
      found.push(tree);
      return;
    case 'negation':
      refsOfTree(tree.of, found);
      return;
    case 'operation':
      refsOfTree(tree.left, found);
      refsOfTree(tree.right, found);
      return;
    case 'call':
      for (const arg of tree.args) refsOfTree(arg, found);
  }
}
