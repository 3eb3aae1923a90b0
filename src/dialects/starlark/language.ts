/** How Starlark is read, checked and compiled. */

import { unbundle } from '../bundled.ts';
import type { CompiledLanguage } from '../dialect.ts';
import { dialectFiles } from '../names.ts';
import { compile } from './compile/compile.ts';
import type { Loader } from './compile/linker.ts';
import { adviseOnNames, hostNames, resolveEnvironment } from './environment.ts';
import { checkLoads, type Files, parseFiles } from './loads.ts';
import { readAround } from './parse/all-errors.ts';
import { plan } from './parse/options.ts';
import { parse } from './parse/parser.ts';
import type { File } from './parse/syntax.ts';
import { checkNamespaces } from './resolve/namespaces.ts';
import { resolve } from './resolve/resolver.ts';
import { findSlips } from './resolve/slips.ts';

/** The first file and its text, since steps show their sources, and the files that it loads. */
export interface StarlarkTree {
  readonly file: File;
  readonly source: string;
  readonly files: Files;
}

/**
 * How the first line of a program begins, behind comments: prose and JSON begin otherwise. An
 * extension says it for sure; this is for what comes through a pipe.
 */
const firstLine = new RegExp(
  String.raw`^(?:[ \t]*(?:#[^\n]*|\r)?\n)*` +
    String.raw`(?:def |for |if |while |[\p{XIDS}_][\p{XIDC}.]*(?:\(|(?:, ?\p{XIDC}+)* ?=(?!=)))`,
  'u',
);

export const starlarkLanguage: CompiledLanguage<StarlarkTree> = {
  name: 'starlark',
  extensions: dialectFiles.starlark,
  detect: (text) => (firstLine.test(text) && parse(text, plan).errors.length === 0 ? 0.5 : 0),
  parse(text) {
    const { main, files } = unbundle(text);
    const { file, errors } = parse(main, plan);
    if (file && errors.length === 0) {
      return { tree: { file, source: main, files: parseFiles(files) }, diagnostics: errors };
    }
    const { errors: all, rest } = readAround(main, plan);
    if (!rest) return { diagnostics: all };
    return { tree: { file: rest, source: main, files: parseFiles(files) }, diagnostics: all };
  },
  check({ file, files, source }, environment) {
    const unresolved = resolve(file, resolveEnvironment(environment));
    return [
      ...adviseOnNames(unresolved, source, environment),
      ...checkNamespaces(file, environment),
      ...checkLoads(file, files, environment),
      ...findSlips(file, environment.tools, environment.open),
    ];
  },
  lower({ file, source, files }, environment) {
    const own = { options: plan, ...hostNames(environment) };
    const loader: Loader = (name) => {
      const found = files.get(name)?.file;
      return found
        ? { kind: 'file', name, file: found, ...own }
        : { kind: 'error', message: 'there is no such file beside the program' };
    };
    return compile(file, { ...own, source, loader });
  },
};
