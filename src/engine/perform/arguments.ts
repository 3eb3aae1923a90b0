/**
 * Arguments on their way to a handler: read from their canonical text, then checked against the
 * tool's parameters. The check knows the part of JSON Schema that models get wrong (types, missing
 * and unknown names, `enum`, `format`, nesting); a tool that declares more than that checks it
 * itself.
 */
import { nearest, thrownText } from '../../program/diagnostic.ts';
import type { EffectError, JsonSchema, Outcome, ToolSpec } from '../../program/effect.ts';
import { formatWanted } from '../../program/formats.ts';
import { decode, encode, fromJson, NotData, stringify, toJson } from '../../program/json.ts';
import { parameterName } from '../../program/tool-names.ts';
import { dict, dictEntries, isDict, type Value } from '../../program/value.ts';
import type { Arguments } from '../handler.ts';

export interface ReadArguments {
  /** Ordinary data, keyed by parameter name. */
  readonly args: Arguments;
  /** `top_k: got string "5", want integer`. */
  readonly errors: readonly string[];
  /** What the tool, whose name is not said, `has no parameter yaer; did you mean year?`. */
  readonly warnings: readonly string[];
}

/**
 * Compiles what a tool says of its results: what in the canonical text of one does not fit.
 * `temperature: got string "warm", want number`.
 */
export function resultReader(returns: JsonSchema): (text: string) => readonly string[] {
  const check = compile(returns, 'the result');
  return (text) => {
    const errors: string[] = [];
    check(text.includes('{"$') ? toJson(decode(text)) : JSON.parse(text), '', errors);
    return errors;
  };
}

export type ArgumentReader = (text: string) => ReadArguments;

/** Compiles a tool's parameters once; reading and checking then costs little per effect. */
export function argumentReader(parameters: JsonSchema): ArgumentReader {
  const check = compile({ type: 'object', ...parameters });
  const known = new Set(Object.keys(parameters.properties ?? {}));
  // Legal in JSON Schema, and nearly always a slip. A tool that declares nothing takes anything.
  const open = parameters.additionalProperties === undefined && known.size > 0;
  return (text) => {
    const errors: string[] = [];
    const args = canonicalNames(parameters, plainArguments(text, errors), errors);
    if (errors.length === 0) check(args, '', errors);
    let warnings = nothing;
    if (open) {
      for (const name in args) {
        if (!known.has(name)) warnings = [...warnings, superfluous(name, known)];
      }
    }
    return { args, errors, warnings };
  };
}

const nothing: readonly string[] = [];

/** Whoever writes arguments as an object may have used another name of a parameter. */
function canonicalNames(parameters: JsonSchema, args: Arguments, errors: string[]): Arguments {
  if (!isObject(args)) return args;
  const entries = Object.entries(args);
  const names = entries.map(([name]) => parameterName(parameters, name));
  if (entries.every(([name], i) => names[i] === name)) return args;
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) errors.push(`${twice}: got it twice, by two of its names`);
  return Object.fromEntries(entries.map(([, value], i) => [names[i], value]));
}

/** Ordinary data from canonical tagged JSON. Only text that has a tag takes the long way. */
function plainArguments(text: string, errors: string[]): Arguments {
  if (!text.includes('{"$')) return JSON.parse(text);
  try {
    return toJson(decode(text)) as Arguments;
  } catch (error) {
    if (!(error instanceof NotData)) throw error;
    errors.push(`got ${error.message}, want JSON data`);
    return {};
  }
}

type Check = (data: unknown, path: string, errors: string[]) => void;

function compile(schema: JsonSchema, root = 'arguments'): Check {
  const types = [schema.type ?? []].flat();
  const [first = ''] = types;
  const choices = schema.enum?.map((choice) => stringify(choice));
  const { format } = schema;
  const members = compileMembers(schema);
  const items = isSchema(schema.items) ? compile(schema.items) : undefined;
  return (data, path, errors) => {
    const isFit =
      types.length > 1
        ? types.some((type) => hasType(data, type))
        : first === '' || hasType(data, first);
    if (!isFit) {
      errors.push(`${path || root}: got ${show(data)}, want ${types.join(' or ')}`);
      return;
    }
    if (choices && !choices.includes(stringify(data))) {
      errors.push(`${path || root}: got ${show(data)}, want one of ${choices.join(', ')}`);
      return;
    }
    const form = format !== undefined && typeof data === 'string' && formatWanted(format, data);
    if (form) errors.push(`${path || root}: got ${show(data)}, want ${form}`);
    if (items && Array.isArray(data)) {
      for (let i = 0; i < data.length; i++) items(data[i], `${path}[${i}]`, errors);
    } else if (isObject(data)) {
      members?.(data, path, errors);
    }
  };
}

