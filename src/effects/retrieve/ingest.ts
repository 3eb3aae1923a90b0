/**
 * Loads files into the knowledge base. A file that is there with the same bytes is left alone; a
 * changed one is replaced; each in a transaction of its own, so that an interrupted load leaves
 * whole files and is taken up by loading again.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { Chunk } from './content.ts';
import { findDocument, removeDocument, writeDocument, writeVector } from './documents.ts';
import { embedPatiently } from './embedding.ts';
import { type FoundFile, findFiles, unreadable } from './files.ts';
import type { Knowledge } from './knowledge.ts';
import { fileBytesMax, load, loaderVersion, type Refusal, refusalOf } from './load/load.ts';

export interface IngestOptions {
  readonly signal?: AbortSignal;
  /** Called once per file, in order. */
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Removes documents under the given paths whose files are gone. */
  readonly prune?: boolean;
}

export interface IngestProgress {
  /** How many files are done, with this one. */
  readonly done: number;
  readonly total: number;
  readonly file: FileReport;
}

export interface FileReport {
  /** As it is cited, or for a skipped file relative to the path that was given. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly status: 'loaded' | 'updated' | 'unchanged' | 'skipped' | 'removed';
  /** Pieces of text and facts that it holds now. */
  readonly chunks: number;
  readonly facts: number;
  /** Why it was skipped: `code`, a sentence, and the line where its text is malformed. */
  readonly refusal?: Refusal;
  /** Whether an earlier version of a skipped file is still there. */
  readonly kept?: boolean;
}

export interface IngestReport {
  readonly files: readonly FileReport[];
  readonly loaded: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly removed: number;
}

/**
 * Throws `EffectFailure` when a path does not exist, the embedding model fails or the knowledge
 * base cannot be written, and the signal's reason when it is aborted. Files done by then stay.
 */
