/** Collects diagnostics while a text is read and checked; of a thousand alike it lists a few. */
import type { Diagnostic, FileSite, Note, Severity } from '../program/diagnostic.ts';

/** Where diagnostics go; the step is the label of what is being looked at. */
export interface Report {
  readonly diagnostics: Diagnostic[];
  /** How many there were of each code and severity. */
  readonly counts: Map<string, number>;
  step: string;
  /** Of one code and severity, how many are listed. */
  readonly most: number;
  /** Whether reading has stopped before the end: there was nothing in it that could be a plan. */
  isCut: boolean;
}

export interface Details {
  /** A function where finding it takes time. */
  readonly hint?: string | undefined | (() => string | undefined);
  readonly notes?: readonly Note[];
  readonly step?: string;
  readonly unknown?: string | undefined;
}

/** Diagnostics of one code and severity that are listed one by one, for people to read. */
const perCodeMax = 20;

export const report = (most?: number): Report => ({
  diagnostics: [],
  counts: new Map(),
  step: '',
  most: most ?? perCodeMax,
  isCut: false,
});

/** Everything that was found, and how much of it is not listed, which has a code of its own. */
export function foundIn(report: Report, moreCode: string): Diagnostic[] {
  const { diagnostics, counts, most } = report;
  const all = [...diagnostics];
  const rest = report.isCut ? '; nothing was read behind them' : '';
  for (const [kind, count] of counts) {
    const [code, severity] = kind.split(' ');
    const last = all.findLast((one) => one.code === code && one.severity === severity);
    if (count <= most || !last) continue;
    const { line, column, file, unknown } = last;
    const message = `${count - most} more like the ${code} here${rest}`;
    all.push({
      code: moreCode,
      severity: last.severity,
      message,
      line,
      column,
      ...(file && { file }),
      ...(unknown && { unknown }),
    });
  }
  return all;
}

/** Takes what others have found as if it had been found here. */
export function take(to: Report, diagnostic: Diagnostic): void {
  const { code, severity } = diagnostic;
  if (count(to, code, severity)) to.diagnostics.push(diagnostic);
}

export function add(
  to: Report,
  severity: Severity,
  code: string,
  { line, column, file }: FileSite,
  message: string,
  { hint, notes, unknown, step = to.step }: Details = {},
): void {
  if (!count(to, code, severity)) return;
  const advice = typeof hint === 'function' ? hint() : hint;
  to.diagnostics.push({
    code,
    severity,
    message,
    line,
    column,
    ...(file === undefined ? {} : { file }),
    ...(advice === undefined ? {} : { hint: advice }),
    ...(unknown === undefined ? {} : { unknown }),
    ...(step === '' ? {} : { step }),
    ...(notes === undefined ? {} : { notes }),
  });
}

/** Counts one more; says whether it is listed. */
function count({ counts, most }: Report, code: string, severity: Severity): boolean {
  const kind = `${code} ${severity}`;
  const total = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, total);
  return total <= most;
}

/**
 * How a run gets a value that no part of its program gives. The command line, which is the only one
 * that tells a person of its flags, finds them by these words: see `cli/advice.ts`.
 */
export const inputHint = (name: string): string =>
  `a run can be given it as the input ${isPlain(name) ? name : JSON.stringify(name)}`;

/** Whether a shell and the command line read the name as it is. */
const isPlain = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name);
