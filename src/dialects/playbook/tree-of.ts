/** A text of playbooks, compiled or not, read: what the dialect has of it. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { CompiledFile } from './compiled/compiled.ts';
import { isCompiled, readCompiled } from './pbasm/read-compiled.ts';
import { readPlaybooks } from './source/read.ts';
import type { PlaybookFile } from './source/tree.ts';
import { compilePlaybooks } from './steps/compile.ts';

/** `compiled` is present where the text is that of a compiled file. */
export interface PlaybookTree {
  readonly file: PlaybookFile;
  readonly compiled?: CompiledFile;
}

/** `own` gives what is compiled the lines of the text itself, not those of what it is made of. */
export function readTree(
  text: string,
  lines: 'own' | 'source' = 'source',
): {
  readonly tree: PlaybookTree;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { file, diagnostics } = readPlaybooks(text);
  if (!isCompiled(file)) return { tree: { file }, diagnostics };
  const { compiled, diagnostics: all } = readCompiled(text, lines);
  return { tree: { file, compiled }, diagnostics: all };
}

/** `tools` are those that steps may call; of a name alone no more is known than that it is one. */
export const compiledOf = (
  { file, compiled }: PlaybookTree,
  tools: Iterable<ToolSpec | string> = [],
): CompiledFile => compiled ?? compilePlaybooks(file, tools);
