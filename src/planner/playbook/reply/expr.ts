/**
 * Values of an operation, as the loop gets them: data with references to variables in it. `"$x"`
 * alone is the variable itself, `{$x.a[0]}` and `{$x:.2f}` in a text are filled in, `$$` is a
 * dollar sign.
 */
import { isName, namePattern } from '../../../program/name.ts';

export type Expr =
  | { readonly is: 'value'; readonly value: unknown }
  /** `name` as it is written: `$x`, or `x` of a variable without a dollar. */
  | { readonly is: 'ref'; readonly name: string; readonly path: Path; readonly format?: string }
  | { readonly is: 'text'; readonly parts: readonly (string | Expr)[] }
  | { readonly is: 'list'; readonly items: readonly Expr[] }
  | { readonly is: 'dict'; readonly items: Readonly<Record<string, Expr>> };

export type Path = readonly (string | number)[];

/** Tells whether the playbook has a variable of this name, which is without a dollar. */
export type IsVariable = (name: string) => boolean;

const pathPattern = String.raw`(?:\.\p{XIDC}+|\[(?:\d{1,9}|"[^"\]]*"|'[^'\]]*')\])*`;
const alone = new RegExp(String.raw`^\$(${namePattern})(${pathPattern})$`, 'u');
/** `$x.a`, `$price:.2f`. */
const reference = new RegExp(
  String.raw`^(\$?)(${namePattern})(${pathPattern})(?::([-+,.\d]*[a-zA-Z%]?))?$`,
  'u',
);
const step = /\.(\p{XIDC}+)|\[(\d+)\]|\[["']([^"'\]]*)["']\]/gu;
/** Braces without braces in them, a doubled dollar, a name. */
const special = new RegExp(String.raw`\$\$|\{([^{}]{1,500})\}|\$(${namePattern})`, 'gu');

/** The expression of JSON data. */
export function exprOf(data: unknown, isVariable: IsVariable): Expr {
  if (typeof data === 'string') return textExpr(data, isVariable);
  if (typeof data !== 'object' || data === null) return { is: 'value', value: data };
  if (Array.isArray(data)) {
    const items = data.map((item) => exprOf(item, isVariable));
    const values = items.flatMap((item) => (item.is === 'value' ? [item.value] : []));
    const isKnown = values.length === items.length;
    return isKnown ? { is: 'value', value: values } : { is: 'list', items };
  }
  const keys = Object.keys(data);
  const list = exprOf(Object.values(data), isVariable);
  const entries = (all: readonly unknown[]) => keys.map((key, at) => [key, all[at]] as const);
  return list.is === 'list'
    ? { is: 'dict', items: Object.fromEntries(entries(list.items)) as Record<string, Expr> }
    : { is: 'value', value: Object.fromEntries(entries(Object(list).value)) };
}

/** The expression of a text. */
function textExpr(text: string, isVariable: IsVariable): Expr {
  if (!/[${]/.test(text)) return { is: 'value', value: text };
  const only = alone.exec(text);
  if (only) return { is: 'ref', name: `$${only[1]}`, path: pathOf(only[2]) };
  const parts: (string | Expr)[] = [];
  let plain = '';
  let from = 0;
  const add = (part: Expr): void => {
    if (plain !== '') parts.push(plain);
    plain = '';
    parts.push(part);
  };
  for (const { 0: written, 1: inner, 2: bare, index } of text.matchAll(special)) {
    plain += text.slice(from, index);
    from = index + written.length;
    const filled = inner === undefined ? undefined : filledIn(inner.trim(), isVariable);
    if (written === '$$') plain += '$';
    else if (filled) add(filled);
    else if (bare !== undefined && isVariable(bare)) add({ is: 'ref', name: `$${bare}`, path: [] });
    else plain += written;
  }
  plain += text.slice(from);
  if (parts.length === 0) return { is: 'value', value: plain };
  return { is: 'text', parts: plain === '' ? parts : [...parts, plain] };
}

/** A reference in braces; a name without a dollar only where there is such a variable. */
function filledIn(inner: string, isVariable: IsVariable): Expr | undefined {
  const [, sign = '', name = '', path = '', format] = reference.exec(inner) ?? [];
  if (name === '' || (sign === '' && !isVariable(name))) return undefined;
  const found = { is: 'ref', name: `${sign}${name}`, path: pathOf(path) } as const;
  return format ? { ...found, format } : found;
}

const pathOf = (written = ''): Path =>
  [...written.matchAll(step)].map(([, key, index, quoted = '']) =>
    index === undefined ? (key ?? quoted) : Number(index),
  );

const computed = new RegExp(String.raw`\{\s*\$${namePattern}[^{}]{1,500}\}`, 'gu');

/** What stands in braces and begins with a variable, but is more than a reference: `{$x * 2}`. */
export function computedIn(data: unknown): string | undefined {
  if (typeof data === 'object' && data !== null) {
    return Object.values(data).map(computedIn).find(Boolean);
  }
  if (typeof data !== 'string') return undefined;
  return data.match(computed)?.find((written) => !reference.test(written.slice(1, -1).trim()));
}

/** A name without its dollar; undefined for what cannot be the name of a variable. */
export function bareName(written: string): string | undefined {
  const name = written.trim().replace(/^\$/, '');
  return isName(name) ? name : undefined;
}
