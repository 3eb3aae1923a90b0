/** A text of playbooks, compiled or not, read: what the dialect has of it. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import { compilePlaybooks } from './compile.ts';
import type { CompiledFile } from './compiled.ts';
import { readPlaybooks } from './read.ts';
import { isCompiled, readCompiled } from './read-compiled.ts';
import type { PlaybookFile } from './tree.ts';

/** `compiled` is present where the text is that of a compiled file. */
export interface PlaybookTree {
  readonly file: PlaybookFile;
  readonly compiled?: CompiledFile;
}

export function readTree(text: string): {
  readonly tree: PlaybookTree;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { file, diagnostics } = readPlaybooks(text);
  if (!isCompiled(file)) return { tree: { file }, diagnostics };
  const { compiled, diagnostics: all } = readCompiled(text);
  return { tree: { file, compiled }, diagnostics: all };
}

/** `tools` are the names of those that steps may call. */
export const compiledOf = (
  { file, compiled }: PlaybookTree,
  tools: Iterable<string> = [],
): CompiledFile => compiled ?? compilePlaybooks(file, tools);
