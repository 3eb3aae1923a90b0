/** A whole transcript: the tree of a plan, whose end may stand in a line of its own. */
import { callScan, endCall, scanCall } from '../llmcompiler/call-scanner.ts';
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
  const scan = callScan();
  const written = JSON.stringify(text).replaceAll('$', '\\$');
  scanCall(scan, `[${written}`, 0);
  endCall(scan, written.length + 1, 1);
  const at = { line, column };
  return {
    ...{ kind: 'join', id: String(number), form: 'action', name: 'Finish', nameAt: at },
    call: { text: `[${written}]`, marks: scan.marks, at },
    ...{ thought: '', said: [], diagnostics: [], start, end, ...at },
  };
}
