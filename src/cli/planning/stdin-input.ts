/**
 * What is piped into `ask`: an input variable of the program, `stdin`. A terminal is nobody's
 * input, nor is a pipe with nothing in it.
 */
import { fstatSync } from 'node:fs';
import { showBytes } from '../../agent/settings/quantity.ts';
import { limits } from '../../program/limits.ts';
import { CliError } from '../failure.ts';
import type { Settings } from '../settings/settings.ts';
import { say, styleOf } from '../view/output.ts';

/** After so long somebody may wonder what is waited for. */
const patienceMs = 2000;

/**
 * Undefined where nothing is piped in, or nothing comes. `way`: how to go on without it. Throws
 * `CliError` PV7505 for what is no text, or larger than a value of the run may be.
 */
export async function readStdin(settings: Settings, way: string): Promise<string | undefined> {
  if (!isPiped()) return undefined;
  const most = limits(settings.limits).valueBytes;
  const chunks: Buffer[] = [];
  let size = 0;
  const wait = setTimeout(() => {
    say(styleOf(process.stderr).dim(`reading stdin to its end; ${way} goes on without it`));
  }, patienceMs);
  try {
    for await (const chunk of process.stdin) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > most) throw tooLarge(most);
      chunks.push(bytes);
    }
  } finally {
    clearTimeout(wait);
  }
  if (size === 0) return undefined;
  return decoded(Buffer.concat(chunks));
}

/** A file, a pipe or a socket: neither a terminal nor a device such as /dev/null. */
export function isPiped(): boolean {
  if (process.stdin.isTTY) return false;
  try {
    const found = fstatSync(0);
    return found.isFIFO() || found.isFile() || found.isSocket();
  } catch {
    return false;
  }
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CliError('PV7505', 'stdin: got bytes that are no text, want text in UTF-8', {
      hint: 'name the file in the goal instead, for a tool that reads it',
      cause,
    });
  }
}

const tooLarge = (most: number): CliError =>
  new CliError(
    'PV7505',
    `stdin: got more than ${showBytes(most)}, the size that a value may have`,
    {
      hint: '--value-bytes allows larger ones',
    },
  );
