/** A text of playbooks, compiled or not, read: what the dialect has of it. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { compilePlaybooks } from './compile/compile.ts';
import type { CompiledFile } from './compiled.ts';
import { readPlaybooks } from './source/read.ts';
import type { PlaybookFile } from './source/tree.ts';

export interface PlaybookTree {
  readonly file: PlaybookFile;
}

export function readTree(text: string): {
  readonly tree: PlaybookTree;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { file, diagnostics } = readPlaybooks(text);
  return { tree: { file }, diagnostics };
}

/** `tools` are those that lines may call; of a name alone no more is known than that it is one. */
export const compiledOf = (
  { file }: PlaybookTree,
  tools: Iterable<ToolSpec | string> = [],
): CompiledFile => compilePlaybooks(file, tools);
