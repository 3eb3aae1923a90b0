/**
 * Starlark: a small Python for programs that models write. Its calls of tools do not wait, so
 * independent ones run side by side without a word of the author.
 */
import type { Diagnostic } from '../../program/diagnostic.ts';
import { unpackPosition } from '../../program/program.ts';
import { tool } from '../../program/value.ts';
import type { Dialect, Environment } from '../dialect.ts';
import { programInReply } from '../reply.ts';
import { compile } from './compile.ts';
import { describeLanguage } from './describe.ts';
import { plan } from './options.ts';
import { parse } from './parser.ts';
import { resolve } from './resolver.ts';
import type { File, Load } from './syntax.ts';
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
  check: ({ file }, environment) => [
    ...resolve(file, resolveEnvironment(environment)),
    ...file.body.flatMap((node) => (node.kind === 'load' ? [noLoader(node)] : [])),
  ],
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

function noLoader({ module, moduleAt }: Load): Diagnostic {
  return {
    code: 'PV2331',
    severity: 'error',
    message: `cannot load ${module}: programs have no other files to load`,
    ...unpackPosition(moduleAt),
    hint: 'write what is needed into this file; json and math are there without load',
  };
}

function resolveEnvironment({ tools, inputs }: Environment): Parameters<typeof resolve>[1] {
  return {
    options: plan,
    predeclared: (name) => tools.has(name) || inputs.includes(name),
    universal: (name) => universe.has(name),
    names: [...tools.keys(), ...inputs, ...universe],
  };
}
