/** What a host says about a module to evaluate, and what can be said about it before it runs. */
import { conformance, type Options, plan } from '../dialects/starlark/parse/options.ts';
import type { File } from '../dialects/starlark/parse/syntax.ts';
import { resolve } from '../dialects/starlark/resolve/resolver.ts';
import { conformanceUniverse, universe } from '../dialects/starlark/resolve/universe.ts';
import type { Diagnostic } from '../program/diagnostic.ts';
import type { Limits } from '../program/limits.ts';
import type { HostInput } from './host-value.ts';

/** Names, and what they stand for. */
export type Names = Readonly<Record<string, HostInput>> | ReadonlyMap<string, HostInput>;

export const entriesOf = (names: Names = {}): [string, HostInput][] =>
  names instanceof Map ? [...names] : Object.entries(names);

export interface EvaluateOptions {
  /** How far to go: `parse` and `resolve` find static errors and run nothing. Default: `exec`. */
  readonly mode?: 'parse' | 'resolve' | 'exec';
  /** What errors call the module. Default: `<module>`. */
  readonly file?: string;
  /** The line that the text starts on. Default: 1. */
  readonly firstLine?: number;
  /** The language of the specification, or with what models write besides. Default: `plan`. */
  readonly profile?: 'conformance' | 'plan';
  /** Options that differ from those of the profile. */
  readonly options?: Partial<Options>;
  /** Names that the host defines, and what they stand for. */
  readonly predeclared?: Names;
  /** The names that the language defines, where they are not those of the profile. */
  readonly universal?: readonly string[];
  /** Finds the modules of load statements. Default: there are none. */
  readonly load?: LoadModule;
  /** Takes the texts of `print`, in order. Default: they are dropped. */
  readonly print?: (text: string) => void;
  /** `instructions`, `valueBytes`, `memoryBytes`, `callDepth`. */
  readonly limits?: Partial<
    Pick<Limits, 'instructions' | 'valueBytes' | 'memoryBytes' | 'callDepth'>
  >;
}

/** What a name in a load statement stands for: a module's text, values, or why there is none. */
export type LoadedModule =
  | {
      readonly source: string;
      /** What errors call it, different for different modules. Default: the name it has there. */
      readonly file?: string;
      /** Default: those of the module that is evaluated. */
      readonly predeclared?: Names;
      readonly options?: Partial<Options>;
    }
  /** Such as the `globals` of another evaluation. */
  | { readonly globals: Names }
  | { readonly error: string };

/** `from` is the file of the load statement. What it throws is why there is no such module. */
export type LoadModule = (module: string, from: string) => LoadedModule;

export function optionsOf({ profile = 'plan', options }: EvaluateOptions): Options {
  return { ...(profile === 'plan' ? plan : conformance), ...options };
}

/** All static errors of a file. */
export function resolveFile(
  tree: File,
  options: Options,
  fileName: string,
  { profile = 'plan', predeclared = {}, universal }: EvaluateOptions,
): Diagnostic[] {
  const given = new Set(entriesOf(predeclared).map(([name]) => name));
  const known = universal
    ? new Set(universal)
    : profile === 'plan'
      ? universe
      : conformanceUniverse;
  return resolve(tree, {
    options,
    fileName,
    predeclared: (name) => given.has(name),
    universal: (name) => known.has(name),
    names: [...given, ...known],
  });
}
