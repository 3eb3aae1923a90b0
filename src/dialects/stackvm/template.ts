/**
 * References inside text: `${x.a[0]}` and `{{x.a[0]}}`, read once, from left to right; what a
 * variable contains is never looked at again. A variable may stand for a key or a position:
 * `${x[i]}` and `${x[${i}]}`.
 *
 * Dollar signs before `{` and backslashes before `{{` come in pairs, each pair standing for one:
 * `$${x}` is the text `${x}`, `$$${x}` a dollar sign and a value, `\{{x}}` the text `{{x}}`. Where
 * no reference follows, and in the form of the other dialect, everything is text as it stands.
 */

/** How a reference is written inside text. */
export type TextForm = 'dollar' | 'braces';

export interface Path {
  readonly name: string;
  /** Keys and indexes that lead into the value; a path is the variable that holds one. */
  readonly path: readonly (string | number | Path)[];
}

export interface TextReference extends Path {
  readonly form: TextForm;
  readonly text: string;
}

/** What looks like a reference and stays text: escaped, or not readable as one. */
export interface NoReference {
  readonly kind: 'escaped' | 'broken';
  readonly form: TextForm;
  readonly text: string;
  /** The word that it begins with. */
  readonly name: string;
}

export interface Pieces {
  /** Never two strings side by side, never an empty one. */
  readonly parts: readonly (string | TextReference)[];
  readonly others: readonly NoReference[];
}

const word = '[\\p{L}\\p{N}_-]+';
const index = `[\\p{L}_][\\p{L}\\p{N}_-]*(?:\\.${word}|\\[-?\\d{1,9}\\])*`;
const indexes = `\\$\\{\\s*${index}\\s*\\}|\\{\\{\\s*${index}\\s*\\}\\}|${index}`;
const step = `\\.${word}|\\[\\s*(?:-?\\d{1,9}|"[^"]*"|'[^']*'|${indexes})\\s*\\]`;
const path = `\\s*(${word})((?:${step})*)\\s*`;
const closedPath: Readonly<Record<TextForm, RegExp>> = {
  dollar: new RegExp(`${path}\\}`, 'uy'),
  braces: new RegExp(`${path}\\}\\}`, 'uy'),
};
const wholePath = new RegExp(`^${path}$`, 'u');
const wholeWord = new RegExp(`^${word}$`, 'u');
const oneStep = new RegExp(
  `\\.(${word})|\\[\\s*(?:(-?\\d+)|"([^"]*)"|'([^']*)'|[\\s\\x24{]*(${index})[\\s}]*)\\s*\\]`,
  'gu',
);
const firstWord = /^\s*([\p{L}_][\p{L}\p{N}_-]*)/u;
// The look-behinds keep a long run of marks from being searched once for each of its characters.
const opening = /(?<!\$)(\$+)\{(?!\{)|(?<!\\)(\\*)\{\{(?!\{)/g;
const open: Readonly<Record<TextForm, string>> = { dollar: '${', braces: '{{' };
const close: Readonly<Record<TextForm, string>> = { dollar: '}', braces: '}}' };

/** Longest piece of text that a message about a broken reference shows. */
const shownMax = 40;

/** Whether a reference can spell the name of a variable. */
export const canBeSpelled = (name: string): boolean => wholeWord.test(name);

/** The variable that a text refers to, if it is nothing but a reference to a whole variable. */
export function referredTo(text: string): string | undefined {
  return /^\s*(?:\$\{\s*([\p{L}\p{N}_-]+)\s*\}|\{\{\s*([\p{L}\p{N}_-]+)\s*\}\})\s*$/u
    .exec(text)
    ?.slice(1)
    .find((name) => name !== undefined);
}

/** The path in the `var` of an object; text that is none is taken as a name. */
export function pathOf(text: string): Path {
  const found = wholePath.exec(text);
  return found ? toPath(found) : { name: text, path: [] };
}

/** `own` is the form of the dialect, the only one that has escapes. */
export function piecesOf(text: string, own: TextForm): Pieces {
  const parts: (string | TextReference)[] = [];
  const others: NoReference[] = [];
  let plain = '';
  let at = 0;
  for (const found of text.matchAll(opening)) {
    if (found.index < at) continue;
    const form: TextForm = found[1] === undefined ? 'braces' : 'dollar';
    const marks = (found[1] ?? found[2] ?? '').length;
    const bare = marks % 2 === (form === 'dollar' ? 1 : 0);
    const start = found.index + found[0].length;
    const closed = matchAt(closedPath[form], text, start);
    if (!closed) {
      if (bare) others.push(broken(form, text, start));
      continue;
    }
    if (form !== own && marks !== (form === 'dollar' ? 1 : 0)) continue;
    const { name, path } = toPath(closed);
    const reference: TextReference = { form, text: `${open[form]}${closed[0]}`, name, path };
    const kept = Math.floor(form === 'dollar' ? (marks - 1) / 2 : marks / 2);
    plain += text.slice(at, found.index) + found[0].slice(0, kept);
    at = start + closed[0].length;
    if (!bare) {
      plain += reference.text;
      others.push({ ...reference, kind: 'escaped' });
      continue;
    }
    if (plain !== '') parts.push(plain);
    plain = '';
    parts.push(reference);
  }
  plain += text.slice(at);
  if (plain !== '' || parts.length === 0) parts.push(plain);
  return { parts, others };
}

/** A text that stands for itself in that form. */
export const escaped = (text: string, own: TextForm): string =>
  text.replace(opening, (found: string, dollars = '', backslashes = '', at: number) => {
    if (!found.endsWith(open[own]) || !matchAt(closedPath[own], text, at + found.length)) {
      return found;
    }
    return own === 'dollar' ? dollars + found : `\\${backslashes}${found}`;
  });

function broken(form: TextForm, text: string, start: number): NoReference {
  const near = text.slice(start, start + shownMax);
  const end = near.indexOf(close[form]);
  const shown = end < 0 ? near : near.slice(0, end + close[form].length);
  const name = firstWord.exec(near)?.[1] ?? '';
  return { kind: 'broken', form, name, text: `${open[form]}${shown}` };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function toPath(found: RegExpExecArray): Path {
  const steps: (string | number | Path)[] = [];
  for (const [, key, index, double, single, variable] of (found[2] ?? '').matchAll(oneStep)) {
    if (index !== undefined) steps.push(Number(index));
    else if (variable !== undefined) steps.push(pathOf(variable));
    else if (key !== undefined) steps.push(/^\d{1,9}$/.test(key) ? Number(key) : key);
    else steps.push(double ?? single ?? '');
  }
  return { name: found[1] ?? '', path: steps };
}

/** A reference to a variable as text has it. */
export const written = (form: TextForm, name: string): string =>
  `${open[form]}${name}${close[form]}`;
