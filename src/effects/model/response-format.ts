/**
 * What a program means by `response_format`, and how a model is told. Accepted are the names "text"
 * and "json", a JSON Schema, `{"keys": […]}` (an object that has at least these keys, with an
 * optional `schema` of any of these forms), the forms that providers use on their wires, an example
 * of the wanted JSON, any of these as JSON text, and a description in words.
 *
 * `{"keys": ["a"], "whole": true, "schema": …}` asks for the key in an answer of that form, and
 * takes one without the key as well.
 */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import type { JsonSchema } from '../../program/effect.ts';
import { stringify, toJson } from '../../program/json.ts';
import { readJson, valueOfNode } from '../../text/json-text.ts';
import { isObject } from '../foreign-json.ts';
import type { Format } from './model.ts';

export interface Wanted {
  /** Absent: the text is the answer. */
  readonly format?: Format;
  /** How the prompt says it; empty where there is nothing to say. */
  readonly instruction: string;
}

/** Throws `EffectFailure` PV4116. */
export function wantedFormat(given: unknown): Wanted {
  const form = formOf(plain(given));
  switch (form.kind) {
    case 'text':
      return { instruction: form.words === '' ? '' : `Format of the answer: ${form.words}` };
    case 'json':
      return { format: formatOf(form), instruction: instructionOf(form) };
  }
}

type Form = { readonly kind: 'text'; readonly words: string } | JsonForm;

interface JsonForm {
  readonly kind: 'json';
  readonly schema?: JsonSchema;
  readonly keys?: readonly string[];
  /** Keys that are asked for in the prompt, and not held against the reply. */
  readonly wishes?: readonly string[];
  readonly example?: unknown;
  /** What a person said about it. */
  readonly words?: string;
}

type Fields = Readonly<Record<string, unknown>>;

function formOf(given: unknown): Form {
  if (given === undefined || given === null) return { kind: 'text', words: '' };
  if (typeof given === 'string') return formOfText(given.trim());
  if (Array.isArray(given)) return { kind: 'json', example: given };
  if (!isObject(given)) throw unusable(given);
  if (isKeys(given)) return withKeys(given);
  const { type } = given;
  if (type === 'text' || type === 'json_object') return formOfText(String(type));
  if (type === 'json_schema' && isObject(given.json_schema)) {
    return formOf(given.json_schema.schema ?? 'json');
  }
  if (isSchema(given)) return { kind: 'json', schema: given };
  return { kind: 'json', example: given, keys: Object.keys(given) };
}

function formOfText(text: string): Form {
  if (/^(|text|plain|plain[_ -]?text|string)$/i.test(text)) return { kind: 'text', words: '' };
  if (/^json$/i.test(text)) return { kind: 'json' };
  if (/^(json[_ ]?object|object)$/i.test(text)) return { kind: 'json', keys: [] };
  if (/^[[{]/.test(text)) {
    const { node } = readJson(text);
    if (node !== undefined) return formOf(plain(toJson(valueOfNode(node))));
  }
  return { kind: 'text', words: text };
}

interface Keys {
  readonly keys: readonly string[];
  readonly schema?: unknown;
  readonly whole?: boolean;
}

function withKeys({ keys, schema, whole }: Keys): Form {
  const inner = formOf(schema);
  if (whole) return inner.kind === 'json' ? { ...inner, wishes: keys } : inner;
  if (inner.kind === 'text') return { kind: 'json', keys, words: inner.words };
  return { ...inner, keys: [...new Set([...(inner.keys ?? []), ...keys])] };
}

function formatOf({ schema, keys }: JsonForm): Format {
  return { kind: 'json', ...(schema && { schema }), ...(keys && { keys }) };
}

function instructionOf({ schema, keys, wishes, example, words }: JsonForm): string {
  const named = keys?.length ? keys : (wishes ?? keys);
  const what =
    schema === undefined && named !== undefined
      ? `one JSON object${named.length > 0 ? ` with at least ${keysInWords(named)}` : ''}`
      : 'one JSON value';
  const details = [
    schema && `It has to match this JSON Schema: ${stringify(schema)}`,
    schema && keys?.length && `It needs at least ${keysInWords(keys)}.`,
    example !== undefined && `It has the form of this example: ${stringify(example)}`,
    words && `About its content: ${words}`,
  ];
  return [
    `Answer with ${what} and nothing else: no words around it, no code fence.`,
    ...details.filter(Boolean),
  ].join('\n');
}

function keysInWords(keys: readonly string[]): string {
  const quoted = keys.map((key) => JSON.stringify(key));
  const last = quoted.pop();
  return quoted.length === 0 ? `the key ${last}` : `the keys ${quoted.join(', ')} and ${last}`;
}

function isKeys(given: Fields): given is Fields & Keys {
  const { keys, schema: _schema, whole, ...others } = given;
  const named = Array.isArray(keys) && keys.every((key) => typeof key === 'string');
  const flagged = whole === undefined || typeof whole === 'boolean';
  return named && flagged && Object.keys(others).length === 0;
}

const schemaTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const schemaWords = ['$schema', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'];

/** A JSON Schema rather than an example that happens to have a key `type`. */
function isSchema(given: Fields): given is JsonSchema {
  const types = [given.type].flat();
  if (given.type !== undefined) return types.every((type) => schemaTypes.includes(String(type)));
  return isObject(given.properties) || schemaWords.some((word) => Object.hasOwn(given, word));
}

/** Without big integers, which neither providers nor checkers of schemas take. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function unusable(given: unknown): EffectFailure {
  return refusal('PV4116', `got response_format ${stringify(given)}, want a format`, {
    hint: 'write "text", "json", {"keys": ["a", "b"]}, a JSON Schema or an example',
  });
}
