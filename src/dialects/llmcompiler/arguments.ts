/** Which argument is for which parameter of a tool, and what each of them is worth. */
import { nearest } from '../../program/diagnostic.ts';
import type { JsonSchema, Site, ToolSpec } from '../../program/effect.ts';
import { type Dict, dict, type Value } from '../../program/value.ts';
import { signatureOf, takesOthers } from '../signature.ts';
import {
  type Conversion,
  convert,
  isNull,
  keyOf,
  numberIn,
  typesIn,
  wholeText,
} from './convert.ts';
import type { Argument, Arguments, Syntax } from './syntax.ts';

/** An argument and its parameter; `schema` is empty where the tool says nothing of it. */
interface Bound {
  readonly name: string;
  readonly argument: Argument;
  readonly schema: JsonSchema;
}

/** The arguments of a call by parameter name, with nodes. */
export function bind(c: Conversion, given: Arguments, spec: ToolSpec, at: Site): Dict {
  const properties = spec.parameters.properties ?? {};
  const whole = textParameter(given, spec);
  const values: [string, Value][] = [];
  const nulls = new Set<string>();
  if (whole !== undefined) {
    const [first] = given.list;
    values.push([whole, wholeText(c, whole, given.text, properties[whole] ?? {}, first ?? at)]);
  } else {
    for (const { name, argument, schema } of bound(c, unwrapped(c, given, spec), spec)) {
      values.push([name, convert(c, name, argument.value, schema)]);
      if (isNull(argument.value) && !(typesIn(schema)?.includes('null') ?? true)) nulls.add(name);
    }
  }
  const required = spec.parameters.required ?? [];
  const kept = values.filter(
    ([name, value]) => value !== null || (required.includes(name) && !nulls.has(name)),
  );
  const names = new Set(kept.map(([name]) => name));
  const asked = spec.requires ?? [];
  for (const name of required) {
    if (names.has(name) || asked.includes(name)) continue;
    c.say('error', 'missingParameter', at, `${spec.name} lacks ${name}`, signatureOf(spec));
  }
  return dict(kept);
}

/**
 * The one parameter that bare text is for, with its commas: that of a tool with one parameter, or
 * with one text, where the parts do not fit the parameters.
 */
function textParameter({ list: given, text }: Arguments, spec: ToolSpec): string | undefined {
  const all = Object.entries(spec.parameters.properties ?? {});
  const texts = all.filter(([, schema]) => typesIn(schema)?.includes('string') ?? true);
  const [only, ...more] = texts;
  const hasBare = given.some(({ value, name }) => value.kind === 'bare' || name !== undefined);
  if (!only || more.length > 0 || !hasBare || text === '') return undefined;
  if (given.some((one) => isNamed(one, spec))) return undefined;
  if (given.length === 1 && given[0]?.name === undefined) return undefined;
  if (given[0]?.value.kind === 'string' && gathered(given, spec) !== given) return undefined;
  const fits =
    given.length <= all.length &&
    given.every(({ value, name }, i) => name === undefined && mayBe(value, all[i]?.[1]));
  return fits ? undefined : only[0];
}

/**
 * Whether a name before `=` or a colon is that of a parameter, or was to be. Text has such signs,
 * too: `x=5` is a name only where a tool takes any, or where one of its own is near.
 */
function isNamed({ name, isAssigned, value }: Argument, spec: ToolSpec): boolean {
  const names = Object.keys(spec.parameters.properties ?? {});
  if (name === undefined || names.includes(name)) return name !== undefined;
  if (!isAssigned) return false;
  return takesOthers(spec) || value.kind !== 'bare' || nearest(name, names) !== undefined;
}

/** Whether something written may be what a schema wants, going by its form alone. */
function mayBe(value: Syntax, schema: JsonSchema | undefined): boolean {
  const types = schema && typesIn(schema);
  if (value.kind !== 'bare' || !types || types.includes('string')) return true;
  const { text } = value;
  if (text.includes('$')) return true;
  const isNumber = numberIn(text) !== undefined;
  if (types.includes('number') || types.includes('integer'))
    return isNumber || /^(?:None|null)$/.test(text);
  return types.includes('boolean') && /^(?:true|false|null|none)$/i.test(text);
}

/** One object whose keys are all parameters is the arguments by name. */
function unwrapped(c: Conversion, given: Arguments, spec: ToolSpec): readonly Argument[] {
  const [only, ...more] = given.list;
  const properties = spec.parameters.properties ?? {};
  if (!only || more.length > 0 || only.name !== undefined) return given.list;
  if (only.value.kind !== 'object' || only.value.entries.length === 0) return given.list;
  const [first] = Object.values(properties);
  if (first && (typesIn(first)?.includes('object') ?? false)) return given.list;
  const { entries } = only.value;
  if (!takesOthers(spec) && !entries.every(({ key }) => Object.hasOwn(properties, keyOf(key))))
    return given.list;
  c.say(
    'warning',
    'otherForm',
    only,
    'got an object, taken as arguments by name',
    signatureOf(spec),
  );
  return entries.map(({ key, value, line, column }) => {
    return { name: keyOf(key), isAssigned: true, value, text: '', line, column };
  });
}

function bound(c: Conversion, given: readonly Argument[], spec: ToolSpec): Bound[] {
  const { properties = {} } = spec.parameters;
  const names = Object.keys(properties);
  const found = new Map<string, Bound>();
  let position = 0;
  let isNamedBefore = false;
  for (const argument of gathered(given, spec)) {
    const isByName = isNamed(argument, spec);
    const name = isByName ? (argument.name ?? '') : names[position++];
    if (!isByName && isNamedBefore) {
      const message = 'got an argument without a name behind one with a name';
      c.say('error', 'positionalBehind', argument, message, signatureOf(spec));
    }
    isNamedBefore ||= isByName;
    if (name === undefined) {
      const message = `${spec.name}: got ${given.length} arguments, want at most ${names.length}`;
      c.say('error', 'tooMany', argument, message, signatureOf(spec));
      break;
    }
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema && !takesOthers(spec)) unknown(c, name, argument, spec);
    if (found.has(name)) {
      c.say('error', 'twice', argument, `${spec.name}: got ${name} twice`, signatureOf(spec));
    }
    found.set(name, {
      name,
      argument: isByName ? argument : unnamed(argument),
      schema: schema ?? {},
    });
  }
  return [...found.values()];
}

/**
 * `sum(1, 2, 3)` of a tool whose last parameter is a list: what is left over for it is that list.
 * Lists among several parameters are arguments of their own.
 */
function gathered(given: readonly Argument[], spec: ToolSpec): readonly Argument[] {
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
  typesIn(schema)
    ?.filter((one) => one !== 'null')
    .join() === type;

/** A colon that belongs to the text: `Title: the film`. */
function unnamed(argument: Argument): Argument {
  if (argument.name === undefined) return argument;
  const { text, line, column } = argument;
  return { ...argument, name: undefined, value: { kind: 'bare', text, line, column } };
}

function unknown(c: Conversion, name: string, at: Site, spec: ToolSpec): void {
  const near = nearest(name, Object.keys(spec.parameters.properties ?? {}));
  const hint = near === undefined ? signatureOf(spec) : `did you mean ${near}?`;
  const isOpen = (spec.parameters.additionalProperties ?? false) !== false;
  if (!isOpen)
    c.say('error', 'unknownParameter', at, `${spec.name} has no parameter ${name}`, hint);
}
