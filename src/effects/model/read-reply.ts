/** Reads a model's text as the format that was wanted of it. */
import { toJson } from '../../program/json.ts';
import {
  type ReadText,
  readJson,
  readModelJson,
  truncated,
  valueOfNode,
} from '../../text/json-text.ts';
import { answerOf, readObject } from '../../text/model-text.ts';
import type { Attempt, SchemaCheck } from '../json-schema.ts';
import type { Reading } from './ask.ts';
import type { Format } from './model.ts';
import { schemaCheck } from './schema-check.ts';

export type ReplyReader = (text: string, attempt: Attempt) => Promise<Reading<unknown>>;

/** Throws `EffectFailure` PV4116 when the format holds a schema that is none. */
export async function replyReader(format: Format): Promise<ReplyReader> {
  const { keys, schema } = format;
  const checks = [
    ...(keys === undefined ? [] : [keyCheck(keys)]),
    ...(schema === undefined ? [] : [await schemaCheck(schema)]),
  ];
  const isObject = keys !== undefined || schema?.type === 'object';
  const wanted = [...(keys ?? []), ...(schema?.required ?? [])];
  const find = isObject
    ? (text: string) => readObject(text, wanted)
    : schema?.type === 'array'
      ? (text: string) => readModelJson(text, 'array')
      : readAny;
  return async (text, attempt) => {
    const { node, error, repairs } = find(text);
    if (error !== undefined) return { ok: false, problem: error.message };
    if (node === undefined || repairs.some(({ code }) => code === truncated)) {
      return { ok: false, problem: 'its JSON ends in the middle' };
    }
    const value = toJson(valueOfNode(node));
    for (const check of checks) {
      const problem = await check(value, attempt);
      if (problem !== undefined) return { ok: false, problem };
    }
    const mended = repairs.map(({ message, line, column }) => `${line}:${column}: ${message}`);
    return { ok: true, value, mended };
  };
}

/** Among prose, only lists and objects are told from words; a text that is one value may be any. */
function readAny(text: string): Pick<ReadText, 'node' | 'error' | 'repairs'> {
  const whole = readJson(answerOf(text));
  return whole.node === undefined ? readModelJson(text) : whole;
}

/** For objects: `readObject` gives nothing else. */
function keyCheck(keys: readonly string[]): SchemaCheck {
  return (value) => {
    const given = Object.keys(Object(value));
    // A key in another case is read, with a warning, where it is picked.
    const plain = new Set(given.map((key) => key.toLowerCase()));
    if (keys.every((key) => plain.has(key.toLowerCase()))) return undefined;
    return `got an object with ${quoted(given) || 'no keys'}, want the keys ${quoted(keys)}`;
  };
}

const quoted = (names: readonly string[]): string =>
  names.map((name) => JSON.stringify(name)).join(', ');
