/**
 * Commas in text without quotes: `Search[Paris, France]` is one text, `Find[Paris, fr]` may be two
 * arguments. The parameters of the tool decide. Where they allow both, one is taken, and a warning
 * says how to write it.
 */
import { nearest } from '../../program/diagnostic.ts';
import { type JsonSchema, mandatory, type ToolSpec } from '../../program/effect.ts';
import { heldFormats, isFormed } from '../../program/formats.ts';
import { takesOthers, typesOf } from '../signature.ts';
import type { Argument, Syntax } from './call.ts';
import { onlyReading, unbroken, upTo } from './comma-runs.ts';
import { type Conversion, isDate, numberIn } from './convert.ts';

type Parameter = readonly [name: string, schema: JsonSchema];

/**
 * The arguments, those made one that are a text with commas. They are where there is one parameter
 * for text among those without a name, and they do not fit the parameters one by one. What stands
 * behind the text and fits parameters that are required is theirs.
 */
export function withCommas(
  c: Conversion,
  all: readonly Argument[],
  text: string,
  spec: ToolSpec,
): readonly Argument[] {
  const whole = unbroken(all, text, (one) => isNamed(one, spec));
  const given = behindNames(whole, text, spec);
  const named = given.findIndex((one) => isNamed(one, spec));
  const parts = named < 0 ? given : given.slice(0, named);
  const others = given.slice(parts.length);
  const open = withoutNames(spec, others);
  const place = open.findIndex(isText);
  const isOne = place >= 0 && open.findLastIndex(isText) === place;
  if (parts.length <= open.length && fits(parts, open)) {
    if (place >= 0 && !isOne) tellDoubt(c, parts, open, spec);
    return given;
  }
  if (place >= 0 && !isOne) return [...shared(parts, open, text, spec), ...others];
  const isSingle = parts.length === 1 && parts[0]?.name === undefined;
  if (!isOne || isSingle || !hasBareText(parts, place, spec)) return given;
  const before = fits(parts.slice(0, place), open) ? place : 0;
  const behind = before < place ? 0 : countBehind(c, parts, open.slice(place), spec);
  const end = parts.length - behind;
  const name = open[place]?.[0] ?? '';
  const own = oneText(parts.slice(before, end), name, text);
  const rest = parts.slice(end).map((part, i) => {
    return { ...part, name: open[place + 1 + i]?.[0], isAssigned: true };
  });
  return [...parts.slice(0, before), ...own, ...rest, ...others];
}

/**
 * `query=Paris, France`: what stands without a name behind a text that has one is part of it, where
 * there are no parameters that it could be for.
 */
function behindNames(all: readonly Argument[], text: string, spec: ToolSpec): readonly Argument[] {
  const properties = Object.entries(spec.parameters.properties ?? {});
  const isNamedHere = all.map((one) => isNamed(one, spec));
  const names = new Set(all.filter((_, i) => isNamedHere[i]).map(({ name }) => name));
  const free = properties.filter(([name]) => !names.has(name));
  const given: Argument[] = [];
  let until = 0;
  for (const [i, one] of all.entries()) {
    if (i < until) continue;
    const next = isNamedHere.indexOf(true, i + 1);
    const more = isNamedHere[i] ? all.slice(i + 1, next < 0 ? all.length : next) : [];
    const own = properties.find(([name]) => name === one.name);
    const last = more.at(-1);
    const isOne = more.length > free.length || !fits(more, free);
    if (own && isText(own) && one.value.kind === 'bare' && last && isOne) {
      given.push(upTo(one, last, text));
      until = i + 1 + more.length;
    } else given.push(one);
  }
  return given;
}

/** What several parameters of text get, where there is one way only to share it out. */
function shared(
  parts: readonly Argument[],
  open: readonly Parameter[],
  text: string,
  spec: ToolSpec,
): readonly Argument[] {
  const required = mandatory(spec);
  const lengths = onlyReading(
    parts,
    open.map((parameter) => ({
      isRequired: required.includes(parameter[0]),
      takesAnyText: isText(parameter),
      fits: (one) => fits([one], [parameter]),
    })),
  );
  let from = 0;
  const own = lengths?.flatMap((length) => {
    const [first, ...more] = parts.slice(from, from + length);
    from += length;
    const last = more.at(-1);
    return first && last ? [upTo(first, last, text)] : first ? [first] : [];
  });
  return own ?? parts;
}

/** The parameters that arguments without a name are for, in a row. */
function withoutNames(spec: ToolSpec, others: readonly Argument[]): readonly Parameter[] {
  const all = Object.entries(spec.parameters.properties ?? {});
  const taken = new Set(others.map(({ name }) => name));
  const until = all.findIndex(([name]) => taken.has(name));
  return until < 0 ? all : all.slice(0, until);
}

/** Whether there is text without quotes, and not one in quotes at the place of the text. */
function hasBareText(parts: readonly Argument[], place: number, spec: ToolSpec): boolean {
  const isQuoted = ({ value }: Argument): boolean => value.kind === 'string';
  const isAlone = Object.keys(spec.parameters.properties ?? {}).length === 1;
  const [first] = parts;
  if (first && isQuoted(first) && gathered(parts, spec) !== parts) return false;
  if (!isAlone && parts.slice(place, place + 1).some(isQuoted)) return false;
  const isMixed = parts.some(isQuoted);
  return parts.some(({ name, value }) =>
    isMixed ? isWords(value) : name !== undefined || value.kind === 'bare',
  );
}

/** Arguments in a row as one text, with the commas between them as they are written. */
function oneText(own: readonly Argument[], name: string, all: string): readonly Argument[] {
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return [];
  const text = all.slice(first.at, last.at + last.text.length);
  const { line, column } = first;
  const value: Syntax = { kind: 'bare', text, line, column };
  return [{ ...first, name, isAssigned: true, value, text }];
}

