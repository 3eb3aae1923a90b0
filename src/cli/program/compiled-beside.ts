/**
 * The compiled file beside a playbook, `trip.pbasm` of `trip.playbook.md`: what a model has made of
 * it, and a person has reviewed. It is used in the place of the playbook while its hash is that of
 * the playbook, and is trusted as the playbook is. Its last line has the hashes of both texts.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CliError } from '../failure.ts';
import { say } from '../view/output.ts';
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

const stamp = /^<!-- planvm compile --ask: of (\w{64}), as (\w{64}) -->\n$/m;

/** The compiled text of a playbook with its hashes. */
export const stamped = (compiled: string, playbook: string): string =>
  `${compiled}\n<!-- planvm compile --ask: of ${hash(playbook)}, as ${hash(`${compiled}\n`)} -->\n`;

interface Beside {
  readonly text: string;
  /** Whether it is of the playbook as that is now; absent where it does not say of what it is. */
  readonly fits: boolean | undefined;
  /** Whether it is as planvm has written it. */
  readonly isUntouched: boolean;
}

function besideOf({ file, text: playbook }: ReadText): Beside | undefined {
  const name = besideName(file);
  if (name === undefined) return undefined;
  try {
    const { text } = decoded(readFileSync(name));
    const found = stamp.exec(text);
    const [, of, as] = found ?? [];
    const isUntouched = found !== null && as === hash(text.slice(0, found.index));
    return {
      text,
      fits: of === undefined ? undefined : of === hash(playbook),
      isUntouched: isUntouched || text.trim() === '',
    };
  } catch {
    return undefined;
  }
}

/** The program that is run for a playbook: its compiled file, where that fits it. */
export function withBeside<Source extends ReadText>(source: Source): Source {
  const beside = besideOf(source);
  const name = besideName(source.file);
  if (beside?.fits === undefined || name === undefined) return source;
  if (beside.fits) return { ...source, text: beside.text, file: name };
  const short = basename(name);
  say(`${short} is not used: it is not of ${basename(source.file)} as that is now`);
  say(`planvm compile --ask ${source.file} makes it again`);
  return source;
}

/** Throws `CliError` PV6014 for a file that a person has changed, or has written. */
export function refuseEdited(source: ReadText): void {
  const beside = besideOf(source);
  if (!beside || beside.isUntouched) return;
  throw new CliError('PV6014', `${besideName(source.file)} was changed since planvm wrote it`, {
    hint: '--force replaces it',
  });
}
