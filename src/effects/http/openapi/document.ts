/**
 * The text of an OpenAPI document and of the files that it refers to, as data. Bounded: a document
 * is somebody else's, and a small one can ask for much (aliases in YAML, references in circles).
 */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LineCounter, parse, YAMLParseError } from 'yaml';
import { isObject as isAnyObject } from '../../foreign-json.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Why there is no document, or why a part of it cannot be used. */
export class BadDocument extends Error {
  override readonly name = 'BadDocument';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** A value of a document, and the address of the file that it stands in. */
export interface Located {
  readonly value: Json;
  readonly at: string;
}

export interface Document {
  readonly root: JsonObject;
  /** `file:` or `https:` */
  readonly at: string;
  /** What a `$ref` in the file at `from` refers to. Throws `BadDocument`. */
  find(ref: string, from: string): Located;
}

/** Bytes of a document, and of all files that it refers to together. */
export const documentBytesMax: number = 32 * 2 ** 20;
const filesMax = 64;

export interface ReadOptions {
  /** Folders in which other files may be read; none for a document of the web. */
  readonly folders: readonly string[];
}

/** Throws `BadDocument`. */
export function readDocument(text: string, at: string, { folders }: ReadOptions): Document {
  const root = objectIn(text, at);
  const files = new Map<string, Json>([[at, root]]);
  let bytes = text.length;
  const fileAt = (address: string): Json => {
    const known = files.get(address);
    if (known !== undefined) return known;
    if (!address.startsWith('file:') || folders.length === 0) {
      throw new BadDocument(
        `${address} is another document, which is not fetched`,
        'put all of it into one document: redocly bundle, or swagger-cli bundle',
      );
    }
    const path = fileURLToPath(address);
    if (!folders.some((folder) => isInside(path, folder))) {
      throw new BadDocument(`${path} lies outside of the document's folder`);
    }
    if (files.size >= filesMax) throw new BadDocument(`it refers to more than ${filesMax} files`);
    const other = textOf(path);
    bytes += other.length;
    if (bytes > documentBytesMax) throw tooLarge(at);
    const data = dataIn(other, address);
    files.set(address, data);
    return data;
  };
  return {
    root,
    at,
    find(ref, from) {
      const [file = '', pointer = ''] = ref.split('#', 2);
      const address = file === '' ? from : new URL(file, from).href;
      return { value: valueAt(fileAt(address), pointer, ref), at: address };
    },
  };
}

/** Reads a document from a path. Throws `BadDocument`. */
export function readDocumentFile(path: string): Document {
  const folders = [dirname(path), process.cwd()];
  return readDocument(textOf(path), pathToFileURL(resolve(path)).href, { folders });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const why = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new BadDocument(`${path}: ${why}`, 'check the path');
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && resolve(folder, way) === path;
}

function objectIn(text: string, at: string): JsonObject {
  if (text.length > documentBytesMax) throw tooLarge(at);
  const data = dataIn(text, at);
  if (!isObject(data)) throw new BadDocument('it holds no object, want an OpenAPI document');
  const { openapi, swagger } = data;
  if (typeof openapi === 'string' && /^3\.[01]\b/.test(openapi)) return data;
  const got =
    openapi !== undefined
      ? `OpenAPI ${String(openapi)}`
      : swagger !== undefined
        ? `Swagger ${String(swagger)}`
        : 'neither openapi nor paths';
  const isOld = swagger !== undefined;
  throw new BadDocument(
    `got ${got}, want an OpenAPI document of version 3.0 or 3.1`,
    isOld ? 'convert it first: npx swagger2openapi FILE' : undefined,
  );
}

const tooLarge = (at: string): BadDocument =>
  new BadDocument(`${at} is larger than ${documentBytesMax} bytes with what it refers to`);

/** JSON is YAML, and is read in a small part of the time. */
function dataIn(text: string, at: string): Json {
  const plain = text.replace(/^\uFEFF/, '');
  if (/^\s*[{[]/.test(plain)) {
    try {
      return JSON.parse(plain);
    } catch {
      // It may still be YAML, which has such brackets, too.
    }
  }
  const lineCounter = new LineCounter();
  try {
    // Pretty errors quote the line for each error, which takes ever longer on a long line.
    const options = { maxAliasCount: 1000, prettyErrors: false, merge: true, lineCounter };
    const data: Json = parse(plain, options);
    return data;
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : String(cause);
    const { line, col } =
      cause instanceof YAMLParseError ? lineCounter.linePos(cause.pos[0]) : { line: 0, col: 0 };
    const place = line === 0 ? '' : ` at line ${line}, column ${col}`;
    throw new BadDocument(`${at} is neither JSON nor YAML: ${why}${place}`);
  }
}

/** RFC 6901. */
function valueAt(root: Json, pointer: string, ref: string): Json {
  let value: Json | undefined = root;
  for (const raw of decodeURIComponent(pointer).split('/').slice(1)) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    const next: Json | undefined = Array.isArray(value)
      ? value[Number(key)]
      : isObject(value) && Object.hasOwn(value, key)
        ? value[key]
        : undefined;
    if (next === undefined) throw new BadDocument(`${ref} refers to nothing`);
    value = next;
  }
  return value;
}

export const isObject = (value: Json | undefined): value is JsonObject => isAnyObject(value);

/** Follows references until there is none; a circle of nothing but references is an error. */
export function resolved(document: Document, { value, at }: Located): Located {
  let here = { value, at };
  for (let step = 0; step < 32; step++) {
    const ref = isObject(here.value) ? here.value.$ref : undefined;
    if (typeof ref !== 'string') return here;
    here = document.find(ref, here.at);
  }
  throw new BadDocument('references lead in a circle');
}
