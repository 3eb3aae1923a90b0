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
import { type Conversion, isDate, numberIn } from './convert.ts';

type Parameter = readonly [name: string, schema: JsonSchema];

/** The arguments, with one for each text with commas; `inside` is all of them as written. */
export function withCommas(
  c: Conversion,
  all: readonly Argument[],
  inside: string,
  spec: ToolSpec,
): readonly Argument[] {
  const given = withThousands(all, inside, spec);
  const named = given.findIndex((one) => isNamed(one, spec));
  const parts = (named < 0 ? given : given.slice(0, named)).map(unnamed);
  const others = given.slice(parts.length);
  const taken = new Set(others.map(({ name }) => name));
  const properties = Object.entries(spec.parameters.properties ?? {});
  const until = properties.findIndex(([name]) => taken.has(name));
  const places = until < 0 ? properties : properties.slice(0, until);
  const [text, ...more] = places.filter(isText);
  const isOne = text && more.length === 0 && mayBeOne(parts, places);
  return [...(isOne ? oneText(c, parts, places, text, inside, spec) : parts), ...others];
}

/** A colon that belongs to the text: `Title: the film`. It keeps its name: it is no other value. */
function unnamed(one: Argument): Argument {
  if (one.name === undefined) return one;
  const { text, line, column } = one;
  return { ...one, value: { kind: 'bare', text, line, column } };
}

/** Whether they may be one text with commas in it: they do not fit the parameters one by one. */
function mayBeOne(parts: readonly Argument[], places: readonly Parameter[]): boolean {
  if (parts.length < 2 || (parts.length <= places.length && fits(parts, places))) return false;
  const isOpen = parts.some(({ name, value }) => name !== undefined || value.kind === 'bare');
  return isOpen && parts.every(({ value }) => value.kind !== 'string');
}

/** The only text is all that is not for the places around it. */
function oneText(
  c: Conversion,
  parts: readonly Argument[],
  places: readonly Parameter[],
  text: Parameter,
  inside: string,
  spec: ToolSpec,
): readonly Argument[] {
  const at = places.indexOf(text);
  const before = fits(parts.slice(0, at), places) ? at : 0;
  const later = places.slice(at + 1);
  let count = Math.min(later.length, parts.length - before - 1);
  while (count > 0 && !fits(parts.slice(-count), later)) count--;
  const last = parts.slice(parts.length - count);
  const areRequired = later.slice(0, count).every(([name]) => mandatory(spec).includes(name));
  const isSure = areRequired || last.every(({ value }) => value.kind !== 'bare');
  if (!isSure) tellTaken(c, parts, last, places.slice(at), spec);
  const own = isSure ? last : [];
  const whole = joined(parts.slice(before, parts.length - own.length), inside);
  const named = [whole, ...own].map((part, i) => {
    return { ...part, name: places[at + i]?.[0], isAssigned: true };
  });
  return [...parts.slice(0, before), ...named];
}

/** Arguments in a row as one, with the commas between them as they are written. */
function joined(parts: readonly Argument[], inside: string): Argument {
  const [first, ...more] = parts as readonly [Argument, ...Argument[]];
  const last = more.at(-1);
  if (!last) return first;
  const end = last.at + last.text.length;
  const { kind, line, column } = first.value;
  // A name stays one.
  const length = kind === 'bare' ? first.value.text.length : first.text.length;
  const text = inside.slice(first.at + first.text.length - length, end);
  const value: Syntax = { kind: 'bare', text, line, column };
  return { ...first, text: inside.slice(first.at, end), value };
}

/** `over 1,000 people` is one, whatever parameters there are. */
function withThousands(
  all: readonly Argument[],
  inside: string,
  spec: ToolSpec,
): readonly Argument[] {
  const runs: Argument[][] = [];
  for (const one of all) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && !isNamed(one, spec) && isThousands(before, one)) run.push(one);
    else runs.push([one]);
  }
  return runs.map((run) => joined(run, inside));
}

/** Three digits right after a comma, and words on one side: no list of numbers. */
const isThousands = (before: Argument, { at, text, value }: Argument): boolean =>
  before.value.kind === 'bare' &&
  value.kind === 'bare' &&
  at === before.at + before.text.length + 1 &&
  /\d$/.test(before.text) &&
  /^\d{3}(?!\d)/.test(text) &&
  (/\p{L}/u.test(before.text) || /\p{L}/u.test(text));

/** Tells that what may be for parameters of its own was taken for the end of a text. */
function tellTaken(
  c: Conversion,
  parts: readonly Argument[],
  last: readonly Argument[],
  [text, ...others]: readonly Parameter[],
  spec: ToolSpec,
): void {
  const bare = last.find(({ value }) => value.kind === 'bare');
  if (!bare) return;
  const names = others.slice(0, last.length).map(([name]) => name);
  const message = `${bare.text} was taken as part of ${text?.[0]}, not as ${names.join(', ')}`;
  const shorter = JSON.stringify(listed(parts.slice(0, -last.length)));
  const hint = `write ${spec.name}[${shorter}, ${listed(last)}], or quotes around all of it`;
  c.say('warning', 'commas', bare, message, hint);
}

const listed = (parts: readonly Argument[]): string => parts.map(({ text }) => text).join(', ');

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
  return [...before, { ...first, value: { kind: 'list', items, start: 0, end: 0, line, column } }];
}

/** Whether there is one type for a value, or nothing. */
const takesOnly = (schema: JsonSchema, type: string): boolean =>
  typesOf(schema)
    ?.filter((one) => one !== 'null')
    .join() === type;
