/**
 * Where an OpenAPI document comes from: a file, or an address. What was fetched is kept for a day,
 * so that programs can be checked without a network, and with the same tools as they are run with.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EffectFailure } from '../../../engine/handler.ts';
import { request } from '../../web/request.ts';
import {
  BadDocument,
  type Document,
  documentBytesMax,
  isObject,
  readDocument,
  readDocumentFile,
} from './document.ts';
import { type Operations, type OperationsOptions, operationsOf } from './operations.ts';
import { variableFor } from './security.ts';

/** What a configuration says of a document. */
export interface ApiSource extends Omit<OperationsOptions, 'name'> {
  /** A path, or an address of HTTP. */
  readonly source: string;
  /** The namespace of its tools. Default: after the file, or the title. */
  readonly name?: string | undefined;
}

export interface ApiOptions {
  /** Where documents of addresses are kept. */
  readonly folder: string;
  /** False: only what is kept is looked at. */
  readonly fetches: boolean;
  /** Read for `PLANVM_NAME_URL`, where its server is. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Api extends Operations {
  readonly name: string;
  /** Why what was kept is used although it is old. */
  readonly stale?: string;
}

/** Undefined where nothing may be fetched, and nothing is kept. Throws `BadDocument`. */
export async function openApi(api: ApiSource, options: ApiOptions): Promise<Api | undefined> {
  const isWeb = /^https?:/.test(api.source);
  const found = isWeb
    ? await documentAt(new URL(api.source), options)
    : { document: readDocumentFile(api.source) };
  if (!found) return undefined;
  const { document, ...rest } = found;
  const name = api.name ?? nameOf(api.source, document);
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) {
    throw new BadDocument(`name: got ${JSON.stringify(name)}, want letters, digits, _ . and -`);
  }
  const variable = `PLANVM_${variableFor(name)}_URL`;
  const server = options.env[variable]?.trim() || api.server;
  if (server !== undefined && !/^https?:\/\//.test(server)) {
    throw new BadDocument(`got the server ${server}, want an address of HTTP`, `see ${variable}`);
  }
  return { name, ...operationsOf(document, { ...api, name, server }), ...rest };
}

interface Kept {
  readonly url: string;
  readonly fetchedAt: number;
  readonly text: string;
}

const freshMs = 24 * 60 * 60 * 1000;
const fetchMs = 30_000;

async function documentAt(
  url: URL,
  { folder, fetches }: ApiOptions,
): Promise<{ document: Document; stale?: string } | undefined> {
  const path = join(folder, `${createHash('sha256').update(url.href).digest('hex')}.json`);
  const kept = readKept(path);
  const read = (text: string): Document => readDocument(text, url.href, { folders: [] });
  if (kept && (!fetches || Date.now() - kept.fetchedAt < freshMs)) {
    return { document: read(kept.text) };
  }
  if (!fetches) return undefined;
  try {
    const text = await fetched(url);
    const document = read(text);
    mkdirSync(folder, { recursive: true });
    const record: Kept = { url: url.href, fetchedAt: Date.now(), text };
    writeFileSync(path, JSON.stringify(record));
    return { document };
  } catch (error) {
    if (!(error instanceof EffectFailure || error instanceof BadDocument)) throw error;
    if (kept) return { document: read(kept.text), stale: error.message };
    throw new BadDocument(error.message, error.hint);
  }
}

async function fetched(url: URL): Promise<string> {
  const answer = await request(url, {
    ...{ context: { signal: AbortSignal.timeout(fetchMs) }, configured: true },
    headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
    bytesMax: documentBytesMax,
  });
  if (answer.status === 200) return new TextDecoder().decode(answer.bytes);
  throw new BadDocument(`${url.origin}${url.pathname} answered with ${answer.status}`);
}

function readKept(path: string): Kept | undefined {
  try {
    const data: Partial<Kept> = JSON.parse(readFileSync(path, 'utf8'));
    const { url, fetchedAt, text } = data;
    if (url === undefined || fetchedAt === undefined || text === undefined) return undefined;
    return { url, fetchedAt, text };
  } catch {
    // It was never kept, or is none: it is fetched again.
    return undefined;
  }
}

/** Names that say nothing of what a document describes. */
const generic = /^(open-?api|swagger|api|api-?docs|index|spec|schema|v\d+)$/i;

function nameOf(source: string, { root }: Document): string {
  const file = basename(source.split(/[?#]/, 1)[0] ?? '').replace(/\.\w+$/, '');
  const own = identifier(file);
  if (own !== '' && !generic.test(file)) return own;
  const { info } = root;
  const title = isObject(info) && typeof info.title === 'string' ? info.title : '';
  const words = title.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return identifier(words.slice(0, 3).join('_')) || 'api';
}

const identifier = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\w]+/g, '_')
    .replace(/^[_\d]+|(?<!_)_+$/g, '')
    .slice(0, 40);
