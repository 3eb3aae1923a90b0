/** A text of playbooks, compiled or not, read: what the dialect has of it. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { bundled, unbundle } from '../bundled.ts';
import type { CompiledFile } from './compiled/compiled.ts';
import { detectPlaybooks } from './detect.ts';
import { isCompiled, readCompiled } from './pbasm/read-compiled.ts';
import { readPlaybooks } from './source/read.ts';
import type { PlaybookFile } from './source/tree.ts';
import { compilePlaybooks } from './steps/compile.ts';

/** `compiled` is present where the text is that of a compiled file. */
export interface PlaybookTree {
  readonly file: PlaybookFile;
  readonly compiled?: CompiledFile;
}

export function readTree(source: string): {
  readonly tree: PlaybookTree;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { main, files } = source.includes('!import')
    ? unbundle(source)
    : { main: source, files: new Map<string, string>() };
  const text = bundled(withoutFence(main), files);
  const { file, diagnostics } = readPlaybooks(text);
  if (!isCompiled(file)) return { tree: { file }, diagnostics };
  const { compiled, diagnostics: all } = readCompiled(text);
  return { tree: { file, compiled }, diagnostics: all };
}

/** A whole file in a fence, as replies of models are saved; lines stay where they are. */
function withoutFence(text: string): string {
  const [, before = '', mark = '', inside = ''] =
    /^(\s*)(`{3,}|~{3,})(?:markdown|md|playbook|pbasm)?[ \t]*\r?\n([\s\S]*)\n\2\s*$/.exec(text) ??
    [];
  return mark === '' || detectPlaybooks(inside) === 0 ? text : `${before}\n${inside}\n`;
}

/** `tools` are those that steps may call; of a name alone no more is known than that it is one. */
export const compiledOf = (
  { file, compiled }: PlaybookTree,
  tools: Iterable<ToolSpec | string> = [],
): CompiledFile => compiled ?? compilePlaybooks(file, tools);