function compileMembers(schema: JsonSchema): Check | undefined {
  const known = new Map(
    Object.entries(schema.properties ?? {}).map(([name, part]) => [name, compile(part)]),
  );
  const required = schema.required ?? [];
  const closed = schema.additionalProperties === false;
  if (known.size === 0 && required.length === 0 && !closed) return undefined;
  return (data, path, errors) => {
    if (!isObject(data)) return;
    const left = path === '' ? '' : `${path}.`;
    for (const name of required) {
      if (data[name] === undefined) errors.push(`${left}${name}: missing`);
    }
    for (const name in data) {
      const check = known.get(name);
      if (check) check(data[name], left + name, errors);
      else if (closed) errors.push(left + unknownName(name, new Set(known.keys())));
    }
  };
}

function superfluous(name: string, known: ReadonlySet<string>): string {
  const meant = nearest(name, known);
  const advice = meant ? `did you mean ${meant}?` : `its parameters are ${[...known].join(', ')}`;
  return `has no parameter ${name}; ${advice}`;
}

function unknownName(name: string, known: ReadonlySet<string>): string {
  const meant = nearest(name, known);
  const choice = [...known].join(', ') || 'none';
  return `${name}: no such parameter, ${meant ? `did you mean ${meant}?` : `want ${choice}`}`;
}

const isSchema = (part: unknown): part is JsonSchema => isObject(part);

const isObject = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' &&
  data !== null &&
  !Array.isArray(data) &&
  !(data instanceof Uint8Array);

function hasType(data: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return data === null;
    case 'integer':
      return typeof data === 'bigint' || Number.isInteger(data);
    case 'number':
      // JSON has no NaN and no infinity, so no service can be sent one.
      return Number.isFinite(data) || typeof data === 'bigint';
    case 'array':
      return Array.isArray(data);
    case 'object':
      return isObject(data);
    default:
      // Booleans and strings; a type that JSON Schema does not know is the tool's own matter.
      return typeof data === type || (type !== 'boolean' && type !== 'string');
  }
}

function show(data: unknown): string {
  const text = typeof data === 'number' ? String(data) : stringify(data);
  const short = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  if (data === null) return 'null';
  if (Array.isArray(data)) return `array ${short}`;
  return `${data instanceof Uint8Array ? 'bytes' : typeof data} ${short}`;
}

// Arguments that a tool declares secret (`writeOnly: true` or `'x-secret': true` in its
// parameters): the tool gets them, the journal and everything that is shown have `***` in their
// place, and so has whatever the tool gives back that repeats them.
//
// The hash of a request is that of its true arguments, with a key of the run: two requests that
// differ in a secret alone are two requests, and the hash alone tells nobody which secret it was.
// Resuming derives the arguments from the program again, so nothing is lost.

export interface SecretArguments {
  /** Canonical arguments as they may be shown. */
  hide(text: string): string;
  /** An outcome of a call with these arguments, without what is secret in them. */
  clean(args: string, outcome: Outcome): Outcome;
  /** The same for a line of text. */
  cleanText(args: string, text: string): string;
}

/** Names of secret parameters; of an object that is a parameter, those inside it. */
interface Names {
  readonly own: ReadonlySet<string>;
  readonly inside: ReadonlyMap<string, Names>;
}

const mark = '***';
/** Shorter values would take words out of any text. */
const charactersMin = 4;

