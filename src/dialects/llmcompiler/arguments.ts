/** Which argument is for which parameter of a tool, and what each of them is worth. */
import { nearest } from '../../program/diagnostic.ts';
import type { JsonSchema, Site, ToolSpec } from '../../program/effect.ts';
import { parameterName } from '../../program/tool-names.ts';
import { type Dict, dict, type Value } from '../../program/value.ts';
import { signatureOf, takesOthers, typesOf } from '../signature.ts';
import type { Argument, CallText } from './call.ts';
import { gathered, isNamed, withCommas } from './commas.ts';
import { type Conversion, convert, isNull, keyOf } from './convert.ts';

/** An argument and its parameter; `schema` is empty where the tool says nothing of it. */
interface Bound {
  readonly name: string;
  readonly argument: Argument;
  readonly schema: JsonSchema;
}

/** The arguments of a call by parameter name, with nodes. */
export function bind(c: Conversion, given: CallText, spec: ToolSpec, at: Site): Dict {
  const values: [string, Value][] = [];
  const nulls = new Set<string>();
  const named = unwrapped(c, given, spec).map((one) =>
    one.name === undefined ? one : { ...one, name: parameterName(spec.parameters, one.name) },
  );
  const all = withCommas(c, named, given.inside, spec);
  for (const { name, argument, schema } of bound(c, all, spec)) {
    values.push([name, convert(c, name, argument.value, schema)]);
    if (isNull(argument.value) && !(typesOf(schema)?.includes('null') ?? true)) nulls.add(name);
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

/** One object whose keys are all parameters is the arguments by name. */
function unwrapped(c: Conversion, given: CallText, spec: ToolSpec): readonly Argument[] {
  const [only, ...more] = given.args;
  const properties = spec.parameters.properties ?? {};
  if (!only || more.length > 0 || only.name !== undefined) return given.args;
  if (only.value.kind !== 'object' || only.value.entries.length === 0) return given.args;
  const [first] = Object.values(properties);
  if (first && (typesOf(first)?.includes('object') ?? false)) return given.args;
  const { entries } = only.value;
  if (
    !takesOthers(spec) &&
    !entries.every(({ key }) =>
      Object.hasOwn(properties, parameterName(spec.parameters, keyOf(key))),
    )
  )
    return given.args;
  c.say(
    'warning',
    'otherForm',
    only,
    'got an object, taken as arguments by name',
    signatureOf(spec),
  );
  return entries.map(({ key, value, line, column }) => {
    return { name: keyOf(key), isAssigned: true, value, text: '', at: 0, line, column };
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
      const hint = `${signatureOf(spec)}; text with commas stands in quotes`;
      c.say('error', 'positionalBehind', argument, message, hint);
      break;
    }
    isNamedBefore ||= isByName;
    if (name === undefined) {
      const message = `${spec.name}: got ${given.length} arguments, want at most ${names.length}`;
      const isBare = given.some(({ value }) => value.kind === 'bare');
      const quotes = isBare && names.length > 0 ? '; text with commas stands in quotes' : '';
      c.say('error', 'tooMany', argument, message, `${signatureOf(spec)}${quotes}`);
      break;
    }
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema && !takesOthers(spec)) unknown(c, name, argument, spec);
    if (found.has(name)) {
      c.say('error', 'twice', argument, `${spec.name}: got ${name} twice`, signatureOf(spec));
    }
    found.set(name, { name, argument, schema: schema ?? {} });
  }
  return [...found.values()];
}

function unknown(c: Conversion, name: string, at: Site, spec: ToolSpec): void {
  const near = nearest(name, Object.keys(spec.parameters.properties ?? {}));
  const hint = near === undefined ? signatureOf(spec) : `did you mean ${near}?`;
  const isOpen = (spec.parameters.additionalProperties ?? false) !== false;
  if (!isOpen)
    c.say('error', 'unknownParameter', at, `${spec.name} has no parameter ${name}`, hint);
}
