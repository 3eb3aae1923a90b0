/** A whole transcript: the tree of a plan, whose end may stand in a line of its own. */
import { callOf } from '../llmcompiler/call.ts';
import type { CallItem, TextItem } from '../llmcompiler/item.ts';
import { type PlanTree, treeOf } from '../llmcompiler/plan.ts';
import { readItems } from '../llmcompiler/reader.ts';

export function readTranscript(text: string): PlanTree {
  const tree = treeOf(readItems(text));
  const answer = tree.items.findLast(({ kind }) => kind === 'answer') as TextItem | undefined;
  return tree.join || !answer ? tree : { ...tree, join: finish(answer, tree.tasks.length + 1) };
}

/** `Final Answer: 42` as `Finish[42]`. Whatever stands in the answer is text. */
function finish({ text, start, end, line, column }: TextItem, number: number): CallItem {
  const at = { line, column };
  const written = JSON.stringify(text).replaceAll('$', '\\$');
  return {
    ...{ kind: 'join', id: String(number), form: 'action', name: 'Finish', nameAt: at },
    ...{ ...callOf(`[${written}]`, at), thought: '', start, end, ...at },
  };
}