/** Undefined where a tool declares no secrets, which costs nothing from then on. */
export function secretArguments(parameters: JsonSchema): SecretArguments | undefined {
  const names = namesIn(parameters);
  if (!names) return undefined;
  const texts = (args: string): string[] => {
    const found: string[] = [];
    hide(decode(args), names, found);
    return found.filter((text) => text.length >= charactersMin);
  };
  const cleanText = (args: string, text: string): string =>
    texts(args).reduce((rest, secret) => rest.replaceAll(secret, mark), text);
  return {
    hide: (text) => encode(hide(decode(text), names, [])),
    cleanText,
    clean(args, outcome) {
      if (outcome.ok) {
        // Inside canonical text a string is written as JSON writes it.
        const value = texts(args).reduce(
          (rest, secret) => rest.replaceAll(JSON.stringify(secret).slice(1, -1), mark),
          outcome.value,
        );
        return { ok: true, value };
      }
      const { message, hint } = outcome.error;
      const said = { ...outcome.error, message: cleanText(args, message) };
      return {
        ok: false,
        error: hint === undefined ? said : { ...said, hint: cleanText(args, hint) },
      };
    },
  };
}

/** Whether any of these tools declares a secret parameter. */
export const hasSecrets = (specs: Iterable<Pick<ToolSpec, 'parameters'>>): boolean =>
  [...specs].some(({ parameters }) => namesIn(parameters) !== undefined);

/** Arguments of a request as they may be shown and journaled. */
export function shownArguments(
  spec: Pick<ToolSpec, 'parameters'> | undefined,
  args: string,
): string {
  return (spec && secretArguments(spec.parameters)?.hide(args)) ?? args;
}

function namesIn({ properties = {} }: JsonSchema): Names | undefined {
  const own = new Set<string>();
  const inside = new Map<string, Names>();
  for (const [name, schema] of Object.entries(properties)) {
    if (schema.writeOnly === true || schema['x-secret'] === true) {
      own.add(name);
    } else {
      const below = namesIn(schema);
      if (below) inside.set(name, below);
    }
  }
  return own.size > 0 || inside.size > 0 ? { own, inside } : undefined;
}

/** The value with marks for its secrets, whose texts are added to `found`. */
function hide(value: Value, names: Names, found: string[]): Value {
  if (!isDict(value)) return value;
  const shown = new Map<Value, Value>();
  for (const [key, item] of dictEntries(value)) {
    const name = String(key);
    const inside = names.inside.get(name);
    if (names.own.has(name) && item !== null) {
      collect(item, found);
      shown.set(key, mark);
    } else {
      shown.set(key, inside ? hide(item, inside, found) : item);
    }
  }
  return dict(shown);
}

function collect(value: Value, found: string[]): void {
  if (typeof value === 'string') found.push(value);
  else if (typeof value === 'number' || typeof value === 'bigint') found.push(String(value));
  else if (isDict(value)) {
    for (const [, item] of dictEntries(value)) collect(item, found);
  } else if (value !== null && typeof value === 'object' && value.kind === 'list') {
    for (const item of value.items) collect(item, found);
  }
}

// What a handler returned, as the outcome that is journaled. A tool that gives no data is not tried
// again: it will not give any the next time.

/** `valueBytes` bounds the canonical text of the value, and so may the tool, in bytes. */
export function outcomeOf(
  { name: tool, limits }: Pick<ToolSpec, 'name' | 'limits'>,
  value: unknown,
  valueBytes: number,
): Outcome {
  const own = limits?.resultBytes ?? Infinity;
  const bytesMax = Math.min(own, valueBytes);
  if (value === undefined) {
    return failed(
      'PV4002',
      `${tool} returned undefined, want JSON data`,
      'return null for nothing',
    );
  }
  let text: string;
  try {
    text = encode(fromJson(value));
  } catch (error) {
    // A getter or a toJSON of the value may throw anything.
    const found = error instanceof NotData ? error.message : thrownText(error);
    const hint = 'return null, booleans, numbers, strings, arrays and plain objects only';
    return failed('PV4003', `${tool} returned no JSON data: ${found}`, hint);
  }
  const bytes = text.length * 3 > bytesMax ? Buffer.byteLength(text) : text.length;
  if (bytes <= bytesMax) return { ok: true, value: text };
  const message = `${tool} returned ${bytes} bytes, want at most ${bytesMax}`;
  const limit = own < valueBytes ? `${tool}.resultBytes` : 'valueBytes';
  return failed('PV4004', message, `ask for less, or raise the limit ${limit}`);
}

function failed(code: EffectError['code'], message: string, hint: string): Outcome {
  return { ok: false, error: { code, message, hint } };
}
