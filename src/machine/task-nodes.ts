/** The nodes among the arguments of a task: found, taken apart, and refused where they are none. */
import {
  everyElement,
  isNode,
  type NumberTree,
  type RefNode,
  readNode,
  type TaskNode,
} from '../program/task.ts';
import type { Tuple, Value } from '../program/value.ts';
import { faults } from './codes.ts';
import { Fault } from './fault.ts';

/**
 * Refuses what has the head of a node and is none, or names a result that was not given. True where
 * a reference goes through all elements of a list.
 */
export function checkNodes(args: Value, results: number): boolean {
  if (results === 0 && !hasNodes(args)) return false;
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

/** Whether there are any, well-formed or not. */
function hasNodes(value: Value): boolean {
  if (value === null || typeof value !== 'object') return false;
  switch (value.kind) {
    case 'list':
      return value.items.some(hasNodes);
    case 'tuple':
      return isNode(value) || value.items.some(hasNodes);
    case 'dict':
      return value.slots.some((slot) => slot !== undefined && hasNodes(slot[1]));
    default:
      return false;
  }
}

/** Every reference in a value, also those within nodes. */
export function refsIn(value: Value): RefNode[] {
  const found: RefNode[] = [];
  const queue: Value[] = [value];
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    if (item === null || typeof item !== 'object') continue;
    if (isNode(item)) refsOfNode(nodeOf(item), found);
    else if (item.kind === 'list' || item.kind === 'tuple') queue.push(...item.items);
    else if (item.kind === 'dict') {
      for (const slot of item.slots) if (slot) queue.push(slot[1]);
    }
  }
  return found;
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
