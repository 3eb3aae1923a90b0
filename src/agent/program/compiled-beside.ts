/**
 * The compiled file beside a playbook, `trip.pbasm` of `trip.playbook.md`: what a model has made of
 * it, and a person has reviewed. It is used in the place of the playbook while its hash is that of
 * the playbook, and is trusted as the playbook is. Its last line has the hashes of both texts.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AgentError } from '../port/errors.ts';
import { decoded } from './decoded.ts';

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
