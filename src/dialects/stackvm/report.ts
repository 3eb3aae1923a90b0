/** Collects diagnostics while a plan is read and checked; of a thousand alike it lists a few. */
import type { Diagnostic, Note, Severity } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import { type CodeName, codeByName } from './codes.ts';

/** Where diagnostics go; the step is the label of the instruction that is being looked at. */
export interface Report {
  readonly diagnostics: Diagnostic[];
  /** How many there were of each code and severity. */
  readonly counts: Map<string, number>;
  step: string;
  /** Whether reading has stopped before the end: there was nothing in it that could be a plan. */
  isCut: boolean;
}

export interface Details {
  /** A function where finding it takes time. */
  readonly hint?: string | undefined | (() => string | undefined);
  readonly notes?: readonly Note[];
  readonly step?: string;
}

export const report = (): Report => ({
  diagnostics: [],
  counts: new Map(),
  step: '',
  isCut: false,
});

/** Diagnostics of one code and severity that are listed one by one. */
const perCodeMax = 20;

/** Errors after which a text is read no further: it is something else, and may be millions long. */
const errorsMax = 10_000;

/** Whether reading on would tell nobody anything. */
export function isHopeless({ counts }: Report): boolean {
  let errors = 0;
  for (const [kind, count] of counts) if (kind.endsWith(' error')) errors += count;
  return errors >= errorsMax;
}

/** Everything that was found, and how much of it is not listed. */
export function found(report: Report): Diagnostic[] {
  const { diagnostics, counts } = report;
  const all = [...diagnostics];
  const rest = report.isCut ? '; nothing was read behind them' : '';
  for (const [kind, count] of counts) {
    const [code, severity] = kind.split(' ');
    const last = all.findLast((one) => one.code === code && one.severity === severity);
    if (count <= perCodeMax || !last) continue;
    const { line, column } = last;
    const message = `${count - perCodeMax} more like the ${code} here${rest}`;
    all.push({ code: codeByName.more, severity: last.severity, message, line, column });
  }
  return all;
}

export function error(to: Report, code: CodeName, at: Site, text: string, more?: Details): void {
  add(to, 'error', code, at, text, more);
}

export function warn(to: Report, code: CodeName, at: Site, text: string, more?: Details): void {
  add(to, 'warning', code, at, text, more);
}

function add(
  to: Report,
  severity: Severity,
  code: CodeName,
  { line, column }: Site,
  message: string,
  { hint, notes, step = to.step }: Details = {},
): void {
  const kind = `${codeByName[code]} ${severity}`;
  const count = (to.counts.get(kind) ?? 0) + 1;
  to.counts.set(kind, count);
  if (count > perCodeMax) return;
  const advice = typeof hint === 'function' ? hint() : hint;
  to.diagnostics.push({
    code: codeByName[code],
    severity,
    message,
    line,
    column,
    ...(advice === undefined ? {} : { hint: advice }),
    ...(step === '' ? {} : { step }),
    ...(notes === undefined ? {} : { notes }),
  });
}
