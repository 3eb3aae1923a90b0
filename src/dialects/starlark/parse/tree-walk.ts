/** Every node of a tree, from the outside in and in the order of the text where that matters. */
import type { Expression, File, FunctionNode, Statement } from './syntax.ts';

export type AnyNode = Expression | Statement | FunctionNode;

/** What the resolver has added is no part of the text. */
const added: ReadonlySet<string> = new Set(['binding', 'frame', 'globals']);

/**
 * Calls `visit` for each node below the file, or for a node and each below it; levels are bounded
 * by the parser.
 */
export function walk(top: File | AnyNode, visit: (node: AnyNode) => void): void {
  const descend = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) descend(item);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if ('kind' in value) visit(value as AnyNode);
    for (const [key, part] of Object.entries(value)) {
      if (!added.has(key) && typeof part === 'object') descend(part);
    }
  };
  descend(top.kind === 'file' ? top.body : top);
}
