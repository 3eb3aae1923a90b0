/**
 * The text of a program: read from its file, decoded, with the files beside it that it names, and,
 * of a playbook, with the compiled file that stands in its place.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { limitTable } from '../../program/limits.ts';
import { AgentError, reasonOf } from '../port/errors.ts';

export interface Source {
  readonly text: string;
  /** As diagnostics name it. */
  readonly file: string;
  /** Short: the title of a run. */
  readonly title: string;
  /** What keeps it from being a text at all. */
  readonly wrong?: Diagnostic;
}

/** The text of a file with those that it loads. Throws `AgentError` PV6006. */
export async function readFileSource(file: string): Promise<Source> {
  try {
    const { text, ...more } = decoded(readFileSync(file));
    return { text: await whole(text, file), ...more, file, title: basename(file) };
  } catch (cause) {
    const gone = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new AgentError('PV6006', `cannot read ${file}: ${reasonOf(cause)}`, {
      hint: gone ? 'check the path' : undefined,
      facts: { file, isMissing: gone },
      cause,
    });
  }
}

type Bundler = (text: string, read: (name: string) => string | undefined) => string;

/** What puts the other files of a program behind it, where it may have some. */
async function bundlerOf(text: string, file: string): Promise<Bundler | undefined> {
  if (file.endsWith('.star') && text.includes('load')) {
    return (await import('../../dialects/starlark/bundle.ts')).bundle;
  }
  if (file.endsWith('.stack') && text.includes('use')) {
    return (await import('../../dialects/stack/bundle.ts')).bundleStack;
  }
  return undefined;
}

/** A program with the files that it loads, which are beside it or below. */
async function whole(text: string, file: string): Promise<string> {
  if (isOfPlaybooks(file) && text.includes('!import')) return await withImported(text, file);
  const bundle = await bundlerOf(text, file);
  if (!bundle) return text;
  const folder = dirname(resolve(file));
  return bundle(text, (name) => readBeside(folder, name)?.text);
}

const isOfPlaybooks = (file: string): boolean => /\.(?:playbook\.md|pb|pbasm)$/.test(file);

/** Playbooks with what they import: each file in the folder of the one that names it, or below. */
async function withImported(text: string, file: string): Promise<string> {
  const { withImports } = await import('../../dialects/playbook/source/import.ts');
  const own = realpathSync(file);
  return withImports(text, (path, from) => {
    const found = readBeside(join(dirname(resolve(file)), dirname(from)), path);
    return found?.file === own ? undefined : found?.text;
  });
}

// The files that a program names. It may come from anybody, or from a model, and what they hold
// goes to models: so only a text beside the program or below is read, wherever links lead; no
// folder, pipe or device; nothing whose name begins with a dot, such as settings and keys.

export interface Beside {
  /** Without a byte order mark. */
  readonly text: string;
  /** Absolute, without links. */
  readonly file: string;
}

/** Undefined where there is no such file, or none that may be read. */
function readBeside(folder: string, name: string): Beside | undefined {
  if (isAbsolute(name)) return undefined;
  try {
    const file = realpathSync(join(folder, name));
    const within = relative(realpathSync(folder), file);
    if (isAbsolute(within) || within.split(sep).some((part) => part.startsWith('.'))) {
      return undefined;
    }
    return { text: utf8.decode(regular(file)), file };
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws for what is no file, and for more than a program may have. */
function regular(file: string): Buffer {
  // Without waiting for the other end of a pipe.
  const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) throw new Error(`${file} is no regular file`);
    if (stats.size > limitTable.sourceBytes.default) throw new Error(`${file} is too long`);
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}

// The text of bytes that are to be UTF-8, and where the first of them is that is not.

export interface Decoded {
  readonly text: string;
  readonly wrong?: Diagnostic;
}

export function decoded(data: Uint8Array): Decoded {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const read = bytes.toString('utf8');
  // A byte order mark says nothing of a text in UTF-8.
  const text = read.replace(/^\uFEFF/, '');
  const at = firstWrong(bytes, read);
  if (at === undefined) return { text };
  const right = bytes.subarray(0, at).toString('utf8');
  const before = right.replace(/^\uFEFF/, '').split('\n');
  const byte = bytes[at]?.toString(16).padStart(2, '0').toUpperCase();
  const message = `got the byte ${byte}, want a text in UTF-8`;
  const wrong: Diagnostic = {
    ...{ code: 'PV2007', severity: 'error', message, hint: 'save the file in UTF-8' },
    ...{ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
  };
  return { text, wrong };
}

/** The offset of the first byte that is no part of a character. */
function firstWrong(bytes: Buffer, text: string): number | undefined {
  let offset = 0;
  let from = 0;
  // Each such byte was read as this sign, which a text may hold itself.
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', from)) {
    offset += Buffer.byteLength(text.slice(from, at));
    if (!bytes.subarray(offset, offset + replacement.length).equals(replacement)) return offset;
    offset += replacement.length;
    from = at + 1;
  }
  return undefined;
}

const replacement = Buffer.from('\uFFFD');

// The compiled file beside a playbook, `trip.pbasm` of `trip.playbook.md`: what a model has made of
// it, and a person has reviewed. It is used in the place of the playbook while its hash is that of
// the playbook, and is trusted as the playbook is. Its last line has the hashes of both texts.

/** A program as it was read. */
interface ReadText {
  readonly file: string;
  readonly text: string;
}

const endings = /\.playbook\.md$|\.pb$|(?<=(?:^|[/\\])SKILL)\.md$/;

/** Where it stands; undefined for what is not a playbook in words. */
export const besideName = (file: string): string | undefined =>
  endings.test(file) ? file.replace(endings, '.pbasm') : undefined;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const stamp = /^<!-- compiled by planvm: of (\w{64}), as (\w{64}) -->\n$/m;

/** The compiled text of a playbook with its hashes. */
export const stamped = (compiled: string, playbook: string): string =>
  `${compiled}\n<!-- compiled by planvm: of ${hash(playbook)}, as ${hash(`${compiled}\n`)} -->\n`;

/** The text beside a playbook, and the stamp in it; undefined where none can be read. */
function besideOf({ file }: ReadText) {
  const name = besideName(file);
  try {
    if (name === undefined) return undefined;
    const { text } = decoded(readFileSync(name));
    return { name, text, found: stamp.exec(text) };
  } catch {
    return undefined;
  }
}

/** The program that is run for a playbook: its compiled file, where that fits it. */
export function withBeside<Source extends ReadText>(source: Source): Source {
  const { found, name = '', text = '' } = besideOf(source) ?? {};
  return found?.[1] === hash(source.text) ? { ...source, text, file: name } : source;
}

/** A compiled file that does not fit its playbook any more; undefined where there is none. */
export function unusedBeside(source: ReadText): string | undefined {
  const { found, name } = besideOf(source) ?? {};
  return found && found[1] !== hash(source.text) ? name : undefined;
}

/** Throws `AgentError` PV6014 for a file that a person has changed, or has written. */
export function refuseEdited(source: ReadText): void {
  const { found, name, text = '' } = besideOf(source) ?? {};
  const isUntouched = found?.[2] === hash(text.slice(0, found?.index));
  if (isUntouched || text.trim() === '') return;
  const message = `${name} was changed since planvm wrote it`;
  throw new AgentError('PV6014', message, { facts: { file: source.file } });
}
