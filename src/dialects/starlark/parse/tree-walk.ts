/** Every node of a tree, from the outside in and in the order of the text where that matters. */
import type { Expression, File, FunctionNode, Statement } from './syntax.ts';

export type AnyNode = Expression | Statement | FunctionNode;

/** What the resolver has added is no part of the text. */
const added: ReadonlySet<string> = new Set(['binding', 'frame', 'globals']);

/**
 * Calls `visit` for each node below the file, or for a node and each below it, and `leave` after
 * what is below a node; levels are bounded by the parser.
 */
export function walk(
  top: File | AnyNode,
  visit: (node: AnyNode) => void,
  leave?: (node: AnyNode) => void,
): void {
  const descend = (value: object): void => {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) descend(item);
      return;
    }
    const node = 'kind' in value ? (value as AnyNode) : undefined;
    if (node) visit(node);
    // Texts of loops have ten thousand nodes: a list of the entries of each costs as much again.
    for (const key in value) {
      const part: unknown = value[key as keyof typeof value];
      if (typeof part === 'object' && part !== null && !added.has(key)) descend(part);
    }
    if (node) leave?.(node);
  };
  descend(top.kind === 'file' ? top.body : top);
}
