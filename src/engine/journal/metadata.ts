/** Metadata of runs: data of the caller's own by which runs are found again, kept as it is. */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../program/json.ts';

export type RunMetadata = Readonly<Record<string, Json>>;

/** As JSON in UTF-8. */
export const metadataBytesMax: number = 16 * 1024;

/** What keeps a value from being the metadata of a run, as *got X, want Y*. */
export function metadataProblem(value: unknown): string | undefined {
  const want = 'want an object of plain JSON data';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `got ${Array.isArray(value) ? 'a list' : (value ?? typeof value)}, ${want}`;
  }
  let text: string;
  try {
    text = JSON.stringify(value);
    // A date, undefined and NaN come back as something else.
    if (!isDeepStrictEqual(JSON.parse(text), value)) return `got what JSON cannot hold, ${want}`;
  } catch (error) {
    return `got what JSON cannot hold (${(error as Error).message}), ${want}`;
  }
  if (text.includes('"__proto__":')) return 'got the key __proto__, want another key';
  const bytes = Buffer.byteLength(text);
  if (bytes <= metadataBytesMax) return undefined;
  return `got ${bytes} bytes of JSON, want at most ${metadataBytesMax}`;
}

/**
 * One text for each key with its value, equal exactly where both are equal: journals compare these.
 * Keys of objects within a value have no order.
 */
export const metadataTerms = (metadata: RunMetadata): string[] =>
  Object.entries(metadata).map((entry) => JSON.stringify(entry, sorted));

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
