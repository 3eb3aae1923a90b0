/** Variables in texts: `$day` wherever it stands, `day` where a playbook has such a local one. */
import { namePattern } from '../../../program/name.ts';

/** Each word that may be a name, without a dollar. */
export const anyName: RegExp = new RegExp(namePattern, 'gu');

/** As lines write it: with a dollar where it is the agent's, without where it is of a call. */
export const writtenName = ({
  name,
  scope,
}: {
  readonly name: string;
  readonly scope: string;
}): string => (scope === 'state' ? `$${name}` : name);

/** `$day`, `{$day}`, `${day}`; not `$5`, `US$`, `$$`. */
const stateForm = new RegExp(
  String.raw`(?<![\w$\\])\$(?:\{(${namePattern})\}|(${namePattern}))`,
  'gu',
);

/** As written, with the dollar, each once. */
export function stateNames(text: string): string[] {
  return unique(
    [...text.matchAll(stateForm)].map(([, braced, plain]) => `$${braced ?? plain ?? ''}`),
  );
}

const localForm = new RegExp(String.raw`(?<![\p{XIDC}$.])${namePattern}`, 'gu');

/** All that a text names: state variables, and local ones that are known. */
export function namesIn(text: string, locals: ReadonlySet<string>): string[] {
  const bare = text.replace(/"((?:\\.|[^"\\])*)"/g, (_, inner) => filledIn(inner));
  const own = locals.size === 0 ? [] : bare.match(localForm);
  return unique([...stateNames(text), ...(own ?? []).filter((word) => locals.has(word))]);
}

/** Words in quotes are words: of the call's variables, only what is filled in is named there. */
export const filledIn = (quoted: string): string =>
  (quoted.match(/\$\p{XIDC}+|\{[^{}]*\}/gu) ?? []).join(' ');

/** Whether a line has a placeholder, `{price(bike)}`, or may have one. */
export const isFilled = (line: string): boolean => /\{[^{}]+\}/.test(line);

/**
 * The text with its names composed: a letter and its marks are one character, however they were
 * typed. What stands in quotes stays as it is, but for what is filled in there.
 */
export function composed(text: string): string {
  if (text.normalize('NFC') === text && text.search(unseen) < 0) return text;
  return text.replace(/"(?:\\.|[^"\\])*"|[^"]+|"/g, (part) =>
    /^".*"$/.test(part)
      ? part.replace(/\$\p{XIDC}+|\{[^{}]*\}/gu, (name) => name.normalize('NFC'))
      : part.normalize('NFC').replace(unseen, ''),
  );
}

/** What nobody sees and no name has: it comes along from web pages. */
const unseen = /[\u200b\u2060\ufeff]/g;

export const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** `int`, `str | None`, `dict[str, list[int]]`, `Literal["a", "b"]`. */
const typePattern = String.raw`[A-Za-z_](?:[\w, |.?]|\[(?:[^\[\]=]|\[[^\[\]=]*\])*\])*?`;

/** `$n:int = 5`: a name, perhaps with a type, and what it is set to. */
const assignmentForm = new RegExp(
  String.raw`^(?:(?:set|let)\s+)?(\$?${namePattern})(?:\s*:\s*(${typePattern}))?` +
    '\\s*(?::=|=|←)\\s*(?![=>])([\\s\\S]+)$',
  'iu',
);

/** `Set $n to 5`, `Let $n be 5`, `Initialize $n to 5`. */
const wordedForm = new RegExp(
  String.raw`^(?:set|let|reset|initiali[sz]e|mets|mettre|définir|définis)\s+(\$${namePattern})` +
    '(?:\\s*:\\s*([A-Za-z_][\\w[\\]]*))?\\s+(?:to|be|as|à|sur)\\s+([\\s\\S]+)$',
  'iu',
);

export interface Assignment {
  /** As written. */
  readonly target: string;
  readonly type?: string;
  readonly value: string;
}

const given = String.raw`(\$${namePattern})(?:\s*:\s*([A-Za-z_][\w[\]]*))?\.?$`;

const storeWords = '(?:assign|store|save|put|keep)';
const intoWords = '(?:to|in|into|as|under)';