export async function ingest(
  knowledge: Knowledge,
  paths: readonly string[],
  options: IngestOptions = {},
): Promise<IngestReport> {
  const { signal = new AbortController().signal, onProgress, prune = false } = options;
  const under = (path: string): string[] => (prune ? documentsUnder(knowledge, path) : []);
  const found = findFiles(paths, (path) => under(path).length > 0);
  const vanished = [...new Set(paths.flatMap((path) => under(resolve(path))))].filter(
    (path) => !existsSync(resolve(knowledge.folder, path)),
  );
  const total = found.length + vanished.length;
  const files: FileReport[] = [];
  const report = (file: FileReport): void => {
    files.push(file);
    onProgress?.({ done: files.length, total, file });
  };
  for (const path of vanished) report(removeVanished(knowledge, path));
  for (const file of found) {
    signal.throwIfAborted();
    report(await ingestFile(knowledge, file, signal));
  }
  const count = (status: FileReport['status']): number =>
    files.filter((file) => file.status === status).length;
  return {
    files,
    loaded: count('loaded'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    skipped: count('skipped'),
    removed: count('removed'),
  };
}

async function ingestFile(
  knowledge: Knowledge,
  file: FoundFile,
  signal: AbortSignal,
): Promise<FileReport> {
  const path = pathIn(knowledge, file.path);
  const old = findDocument(knowledge, path);
  const skip = (refusal: Refusal): FileReport => ({
    ...base(file, old?.name),
    status: 'skipped',
    refusal,
    ...(old ? { kept: true } : {}),
  });
  const named = file.refusal ?? refusalOf(file.path, file.named);
  if (named) return skip(named);
  const read = await readBytes(file.path, signal);
  if ('code' in read) return skip(read);
  const hash = `${loaderVersion}:${createHash('sha256').update(read.bytes).digest('hex')}`;
  if (old?.hash === hash) return unchanged(knowledge, file, old, signal);
  const content = await load(path, read.bytes);
  if ('code' in content) return skip(content);
  const vectors = await vectorsOf(knowledge, content.chunks, content.title, signal);
  const document = { path, name: file.name, hash, modifiedAt: read.modifiedAt, content };
  const sizes = knowledge.transaction(() =>
    writeDocument(knowledge, vectors ? { ...document, vectors } : document),
  );
  const name = findDocument(knowledge, path)?.name;
  return { ...base(file, name), status: old ? 'updated' : 'loaded', ...sizes };
}

const base = (file: FoundFile, name: string | undefined) => ({
  name: name ?? file.name,
  path: file.path,
  chunks: 0,
  facts: 0,
});

/** A document with the same bytes still lacks vectors when the embedding model is another one. */
async function unchanged(
  knowledge: Knowledge,
  file: FoundFile,
  old: { id: number; name: string },
  signal: AbortSignal,
): Promise<FileReport> {
  const { embedder } = knowledge;
  const counts = knowledge.get<{ chunks: number; facts: number }>(
    'SELECT (SELECT count(*) FROM chunks WHERE document = ?1) AS chunks, ' +
      '(SELECT count(*) FROM facts WHERE document = ?1) + ' +
      '(SELECT count(*) FROM labels WHERE document = ?1) AS facts',
    old.id,
  );
  const lacking = embedder
    ? knowledge.all<{ id: number; heading: string; text: string; title: string }>(
        'SELECT c.id, c.heading, c.text, d.title FROM chunks c ' +
          'JOIN documents d ON d.id = c.document ' +
          'LEFT JOIN vectors v ON v.chunk = c.id AND v.model = ? ' +
          'WHERE c.document = ? AND v.chunk IS NULL ORDER BY c.ordinal',
        ...[embedder.name, old.id],
      )
    : [];
  const report = { ...base(file, old.name), ...counts };
  if (!embedder || lacking.length === 0) return { ...report, status: 'unchanged' };
  const texts = lacking.map((chunk) => embeddedText(chunk, chunk.title));
  const values = await embedAll(knowledge, texts, signal);
  knowledge.transaction(() => {
    lacking.forEach(({ id }, index) => {
      const vector = values[index];
      if (vector) writeVector(knowledge, id, embedder.name, vector);
    });
  });
  return { ...report, status: 'updated' };
}

async function vectorsOf(
  knowledge: Knowledge,
  chunks: Iterable<Chunk>,
  title: string,
  signal: AbortSignal,
): Promise<{ model: string; values: Float32Array[] } | undefined> {
  const { embedder } = knowledge;
  if (!embedder) return undefined;
  const values: Float32Array[] = [];
  let texts: string[] = [];
  for (const chunk of chunks) {
    texts.push(embeddedText(chunk, title));
    if (texts.length < batchTexts) continue;
    values.push(...(await embedAll(knowledge, texts, signal)));
    texts = [];
  }
  values.push(...(await embedAll(knowledge, texts, signal)));
  return values.length === 0 ? undefined : { model: embedder.name, values };
}

/** A piece of text says more with the headings above it. */
const embeddedText = (chunk: { heading: string; text: string }, title: string): string =>
  [chunk.heading || title, chunk.text].filter(Boolean).join('\n');

/** Texts per request to the embedding model. */
const batchTexts = 64;

async function embedAll(
  knowledge: Knowledge,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; knowledge.embedder && at < texts.length; at += batchTexts) {
    signal.throwIfAborted();
    const batch = texts.slice(at, at + batchTexts);
    vectors.push(...(await embedPatiently(knowledge.embedder, batch, signal)));
  }
  return vectors;
}

async function readBytes(
  path: string,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; modifiedAt: number } | Refusal> {
  try {
    const { size, mtimeMs } = await stat(path);
    if (size > fileBytesMax) {
      const reason = `too large: got ${size} bytes, want at most ${fileBytesMax}`;
      return { code: 'PV4313', reason };
    }
    return { bytes: await readFile(path, { signal }), modifiedAt: mtimeMs };
  } catch (error) {
    signal.throwIfAborted();
    return unreadable(error);
  }
}

function removeVanished(knowledge: Knowledge, path: string): FileReport {
  const document = findDocument(knowledge, path);
  if (document) knowledge.transaction(() => removeDocument(knowledge, document.id));
  const name = document?.name ?? path;
  const absolute = resolve(knowledge.folder, path);
  return { name, path: absolute, status: 'removed', chunks: 0, facts: 0 };
}

/** How a file is known in the knowledge base: relative to it, with forward slashes. */
const pathIn = (knowledge: Knowledge, path: string): string =>
  relative(knowledge.folder, path).split(sep).join('/');

/** The paths of the documents that are a file, or lie in a folder. */
function documentsUnder(knowledge: Knowledge, path: string): string[] {
  const inside = pathIn(knowledge, path);
  return knowledge
    .all<{ path: string }>('SELECT path FROM documents ORDER BY path')
    .map((row) => row.path)
    .filter((known) => {
      const rest = relative(resolve(knowledge.folder, inside), resolve(knowledge.folder, known));
      return rest === '' || !(rest === '..' || rest.startsWith(`..${sep}`));
    });
}
