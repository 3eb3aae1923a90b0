/**
 * Values as a model writes them in a turn: data with references to variables in it. `Term` is what
 * was written, before anybody has looked at which variables there are; `Expr` is what the loop
 * gets, with every reference resolved to a scope.
 */
import { readFilling } from '../../../dialects/playbook/text/filling.ts';
import type { Operator } from '../../../dialects/playbook/text/operators.ts';
import { stateNames } from '../../../dialects/playbook/text/variables.ts';
import { GuestValue } from '../../../program/json.ts';
import type { JsonNode } from '../../../program/json-node.ts';
import { namePattern } from '../../../program/name.ts';
import { float } from '../../../program/value.ts';

export type Scope = 'local' | 'state';

export type Expr =
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'ref'; readonly name: string; readonly scope: Scope; readonly path: Path }
  | { readonly is: 'text'; readonly parts: readonly (string | Expr)[] }
  | { readonly is: 'operation'; readonly op: Operator; readonly of: readonly Expr[] }
  | { readonly is: 'list'; readonly items: readonly Expr[] }
  | { readonly is: 'dict'; readonly items: Readonly<Record<string, Expr>> };

export type Path = readonly (string | number)[];

/** A name as it was written. */
export interface Name {
  readonly name: string;
  /** Whether it had a `$`. */
  readonly sign: boolean;
  /** Where the form says it, as `self.state.x` does. */
  readonly scope?: Scope;
}

export interface Reference {
  readonly is: 'ref';
  readonly to: Name;
  readonly path: Path;
  /** As it stands in the text, which it stays where no such variable is and `sure` is false. */
  readonly written: string;
  readonly sure: boolean;
}

/** An expression between braces, `{$price * 2}`, or braces that are none where one is due. */
export type Filled =
  | { readonly is: 'filled'; readonly written: string; readonly of: Term }
  | { readonly is: 'unfilled'; readonly written: string; readonly problem: string };

export type TextPart = string | Reference | Filled;

export type Term =
  | { readonly is: 'value'; readonly value: unknown }
  | Reference
  | { readonly is: 'text'; readonly parts: readonly TextPart[] }
  | { readonly is: 'operation'; readonly op: Operator; readonly of: readonly Term[] }
  | { readonly is: 'list'; readonly items: readonly Term[] }
  | { readonly is: 'dict'; readonly items: Readonly<Record<string, Term>> };

export interface CallTerm {
  readonly is: 'call';
  readonly callee: string;
  readonly args: readonly Term[];
  readonly named: Readonly<Record<string, Term>>;
  /** What is meant where nobody is called so: `$name.upper()` is a method of a text. */
  readonly or?: Term;
}

export const nothing: Term & Expr & { readonly is: 'value' } = { is: 'value', value: null };

const path = String.raw`((?:\.\p{XIDC}+|\[(?:\d+|"[^"\]]*"|'[^'\]]*')\])*)`;
const alone = new RegExp(String.raw`^(\$|\{\$)(${namePattern})${path}(\}?)$`, 'u');
const within = new RegExp(
  String.raw`\$\$|\{(\$?)(${namePattern})${path}\}|(\{[^{}]+\})|\$(${namePattern})`,
  'gu',
);

/** Braces as templates have them: `{{$x}}`. */
const doubled = new RegExp(
  String.raw`\{\{\s*(\$${namePattern}${path.replace('(', '(?:')})\s*\}\}`,
  'gu',
);

/**
 * `"$x"`, `"{$x}"` and `"{$x + 1}"` alone are references and expressions, `{$x}` in a text is
 * filled in, `$$` is a dollar.
 */
export function textTerm(written: string): Term {
  const text = shown(stateAlone.test(written) ? ofState(written) : written);
  const only = alone.exec(text);
  if (only && (only[1] === '{$') === (only[4] === '}')) {
    return reference(text, { name: only[2] ?? '', sign: true }, only[3], true);
  }
  return partsTerm(piecesOf(text));
}

const ofAgent = new RegExp(
  [
    String.raw`\bself\.state\[\s*["']\$?(\p{XIDC}+)["']\s*\]`,
    String.raw`\bself\.(?:state\.)?\$?(?=\p{XIDS})`,
    String.raw`("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`,
  ].join('|'),
  'gu',
);

