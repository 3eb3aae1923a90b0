/** The text of a program: from a file, or from stdin where `-` is named. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CliError } from './failure.ts';
import { say } from './output.ts';
import { reasonOf } from './project.ts';

export interface Source {
  readonly text: string;
  /** As diagnostics name it. */
  readonly file: string;
  /** Short: the title of a run. */
  readonly title: string;
}

/** Throws `CliError` PV6006. */
export async function readSource(file: string): Promise<Source> {
  if (file === '-') {
    if (process.stdin.isTTY) say('reading the program from the terminal; Ctrl-D ends it');
    const { text } = await import('node:stream/consumers');
    return { text: withoutMark(await text(process.stdin)), file: 'stdin', title: 'stdin' };
  }
  try {
    return { text: withoutMark(readFileSync(file, 'utf8')), file, title: basename(file) };
  } catch (cause) {
    const gone = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new CliError('PV6006', `cannot read ${file}: ${reasonOf(cause)}`, {
      hint: gone ? 'check the path; - reads the program from stdin' : undefined,
      cause,
    });
  }
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');
