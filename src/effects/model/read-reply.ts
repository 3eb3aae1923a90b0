/** Reads a model's text as the format that was wanted of it. */

import { stringify, toJson } from '../../program/json.ts';
import { readModelJson, truncated, valueOfNode } from '../../program/json-text.ts';
import type { Reading } from './ask.ts';
import type { Format } from './model.ts';
import { type Check, schemaCheck } from './schema-check.ts';

/** Throws `EffectFailure` PV4116 when the format holds a schema that is none. */
export async function replyReader(format: Format): Promise<(text: string) => Reading<unknown>> {
  const { keys, schema } = format;
  const checks = [
    ...(keys === undefined ? [] : [keyCheck(keys)]),
    ...(schema === undefined ? [] : [await schemaCheck(schema)]),
  ];
  const want = keys !== undefined || schema?.type === 'object' ? 'object' : listOrAny(format);
  return (text) => {
    const { node, error, repairs } = readModelJson(text, want);
    if (error !== undefined) return { ok: false, problem: `it holds no JSON: ${error.message}` };
    if (node === undefined || repairs.some(({ code }) => code === truncated)) {
      return { ok: false, problem: 'its JSON ends in the middle' };
    }
    const value = toJson(valueOfNode(node));
    const problem = checks.map((check) => check(value)).find((found) => found !== undefined);
    if (problem !== undefined) return { ok: false, problem };
    const mended = repairs.map(({ message, line, column }) => `${line}:${column}: ${message}`);
    return { ok: true, value, mended };
  };
}

const listOrAny = ({ schema }: Format): 'array' | 'any' =>
  schema?.type === 'array' ? 'array' : 'any';

function keyCheck(keys: readonly string[]): Check {
  return (value) => {
    const names = keys.map((key) => JSON.stringify(key)).join(', ');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return `got ${clip(stringify(value))}, want a JSON object with the keys ${names}`;
    }
    const missing = keys.filter((key) => !Object.hasOwn(value, key));
    if (missing.length === 0) return undefined;
    const given = Object.keys(value).map((key) => JSON.stringify(key));
    return `got an object with ${given.join(', ') || 'no keys'}, want the keys ${names}`;
  };
}

const clip = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
