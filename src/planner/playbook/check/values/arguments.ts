/** The arguments of a call that a model has written, by the names of the callee's parameters. */
import { counted } from '../../../../program/counted.ts';
import { nearest } from '../../../../program/diagnostic.ts';
import { parameterName } from '../../../../program/parameter-names.ts';
import { writtenTerm } from '../../reply/forms/syntax.ts';
import type { SaidCall } from '../../reply/said.ts';
import { type Expr, type Term, textTerm, writtenText } from '../../reply/term.ts';
import { unquoted } from './declared.ts';
import type { Callee } from './directory.ts';

export type Bound =
  | { readonly ok: true; readonly args: Readonly<Record<string, Expr>> }
  | { readonly ok: false; readonly problem: string };

/** Throws what `resolve` throws. */
export function bind(
  callee: Callee,
  said: SaidCall,
  resolve: (term: Term, parameter: string) => Expr,
): Bound {
  const { parameters, isOpen, name } = callee;
  const known = parameters.map((one) => one.name);
  const { args, named, beside = {} } = apart(said, known);
  if (args.length > known.length) {
    const problem = `${name} takes ${counted(known.length, 'argument')}, got ${args.length}`;
    return { ok: false, problem };
  }
  const given: Record<string, Term> = {};
  for (const [index, term] of args.entries()) given[known[index] ?? ''] = term;
  for (const [written, term] of Object.entries(named)) {
    const key = callee.spec ? parameterName(callee.spec.parameters, written) : written;
    if (!known.includes(key) && !isOpen) {
      const near = nearest(key, known);
      const hint = near === undefined ? listed(known) : `did you mean ${near}?`;
      return { ok: false, problem: `${name} has no parameter ${key} (${hint})` };
    }
    if (given[key]) return { ok: false, problem: `${name} is given ${key} twice` };
    given[key] = term;
  }
  for (const [key, term] of Object.entries(beside)) {
    if (known.includes(key)) given[key] ??= term;
  }
  const missing = parameters.filter((one) => one.isRequired && !given[one.name]);
  if (missing.length > 0) {
    const words = missing.map((one) => one.name).join(', ');
    return { ok: false, problem: `${name} is called without ${words} (${listed(known)})` };
  }
  const bound = Object.entries(given).map(([key, term]) => [key, resolve(term, key)] as const);
  return { ok: true, args: Object.fromEntries(bound) };
}

/** Where all arguments are one text that gives each to its parameter, `who=Ann, n=2`, they are. */
function apart(said: SaidCall, known: readonly string[]): SaidCall {
  const [only, more] = said.args;
  const text = only && !more ? (writtenText(only) ?? '') : '';
  const begun = text.split(new RegExp(String.raw`(?:^|[,;]|\s)\s*(${wordPattern})\s*=(?!=)`, 'u'));
  const [before = '', ...rest] = begun;
  const pairs = rest.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rest[at + 1] ?? ''] as const] : [],
  );
  const names = new Set(pairs.map(([name]) => name));
  const isAll = names.size === pairs.length && [...names].every((name) => known.includes(name));
  const isBare = before.trim() === '' && Object.keys(said.named).length === 0;
  if (pairs.length === 0 || !isAll || !isBare) return said;
  const values = pairs.map(([name, value]) => [name, written(value.trim())] as const);
  return { ...said, args: [], named: Object.fromEntries(values) };
}

const wordPattern = String.raw`\p{XIDS}\p{XIDC}*`;

/** A value as it is written in code, else the words that it is. */
const written = (text: string): Term => {
  const isCode = /^(?:["'[{$]|-?\d|(?:true|false|null|none)$)/i.test(text);
  return (isCode ? writtenTerm(text) : undefined) ?? textTerm(text);
};

/** As a tool takes them: a number, or a truth, that is written as a text. */
export function asTaken(
  { kind, parameters }: Callee,
  args: Readonly<Record<string, Expr>>,
): typeof args {
  if (kind !== 'tool') return args;
  const types = new Map(parameters.map(({ name, type }) => [name, type]));
  const taken = Object.entries(args).map(
    ([name, value]) => [name, unquoted(value, types.get(name))] as const,
  );
  return Object.fromEntries(taken);
}

const listed = (known: readonly string[]): string =>
  known.length === 0 ? 'it has no parameters' : `its parameters: ${known.join(', ')}`;
