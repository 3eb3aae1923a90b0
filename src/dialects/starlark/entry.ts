/**
 * What a person enters piece by piece: when a piece is whole, and the program that goes on with it
 * where the pieces before have ended.
 */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Program } from '../../program/program.ts';
import type { Environment } from '../dialect.ts';
import { compile } from './compile/compile.ts';
import { adviseOnNames, hostNames, resolveEnvironment } from './environment.ts';
import { checkLoads } from './loads.ts';
import { plan } from './parse/options.ts';
import { parse } from './parse/parser.ts';
import { checkNamespaces } from './resolve/namespaces.ts';
import { resolve } from './resolve/resolver.ts';
import { findSlips } from './resolve/slips.ts';

/**
 * - `open`: the text ends in the middle: in brackets, in a string, before the body of a block.
 * - `block`: it is whole, and ends in a block that more lines could belong to.
 * - `wrong`: no further text makes a program of it.
 */
export type EntryState = 'open' | 'block' | 'whole' | 'wrong';

export function entryState(text: string): EntryState {
  const { file, errors } = parse(text, plan);
  const [error] = errors;
  if (error) return /\b(end of file|EOF)\b/.test(error.message) ? 'open' : 'wrong';
  const last = file?.body.at(-1)?.kind ?? '';
  return ['def', 'if', 'for', 'while'].includes(last) ? 'block' : 'whole';
}

export interface EntryOptions {
  /** The program so far. */
  readonly before?: Program | undefined;
  /** What back-traces call the entry. */
  readonly fileName: string;
}

/** The channel on which a program of entries releases the text of what an expression gives. */
export const valueChannel = 'value';

/** The program that has the entry at its end; none where something is wrong with it. */
export function compileEntry(
  text: string,
  environment: Environment,
  { before, fileName }: EntryOptions,
): { readonly program?: Program; readonly diagnostics: readonly Diagnostic[] } {
  const { file, errors } = parse(text, plan);
  if (!file || errors.length > 0) return { diagnostics: errors };
  const globals = (before?.globals ?? []).map((name) => ({ name, at: 0 }));
  const known = { ...resolveEnvironment(environment), globals };
  const wrong = [
    ...adviseOnNames(resolve(file, known), text, environment),
    ...checkNamespaces(file, environment),
    ...checkLoads(file, new Map(), environment),
  ];
  const diagnostics = [...wrong, ...findSlips(file, environment.tools)];
  if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics };
  const program = compile(file, {
    options: plan,
    source: text,
    ...hostNames(environment),
    entry: { before, channel: valueChannel },
    fileName,
  });
  return { program, diagnostics };
}
