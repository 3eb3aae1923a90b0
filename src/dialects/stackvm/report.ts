/** Collects diagnostics while a plan is read and checked. */
import type { Diagnostic, Note, Severity } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import { type CodeName, codeByName } from './codes.ts';

/** Where diagnostics go; the step is the label of the instruction that is being looked at. */
export interface Report {
  readonly diagnostics: Diagnostic[];
  step: string;
}

export interface Details {
  readonly hint?: string | undefined;
  readonly notes?: readonly Note[];
  readonly step?: string;
}

export const report = (): Report => ({ diagnostics: [], step: '' });

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
  to.diagnostics.push({
    code: codeByName[code],
    severity,
    message,
    line,
    column,
    ...(hint === undefined ? {} : { hint }),
    ...(step === '' ? {} : { step }),
    ...(notes === undefined ? {} : { notes }),
  });
}