/** The value is first: `F(1) -> $x`, `Store F(1) in $x`, `Call F(1) and store the result in $x`. */
const valueFirst: readonly RegExp[] = [
  `^([\\s\\S]+?)\\s*(?:->|→)\\s*${given}`,
  `^${storeWords}\\s+([\\s\\S]+?)\\s+${intoWords}\\s+${given}`,
  `^(?:(?:call|run|invoke|execute|use)\\s+)?([\\s\\S]+?),?\\s+and\\s+${storeWords}\\s+` +
    `(?:it|(?:its|the)\\s+(?:result|output|return(?:ed)?\\s+value))\\s+${intoWords}\\s+${given}`,
].map((source) => new RegExp(source, 'iu'));

const plain = /^(?:-?\d+(?:\.\d+)?|"(?:\\.|[^"\\])*"|\[\s*\]|\{\s*\}|true|false|none)$/i;

/** Whether a text is a value that is written down, or a variable, and nothing else. */
export const isValueAlone = (text: string): boolean =>
  plain.test(text) || /^\$\p{XIDC}+(?:\.\p{XIDC}+|\[[^\]]*\])*$/u.test(text);

/**
 * Such a line where its value is a call, or is plain: what is put into what otherwise (`Put the
 * $plate in $box`) is for a model to say.
 */
export function givenTo(text: string, isCall: (value: string) => boolean): Assignment | undefined {
  for (const form of valueFirst) {
    const [, value = '', target = '', type] = form.exec(text) ?? [];
    // `"Name?" -> $name` asks.
    const isQuestion = /\?["'”]$/.test(value);
    if (target === '' || isQuestion || !(plain.test(value) || isCall(value))) continue;
    return { target, ...(type === undefined ? {} : { type }), value };
  }
  return undefined;
}

export function assignmentIn(text: string): Assignment | undefined {
  const [, target, type, value] = assignmentForm.exec(text) ?? wordedForm.exec(text) ?? [];
  if (target === undefined || value === undefined) return undefined;
  return { target, ...(type === undefined ? {} : { type: type.trim() }), value: value.trim() };
}

const amount = String.raw`(-?\d+(?:\.\d+)?|\$?${namePattern})`;
const counter = String.raw`(\$${namePattern})`;

const sums: readonly (readonly [RegExp, sign: string])[] = [
  [new RegExp(`^(?:increment|increase|raise)\\s+${counter}\\s+by\\s+${amount}$`, 'iu'), '+'],
  [new RegExp(`^(?:decrement|decrease|reduce|lower)\\s+${counter}\\s+by\\s+${amount}$`, 'iu'), '-'],
  [new RegExp(`^increment\\s+${counter}()$`, 'iu'), '+'],
  [new RegExp(`^decrement\\s+${counter}()$`, 'iu'), '-'],
  [new RegExp(`^(\\$?${namePattern})\\+\\+()$`, 'u'), '+'],
  [new RegExp(`^(\\$?${namePattern})--()$`, 'u'), '-'],
];

const numberFirst = new RegExp(
  String.raw`^(add|subtract)\s+(-?\d+(?:\.\d+)?)\s+(?:to|from)\s+${counter}$`,
  'iu',
);

const inPlace = new RegExp(String.raw`^(\$?${namePattern})\s*([-+*/])=\s*(?!=)(.+)$`, 'su');

/** What `$n += 2` adds, in whatever words. */
export const addedTo = (text: string): string | undefined => inPlace.exec(text)?.[3];

/** `$n += 2`, `Increment $n`, `Add 1 to $n` as `$n = $n + 2`; what is no sum stays as it is. */
export function asSum(text: string): string {
  const bare = text.replace(/\.$/, '');
  const [, own, operator = '', more = ''] = inPlace.exec(bare) ?? [];
  const isOne = /^(?:[^\s"'([{]+|"[^"]*"|'[^']*'|[\p{XIDC}.]*\([^()]*\)|\[[^[\]]*\])$/u.test(more);
  if (own !== undefined) return `${own} = ${own} ${operator} ${isOne ? more : `(${more})`}`;
  const [, verb = '', count, target] = numberFirst.exec(bare) ?? [];
  if (target) return `${target} = ${target} ${/^a/i.test(verb) ? '+' : '-'} ${count}`;
  for (const [form, sign] of sums) {
    const [, name, by] = form.exec(bare) ?? [];
    if (name !== undefined) return `${name} = ${name} ${sign} ${by || 1}`;
  }
  return text;
}