/** How many arguments at the end are not of the text, but for the parameters behind it. */
function countBehind(
  c: Conversion,
  parts: readonly Argument[],
  [text, ...behind]: readonly Parameter[],
  spec: ToolSpec,
): number {
  let count = Math.min(behind.length, parts.length - 1);
  while (count > 0 && !fits(parts.slice(-count), behind)) count--;
  const own = parts.slice(parts.length - count);
  const bare = own.find(({ value }) => value.kind === 'bare');
  const names = behind.slice(0, count).map(([name]) => name);
  if (!bare || names.every((name) => mandatory(spec).includes(name))) return count;
  const message = `${bare.text} was taken as part of ${text?.[0]}, not as ${names.join(', ')}`;
  const shorter = JSON.stringify(listed(parts.slice(0, -count)));
  const hint = `write ${spec.name}[${shorter}, ${listed(own)}], or quotes around all of it`;
  c.say('warning', 'commas', bare, message, hint);
  return 0;
}

const listed = (parts: readonly Argument[]): string => parts.map(({ text }) => text).join(', ');

/** Tells where a text may have been meant that another parameter for text takes the end of. */
function tellDoubt(
  c: Conversion,
  parts: readonly Argument[],
  open: readonly Parameter[],
  spec: ToolSpec,
): void {
  const required = mandatory(spec);
  const at = parts.findIndex(({ value }, i) => {
    const [name, schema] = open[i] ?? ['', {}];
    const before = parts[i - 1]?.value;
    if (required.includes(name) || !isText([name, schema])) return false;
    return isWords(value) && before !== undefined && isWords(before);
  });
  const part = parts[at];
  if (!part) return;
  const message = `${part.text} was taken as ${open[at]?.[0] ?? ''}`;
  const all = JSON.stringify(listed(parts));
  const hint = `a text with commas stands in quotes: ${spec.name}[${all}]`;
  c.say('warning', 'commas', part, message, hint);
}

/** Text that cannot be anything else. */
const isWords = (value: Syntax): boolean =>
  value.kind === 'bare' &&
  /\p{L}/u.test(value.text) &&
  !value.text.includes('$') &&
  !isDate(value.text) &&
  !/^(?:true|false|null|none)$/i.test(value.text);

/**
 * Whether a name before `=` or a colon is that of a parameter, or was to be. Text has such signs,
 * too: `x=5` is a name only where a tool takes any, or where one of its own is near.
 */
export function isNamed({ name, isAssigned, value }: Argument, spec: ToolSpec): boolean {
  const names = Object.keys(spec.parameters.properties ?? {});
  if (name === undefined || names.includes(name)) return name !== undefined;
  if (!isAssigned) return false;
  return takesOthers(spec) || value.kind !== 'bare' || nearest(name, names) !== undefined;
}

/** Whether there is a parameter for each argument that it may be for. */
const fits = (parts: readonly Argument[], parameters: readonly Parameter[]): boolean =>
  parts.every(({ name, value }, i) => name === undefined && mayBe(value, parameters[i]?.[1]));

/** Whether any text is good for a parameter. */
const isText = ([, schema]: Parameter): boolean =>
  !isFormed(schema) && (typesOf(schema)?.includes('string') ?? true);

/** Whether a text may be of a format: none allows blanks, but for dates with times. */
const mayHaveFormat = (format: unknown, text: string): boolean =>
  Object.hasOwn(heldFormats, String(format)) ? isDate(text) : !/\s/.test(text);

/** Whether something written may be what a schema wants, going by its form alone. */
function mayBe(value: Syntax, schema: JsonSchema | undefined): boolean {
  const types = schema && typesOf(schema);
  if (value.kind !== 'bare' || !schema || !types) return true;
  const { text } = value;
  if (text.includes('$')) return true;
  if (schema.format !== undefined) return mayHaveFormat(schema.format, text);
  if (schema.enum) return isListed(text, schema.enum);
  if (types.includes('string')) return true;
  const isNumber = numberIn(text) !== undefined;
  if (types.includes('number') || types.includes('integer'))
    return isNumber || /^(?:None|null)$/.test(text);
  return types.includes('boolean') && /^(?:true|false|null|none)$/i.test(text);
}

/** Whether it is one of some values, or was to be. */
function isListed(text: string, values: readonly unknown[]): boolean {
  const names = values.map(String);
  return names.includes(text) || nearest(text, names) !== undefined;
}

/**
 * `sum(1, 2, 3)` of a tool whose last parameter is a list: what is left over for it is that list.
 * Lists among several parameters are arguments of their own.
 */
export function gathered(given: readonly Argument[], spec: ToolSpec): readonly Argument[] {
  const schemas = Object.values(spec.parameters.properties ?? {});
  const last = schemas.at(-1);
  const before = given.slice(0, schemas.length - 1);
  const [first, ...more] = given.slice(before.length);
  const isList = last !== undefined && takesOnly(last, 'array');
  if (!isList || !first || more.length === 0) return given;
  if (given.some(({ name }) => name !== undefined)) return given;
  const items = [first, ...more].map((one) => one.value);
  if (before.length > 0 && items.some(({ kind }) => kind === 'list')) return given;
  const { line, column } = first;
  return [...before, { ...first, value: { kind: 'list', items, line, column } }];
}

/** Whether there is one type for a value, or nothing. */
const takesOnly = (schema: JsonSchema, type: string): boolean =>
  typesOf(schema)
    ?.filter((one) => one !== 'null')
    .join() === type;
