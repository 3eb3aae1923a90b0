/** Files that a person names: what cannot be read or written is said by its name. */
import { readFileSync, writeFileSync } from 'node:fs';
import { reasonOf } from '../../agent/port/errors.ts';
import { CliError } from '../failure.ts';

type Code = ConstructorParameters<typeof CliError>[0];

/** Throws `CliError`, PV6006 unless another code is given. */
export function readText(file: string, code: Code = 'PV6006', hint?: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CliError(code, `cannot read ${file}: ${reasonOf(cause)}`, { hint, cause });
  }
}

/** Only for whoever has called it: it may hold all that a run has seen. */
export function writeText(file: string, text: string, code: Code, hint?: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (cause) {
    throw new CliError(code, `cannot write ${file}: ${reasonOf(cause)}`, { hint, cause });
  }
}