/** `self.state.x`, `self.state["x"]` and `self.x`, as code of late 2025 has them, as `$x`. */
export const ofState = (source: string): string =>
  source.replace(ofAgent, (_, name, literal) => literal ?? `$${name ?? ''}`);

/** Nobody means the words of it: a text may be of anything else that `self` has. */
const ofStateInBraces = /\{[^{}]*\bself\.state\b[^{}]*\}/g;
const stateAlone = new RegExp(String.raw`^self\.state\.${namePattern}${path}$`, 'u');

/** What pieces of a text are together. */
export function partsTerm(pieces: readonly TextPart[]): Term {
  const parts = joined(pieces);
  const [first, more] = parts;
  if (typeof first === 'object' && first.is === 'ref' && first.sure && more === undefined) {
    return first;
  }
  if (typeof first === 'object' && first.is === 'filled' && more === undefined) {
    if (refsIn(first.of).every(({ sure }) => sure)) return first.of;
  }
  if (parts.every((part) => typeof part === 'string'))
    return { is: 'value', value: parts.join('') };
  return { is: 'text', parts };
}

/** Texts beside each other are one. */
function joined(pieces: readonly TextPart[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (piece === '') continue;
    if (typeof piece === 'string' && typeof last === 'string')
      parts[parts.length - 1] = last + piece;
    else parts.push(piece);
  }
  return parts;
}

export const partsOf = (written: string): readonly TextPart[] => piecesOf(shown(written));

/** With what stands between braces in one way. */
const shown = (written: string): string =>
  written.replace(ofStateInBraces, ofState).replace(doubled, '{$1}');

function piecesOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  const add = (...more: readonly TextPart[]): void => {
    parts.push(...more);
  };
  for (const found of text.matchAll(within)) {
    const [all, sign, braced, rest, computed, bare] = found;
    add(text.slice(from, found.index));
    from = found.index + all.length;
    if (all === '$$') add('$');
    else if (computed !== undefined) add(...filledParts(computed));
    else {
      const name = { name: braced ?? bare ?? '', sign: bare !== undefined || sign === '$' };
      add(reference(all, name, rest, sign === '$'));
    }
  }
  add(text.slice(from));
  return joined(parts);
}

/** An expression; else the text that it is, with its variables: `{"name": "$x"}`. */
function filledParts(written: string): readonly TextPart[] {
  const inner = written.slice(1, -1);
  const read = readFilling(inner);
  if (read && 'filling' in read && isOfVariables(read.filling)) {
    return [{ is: 'filled', written, of: read.filling }];
  }
  if (stateNames(inner).length === 0) return [written];
  if (read && 'problem' in read) return [{ is: 'unfilled', written, problem: read.problem }];
  return ['{', ...partsOf(inner), '}'];
}

/** Whether it names any: `{1, 2}` is a text. */
const isOfVariables = (term: Term): boolean => refsIn(term).length > 0;

/** The variables that a term names. */
export function refsIn(term: Term): readonly Reference[] {
  switch (term.is) {
    case 'value':
      return [];
    case 'ref':
      return [term];
    case 'operation':
      return term.of.flatMap(refsIn);
    case 'list':
      return term.items.flatMap(refsIn);
    case 'dict':
      return Object.values(term.items).flatMap(refsIn);
    case 'text':
      return term.parts.flatMap((part) => {
        if (typeof part === 'string' || part.is === 'unfilled') return [];
        return part.is === 'filled' ? refsIn(part.of) : [part];
      });
  }
}

/** A term with what it names put otherwise. */
export function withRefs(term: Term, put: (ref: Reference) => Term): Term {
  const again = (one: Term): Term => withRefs(one, put);
  switch (term.is) {
    case 'value':
      return term;
    case 'ref':
      return put(term);
    case 'operation':
      return { ...term, of: term.of.map(again) };
    case 'list':
      return { is: 'list', items: term.items.map(again) };
    case 'dict': {
      const items = Object.entries(term.items).map(([key, item]) => [key, again(item)]);
      return { is: 'dict', items: Object.fromEntries(items) };
    }
    case 'text': {
      const parts = term.parts.map((part): TextPart => {
        if (typeof part === 'string' || part.is === 'unfilled') return part;
        if (part.is === 'ref') return partAt(part, put(part));
        return { ...part, of: again(part.of) };
      });
      return { is: 'text', parts };
    }
  }
}

