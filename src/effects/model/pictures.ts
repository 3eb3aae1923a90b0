/**
 * Pictures among values, as servers of MCP and `download` give them: `{"type": "image", "mimeType":
 * "image/png", "data": base64}`. They are sent as pictures; the text says where they stood. Pure.
 */
import { isObject } from '../foreign-json.ts';

export interface Picture {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export interface Shown {
  /** The value with a word in place of the data of each picture. */
  readonly value: unknown;
  readonly pictures: readonly Picture[];
}

/** What providers take. */
const seen: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** A picture stands in a result or in a list of its parts; no deeper one is looked for. */
const depthMax = 8;

export function withoutPictures(given: unknown): Shown {
  const pictures: Picture[] = [];
  const replaced = (value: unknown, depth: number): unknown => {
    if (depth > depthMax) return value;
    if (Array.isArray(value)) return value.map((one) => replaced(one, depth + 1));
    if (!isObject(value) || value instanceof Uint8Array) return value;
    const picture = pictureIn(value);
    if (!picture) {
      const entries = Object.entries(value);
      return Object.fromEntries(entries.map(([name, one]) => [name, replaced(one, depth + 1)]));
    }
    pictures.push(picture);
    return { ...value, data: `picture ${pictures.length} of this message` };
  };
  return { value: replaced(given, 0), pictures };
}

function pictureIn({ type, mimeType, data }: Readonly<Record<string, unknown>>) {
  if (type !== 'image' || typeof mimeType !== 'string' || typeof data !== 'string')
    return undefined;
  const isData = seen.has(mimeType) && data !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  return isData ? { mediaType: mimeType, data } : undefined;
}

/** What one takes of a window, at most: providers make large ones smaller. */
export const pictureTokens = 1600;
