/**
 * Why a command could not do its work, and what it tells the person who called it: one sentence and
 * a hint, on stderr. Where a stack helps, `--verbose` shows it.
 */
import { type CliCode, codes } from './codes.ts';
import { type ExitCode, exit } from './exit.ts';
import { say, styleOf } from './output.ts';

/** Wrong usage or configuration. The message is one sentence: *got X, want Y*. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliCode;
  readonly hint: string | undefined;
  readonly exit: ExitCode;

  constructor(
    code: CliCode,
    message: string,
    details: { hint?: string | undefined; exit?: ExitCode; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.exit = details.exit ?? exit.usage;
  }
}

/** Prints what was thrown and gives the exit code that it stands for. */
export function reportFailure(thrown: unknown, verbose: boolean): ExitCode {
  const style = styleOf(process.stderr);
  const { code, message, hint, ends } = describe(thrown);
  say(`${style.error(`error ${code}:`)} ${message}`);
  if (hint !== undefined) say(`  ${style.good('hint:')} ${hint}`);
  if (verbose && thrown instanceof Error) say(style.dim(stackOf(thrown)));
  return ends;
}

interface Described {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly ends: ExitCode;
}

/** Every layer's errors carry a code; they are told by it, so that no layer has to be loaded. */
function describe(thrown: unknown): Described {
  if (thrown instanceof CliError) {
    const { code, message, hint } = thrown;
    return { code, message, hint, ends: thrown.exit };
  }
  if (thrown instanceof Error && 'code' in thrown && isOurs(thrown.code)) {
    const hint = 'hint' in thrown && typeof thrown.hint === 'string' ? thrown.hint : undefined;
    return { code: thrown.code, message: thrown.message, hint, ends: exitOfCode(thrown.code) };
  }
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return {
    code: 'PV6099',
    message: `${codes.PV6099.replace(/\.$/, '')}: ${message}`,
    hint: 'please report it with what --verbose prints',
    ends: exit.failed,
  };
}

const isOurs = (code: unknown): code is string =>
  typeof code === 'string' && /^PV\d{4}$/.test(code);

/** What the caller can mend by calling differently, and what has failed while it worked. */
const failedAtWork: ReadonlySet<string> = new Set([
  'PV4302',
  'PV4304',
  'PV4308',
  'PV4309',
  'PV5002',
  'PV5013',
  'PV5014',
  'PV5016',
  'PV5018',
  'PV5109',
]);

const exitOfCode = (code: string): ExitCode => (failedAtWork.has(code) ? exit.failed : exit.usage);

function stackOf(error: Error): string {
  const stack = error.stack ?? String(error);
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}
