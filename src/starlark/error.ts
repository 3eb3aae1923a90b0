/** How an evaluation has failed, in data and in the words of a back-trace. */
import type { Diagnostic } from '../program/diagnostic.ts';
import type { GuestError } from '../program/effect.ts';

export interface Position {
  readonly file: string;
  /** From 1; 0 where there is no place in a text. */
  readonly line: number;
  readonly column: number;
}

/** A call under way. `file` is `<builtin>` for a function of the library or of the host. */
export interface EvaluationFrame extends Position {
  readonly function: string;
}

export interface EvaluationError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** Where it happened, in the innermost frame that is in a file. */
  readonly position: Position;
  /** Innermost last; none for a static error. */
  readonly frames: readonly EvaluationFrame[];
  /** All of it as text. */
  readonly backtrace: string;
}

const builtinFile = '<builtin>';

export function errorOf(error: GuestError, fileName: string): EvaluationError {
  const { code, message, hint } = error;
  const frames = error.trace.map(({ name, file = fileName, ...place }) =>
    file === builtinFile
      ? { function: name, file, line: 0, column: 0 }
      : { function: name, file, line: place.line, column: place.column },
  );
  const innermost = frames.findLast(({ file }) => file !== builtinFile);
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    position: {
      file: innermost?.file ?? fileName,
      line: innermost?.line ?? 0,
      column: innermost?.column ?? 0,
    },
    frames,
    backtrace: backtrace(frames, message),
  };
}

/** As starlark-go writes it: a library function on top is named beside the message. */
function backtrace(frames: readonly EvaluationFrame[], message: string): string {
  const last = frames.at(-1);
  const inside = last?.file === builtinFile ? last.function : undefined;
  const rows = frames
    .slice(0, inside === undefined ? undefined : -1)
    .map(({ function: name, file, line, column }) =>
      file === builtinFile ? `  ${file}: in ${name}` : `  ${file}:${line}:${column}: in ${name}`,
    );
  const head = rows.length > 0 ? ['Traceback (most recent call last):', ...rows] : [];
  return [...head, `Error${inside === undefined ? '' : ` in ${inside}`}: ${message}`].join('\n');
}

/** The first of some static errors, as the error of an evaluation. */
export function staticError(
  diagnostics: readonly Diagnostic[],
  file: string,
): { readonly error?: EvaluationError } {
  const [first] = diagnostics;
  if (!first) return {};
  const { code, message, hint, line, column } = first;
  return {
    error: {
      code,
      message,
      ...(hint !== undefined && { hint }),
      position: { file, line, column },
      frames: [],
      backtrace: `${file}:${line}:${column}: ${message}`,
    },
  };
}
