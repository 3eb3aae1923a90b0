/**
 * Events and run records as text, the same for every journal. Large strings are lifted out of the
 * text, wherever in the event they are, so that a journal can keep each once (J4); readers get them
 * back in place.
 */
import { JournalError } from './journal.ts';

/** Strings of this many UTF-16 units and more are kept apart. */
export const largeTextChars = 4096;

/** Levels of objects and arrays. Events are shallow: what is deeper holds itself. */
const depthMax = 64;

/** Keys from the event down to one of its strings. */
export type Path = readonly string[];

export interface Large {
  readonly path: Path;
  readonly text: string;
}

export interface Encoded {
  /** JSON, with empty strings where the large ones were. */
  readonly text: string;
  readonly large: readonly Large[];
}

/** Throws `JournalError` PV5005 for what JSON cannot hold. */
export function encode(value: object): Encoded {
  try {
    if (isSmall(value, 0)) return { text: JSON.stringify(value), large: none };
    const large: Large[] = [];
    const text = JSON.stringify(lift(value, [], large));
    return { text, large };
  } catch (error) {
    const type = 'type' in value ? ` ${String(value.type)}` : '';
    const message = `the event${type} cannot be written, got something that is not JSON data`;
    throw new JournalError('PV5005', `${message}: ${(error as Error).message}`, error);
  }
}

/** A new object each time, the callers' own. Throws `JournalError` PV5013 for a wrong path. */
export function decode(encoded: Encoded): Record<string, unknown> {
  const value: Record<string, unknown> = JSON.parse(encoded.text);
  for (const { path, text } of encoded.large) place(value, path, text);
  return value;
}

const none: readonly Large[] = [];

/** Whether an object is shallow data without large strings, as nearly every event is. */
function isSmall(value: object, depth: number): boolean {
  if (depth > depthMax) return false;
  for (const key in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof inner === 'string') {
      if (inner.length >= largeTextChars) return false;
    } else if (typeof inner === 'object' && inner !== null) {
      if (!isSmall(inner, depth + 1)) return false;
    } else if (typeof inner === 'number') {
      if (!Number.isFinite(inner)) return false;
    } else if (inner !== null && inner !== undefined && typeof inner !== 'boolean') return false;
  }
  return true;
}

/** The value without its large strings; itself when it has none. */
function lift(value: unknown, path: Path, large: Large[]): unknown {
  switch (typeof value) {
    case 'string':
      // A lone surrogate survives in JSON, as an escape, but not in UTF-8: such a text stays.
      if (value.length < largeTextChars || !value.isWellFormed()) return value;
      large.push({ path, text: value });
      return '';
    case 'object':
      return value === null ? null : liftWithin(value, path, large);
    case 'number':
      if (Number.isFinite(value)) return value;
      throw new TypeError(`${value} at ${path.join('.')}`);
    case 'boolean':
    case 'undefined':
      return value;
    default:
      throw new TypeError(`a ${typeof value} at ${path.join('.')}`);
  }
}

function liftWithin(value: object, path: Path, large: Large[]): object {
  if (path.length > depthMax) throw new TypeError(`more than ${depthMax} levels of nesting`);
  let copy: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(value)) {
    // Most strings are short, and a path for each would cost more than the rest of this function.
    if (typeof inner === 'string' && inner.length < largeTextChars) continue;
    const lifted = lift(inner, [...path, key], large);
    if (lifted === inner) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = lifted;
  }
  return copy ?? value;
}

/** Replaces the empty string that stands there. A path to anything else writes nothing. */
function place(value: Record<string, unknown>, path: Path, text: string): void {
  let parent: unknown = value;
  for (const key of path.slice(0, -1)) parent = ownOf(parent, key);
  const last = path.at(-1) ?? '';
  if (ownOf(parent, last) !== '') {
    const place = `a large value belongs to ${JSON.stringify(path.join('.').slice(0, 100))}`;
    throw new JournalError('PV5013', `the journal is damaged: ${place}, where none was left out`);
  }
  (parent as Record<string, unknown>)[last] = text;
}

const ownOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
