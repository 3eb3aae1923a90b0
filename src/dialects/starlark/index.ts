/**
 * Starlark: a small Python for programs that models write. Its calls of tools do not wait, so
 * independent ones run side by side without a word of the author.
 */
import { tool } from '../../program/value.ts';
import type { Dialect, Environment } from '../dialect.ts';
import { compile } from './compile.ts';
import { plan } from './options.ts';
import { parse } from './parser.ts';
import { resolve } from './resolver.ts';
import type { File } from './syntax.ts';
import { universe } from './universe.ts';

/** A file and its text: steps show their sources. */
export interface StarlarkTree {
  readonly file: File;
  readonly source: string;
}

export const starlark: Dialect<StarlarkTree> = {
  name: 'starlark',
  about: 'Starlark, a small Python; calls of tools run side by side.',
  extensions: ['.star'],
  detect: () => 0,
  parse(text) {
    const { file, errors } = parse(text, plan);
    return file && errors.length === 0
      ? { tree: { file, source: text }, diagnostics: errors }
      : { diagnostics: errors };
  },
  check: ({ file }, environment) => resolve(file, resolveEnvironment(environment)),
  lower: ({ file, source }, { tools }) =>
    compile(file, {
      options: plan,
      source,
      predeclared: (name) => (tools.has(name) ? tool(name) : undefined),
    }),
  describe: () =>
    'Starlark: Python without classes, exceptions and imports. Call tools as functions; ' +
    'answer(x) records x as the answer.',
};

function resolveEnvironment({ tools, inputs }: Environment): Parameters<typeof resolve>[1] {
  return {
    options: plan,
    predeclared: (name) => tools.has(name) || inputs.includes(name),
    universal: (name) => universe.has(name),
    names: [...tools.keys(), ...inputs, ...universe],
  };
}