const partAt = ({ written }: Reference, of: Term): TextPart =>
  of.is === 'ref' ? of : { is: 'filled', written, of };

export function reference(
  written: string,
  to: Name,
  rest: string | undefined,
  sure: boolean,
): Reference {
  return { is: 'ref', to, path: pathOf(rest ?? ''), written, sure };
}

function pathOf(text: string): Path {
  return [...text.matchAll(/\.(\p{XIDC}+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/gu)].map(
    ([, field, index, double, single]) => {
      if (index !== undefined) return Number(index);
      if (field !== undefined && /^\d+$/.test(field)) return Number(field);
      return field ?? double ?? single ?? '';
    },
  );
}

/** JSON that a model wrote; of a repeated key the last one counts. */
export function nodeTerm(node: JsonNode): Term {
  switch (node.kind) {
    case 'string':
      return textTerm(String(node.value));
    case 'array':
      return listTerm(node.items.map(nodeTerm));
    case 'object':
      return dictTerm(node.members.map(({ key, value }) => [key, nodeTerm(value)] as const));
    case 'float':
      // A float without a fraction would be an int as plain data.
      return { is: 'value', value: new GuestValue(float(Number(node.value))) };
    case 'null':
    case 'bool':
    case 'int':
      return { is: 'value', value: node.value };
  }
}

/** Data where there is nothing to be filled in. */
export function listTerm(items: readonly Term[]): Term {
  if (!items.every((item) => item.is === 'value')) return { is: 'list', items };
  return { is: 'value', value: items.map((item) => item.value) };
}

export function dictTerm(entries: readonly (readonly [string, Term])[]): Term {
  const items = Object.fromEntries(entries);
  const plain = Object.entries(items).flatMap(([key, item]) =>
    item.is === 'value' ? [[key, item.value] as const] : [],
  );
  if (plain.length < Object.keys(items).length) return { is: 'dict', items };
  return { is: 'value', value: Object.fromEntries(plain) };
}

/** The text of a term that is nothing but text. */
export const plainText = (term: Term | undefined): string | undefined =>
  term?.is === 'value' && typeof term.value === 'string' ? term.value : undefined;

/** What was written as text, with references as they stood. */
export function writtenText(term: Term): string | undefined {
  if (term.is === 'ref') return term.written;
  if (term.is === 'text') {
    return term.parts.map((part) => (typeof part === 'string' ? part : part.written)).join('');
  }
  return plainText(term);
}

const targetForm = new RegExp(
  String.raw`^\s*(self\.state\.|self\.)?(\$?)(${namePattern})\s*(?::[^=]*)?$`,
  'u',
);

/** `$day`, `day:str`, `self.state.day`: the name that is meant. Undefined for other text. */
export function nameIn(text: string): Name | undefined {
  const found = targetForm.exec(text);
  if (!found) return undefined;
  const [, prefix, sign, name = ''] = found;
  return { name, sign: sign === '$', ...(prefix !== undefined && { scope: 'state' as const }) };
}

/** A resolved value as one that was written. */
export function termOf(expr: Expr): Term {
  switch (expr.is) {
    case 'value':
      return expr;
    case 'ref':
      return { is: 'ref', to: nameOf(expr), path: expr.path, written: `$${expr.name}`, sure: true };
    case 'operation':
      return { ...expr, of: expr.of.map(termOf) };
    case 'list':
      return { is: 'list', items: expr.items.map(termOf) };
    case 'dict': {
      const items = Object.entries(expr.items).map(([key, item]) => [key, termOf(item)]);
      return { is: 'dict', items: Object.fromEntries(items) };
    }
    case 'text': {
      const parts = expr.parts.map((part): TextPart => {
        if (typeof part === 'string') return part;
        if (part.is !== 'ref') return { is: 'filled', written: '{…}', of: termOf(part) };
        const written = `{$${part.name}}`;
        return { is: 'ref', to: nameOf(part), path: part.path, written, sure: true };
      });
      return { is: 'text', parts };
    }
  }
}

export const nameOf = ({
  name,
  scope,
}: {
  readonly name: string;
  readonly scope: Scope;
}): Name => ({
  ...{ name, scope },
  sign: scope === 'state',
});
