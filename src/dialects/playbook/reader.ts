/** Reads, compiles and checks a text of playbooks, which may be compiled already. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { Environment, Parsed } from '../dialect.ts';
import { checkCompiled } from './check/check.ts';
import { compilePlaybooks } from './compile/compile.ts';
import type { CompiledFile } from './compiled.ts';
import { isCompiled, readCompiled } from './pbasm/read.ts';
import { readPlaybooks } from './source/read.ts';
import type { PlaybookFile } from './source/tree.ts';

export interface PlaybookTree {
  readonly file: PlaybookFile;
}

/** `own` gives compiled lines their places in the text itself, not those in their source. */
export function readTree(
  text: string,
  places: 'own' | 'source' = 'source',
): {
  readonly tree: PlaybookTree;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { file, diagnostics } = readPlaybooks(text);
  if (!isCompiled(file)) return { tree: { file }, diagnostics };
  const read = readCompiled(file, text, places);
  return { tree: { file: read.file }, diagnostics: [...diagnostics, ...read.diagnostics] };
}

/** `tools` are those that lines may call; of a name alone no more is known than that it is one. */
export const compiledOf = (
  { file }: PlaybookTree,
  tools: Iterable<ToolSpec | string> = [],
): CompiledFile => compilePlaybooks(file, tools);

export function parsePlaybooks(text: string): Parsed<PlaybookTree> {
  const { tree, diagnostics } = readTree(text, 'own');
  return { tree, diagnostics: [...diagnostics] };
}

export const checkPlaybooks = (tree: PlaybookTree, environment: Environment): Diagnostic[] =>
  checkCompiled(compiledOf(tree, environment.tools.values()), environment);
