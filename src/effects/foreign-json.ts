/** Reads what another program has answered, of whose form nothing is sure. */

export type Data = Readonly<Record<string, unknown>>;

/** The members of an object; none where it is no object. */
export const dataOf = (value: unknown): Data =>
  typeof value === 'object' && value !== null ? (value as Data) : {};

/** The items of a list; none where it is no list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list. */
export const rowsOf = (value: unknown): readonly Data[] => listOf(value).map(dataOf);

/** Without the members that are undefined. */
export const defined = (data: Data): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));

/** Without percent signs; as it is where they stand for no text. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member by a name from outside, which may be one that every object inherits. */
export const memberOf = <Value>(
  data: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(data, name) ? data[name] : undefined);

/** Reads JSON; integers that lose digits as a number become big integers. Throws `SyntaxError`. */
export const parseExactJson = (text: string): unknown =>
  // Only such a text needs the slower way.
  /\d{16}/.test(text)
    ? JSON.parse(text, exact as Parameters<typeof JSON.parse>[1])
    : JSON.parse(text);

function exact(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value);
  return isExact || !/^-?\d+$/.test(source) ? value : BigInt(source);
}
