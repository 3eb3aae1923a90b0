/**
 * Starlark: a small Python for programs that models write. Its calls of tools do not wait, so
 * independent ones run side by side without a word of the author.
 */
import { tool } from '../../program/value.ts';
import type { Dialect } from '../dialect.ts';
import { programInReply } from '../reply.ts';
import { compile } from './compile.ts';
import { describeLanguage } from './describe.ts';
import { refuseLoads, resolveEnvironment } from './environment.ts';
import { plan } from './options.ts';
import { parse } from './parser.ts';
import { resolve } from './resolver.ts';
import { findSlips } from './slips.ts';
import type { File } from './syntax.ts';

/** A file and its text: steps show their sources. */
export interface StarlarkTree {
  readonly file: File;
  readonly source: string;
}

/**
 * How the first line of a program begins, behind comments: prose and JSON begin otherwise. An
 * extension says it for sure; this is for what comes through a pipe.
 */
const firstLine =
  /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:def |for |if |while |[A-Za-z_][\w.]*(?:\(|(?:, ?\w+)* ?=(?!=)))/;

export const starlark: Dialect<StarlarkTree> = {
  name: 'starlark',
  about: 'Starlark, a small Python; calls of tools run side by side.',
  extensions: ['.star'],
  detect: (text) => (firstLine.test(text) && parse(text, plan).errors.length === 0 ? 0.5 : 0),
  parse(text) {
    const { file, errors } = parse(text, plan);
    return file && errors.length === 0
      ? { tree: { file, source: text }, diagnostics: errors }
      : { diagnostics: errors };
  },
  check({ file }, environment) {
    const wrong = [...resolve(file, resolveEnvironment(environment)), ...refuseLoads(file)];
    return [...wrong, ...findSlips(file, environment.tools)];
  },
  lower: ({ file, source }, { tools }) =>
    compile(file, {
      options: plan,
      source,
      predeclared: (name) => (tools.has(name) ? tool(name) : undefined),
    }),
  describe: describeLanguage,
  fence: 'starlark',
  find: (reply) => programInReply(reply, /^[ \t]*(def [\w]+\(|for .+:$|[\w.]+\(|[\w, ]+=(?!=))/m),
};
