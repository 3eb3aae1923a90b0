/** Collects what is found in a list of actions, by the names that its codes have. */
import type { Diagnostic, Severity } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import { add, type Details, foundIn, type Report } from '../report.ts';
import { type CodeName, codeByName } from './codes.ts';

export { type Report, report, take } from '../report.ts';

export const found = (report: Report): Diagnostic[] => foundIn(report, codeByName.more);

export function error(to: Report, code: CodeName, at: Site, text: string, more?: Details): void {
  add(to, 'error', codeByName[code], at, text, more);
}

export function warn(to: Report, code: CodeName, at: Site, text: string, more?: Details): void {
  add(to, 'warning', codeByName[code], at, text, more);
}

/** A finding where there is no report yet. */
export function diagnosticOf(
  severity: Severity,
  code: CodeName,
  { line, column }: Site,
  message: string,
  hint?: string,
): Diagnostic {
  const more = hint === undefined ? {} : { hint };
  return { code: codeByName[code], severity, message, line, column, ...more };
}

/** The beginning of a text that a message quotes. */
export const shortened = (text: string): string =>
  text.length > 40 ? `${text.slice(0, 40)}…` : text;
