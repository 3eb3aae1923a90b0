/** What can be said about the load statements of a program before it runs. */
import { type Diagnostic, nearest } from '../../program/diagnostic.ts';
import type { Environment } from '../dialect.ts';
import { resolveEnvironment } from './environment.ts';
import { plan } from './parse/options.ts';
import { type ParsedFile, parse } from './parse/parser.ts';
import type { File, Load, LoadItem, Position } from './parse/syntax.ts';
import { diagnostic } from './parse/syntax-error.ts';
import { checkNamespaces } from './resolve/namespaces.ts';
import { resolve } from './resolve/resolver.ts';

/** The files of a program besides the first, by the names they are loaded by. */
export type Files = ReadonlyMap<string, ParsedFile>;

export const parseFiles = (texts: ReadonlyMap<string, string>): Files =>
  new Map([...texts].map(([name, text]) => [name, parse(text, plan)]));

/** Errors of files that are loaded stand at the load statement of the first file. */
export function checkLoads(main: File, files: Files, environment: Environment): Diagnostic[] {
  const known = new Map<string, string | undefined>();
  const open: string[] = [];
  /** Why a module cannot be loaded, if it cannot. */
  const problem = (name: string): string | undefined => {
    if (open.includes(name)) return 'cycle in load graph';
    if (known.has(name)) return known.get(name);
    open.push(name);
    const found = problemOf(name);
    open.pop();
    known.set(name, found);
    return found;
  };
  const problemOf = (name: string): string | undefined => {
    const parsed = files.get(name);
    if (!parsed) return 'there is no such file beside the program';
    const [first] = parsed.file
      ? [
          ...resolve(parsed.file, resolveEnvironment(environment)),
          ...checkNamespaces(parsed.file, environment),
          ...loadsOf(parsed.file).flatMap((node) => inspect(node)),
        ]
      : parsed.errors;
    return first && `${name}:${first.line}:${first.column}: ${first.message}`;
  };
  const inspect = (node: Load): Diagnostic[] => {
    const why = problem(node.module);
    if (why !== undefined) return [refusal(node.moduleAt, node.module, why)];
    const names = files.get(node.module)?.file?.globals.map(({ name }) => name) ?? [];
    return node.items
      .filter(({ from }) => !names.includes(from))
      .map((item) => missing(item, node.module, names));
  };
  return loadsOf(main).flatMap(inspect);
}

const loadsOf = ({ body }: File): Load[] => body.filter((node) => node.kind === 'load');

const refusal = (at: Position, module: string, why: string): Diagnostic =>
  diagnostic('PV2331', at, `cannot load ${module}: ${why}`, {
    hint: 'files stand beside the program or below it; json and math are there without load',
  });

function missing({ at, from }: LoadItem, module: string, names: readonly string[]): Diagnostic {
  const shown = names.filter((name) => !name.startsWith('_'));
  const near = nearest(from, shown);
  const guess = near === undefined ? '' : ` (did you mean ${near}?)`;
  return diagnostic('PV2325', at, `load: name ${from} not found in module ${module}${guess}`, {
    hint: shown.length === 0 ? undefined : `it has ${shown.join(', ')}`,
  });
}
