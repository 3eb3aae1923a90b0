/** Collects what is found in playbooks, by the names that its codes have. */
import type { Diagnostic, FileSite, Severity } from '../../program/diagnostic.ts';
import {
  type Details as AnyDetails,
  type Report as AnyReport,
  add,
  report as anyReport,
  foundIn,
} from '../report.ts';
import { type CodeName, codeByName } from './codes.ts';
import type { WordPlace } from './source/word-place.ts';

export { take } from '../report.ts';

export interface Report extends AnyReport {
  /** Where the text is known. */
  readonly placeOf?: WordPlace | undefined;
  /** What has been said, and where: of a line that is several steps it is said once. */
  readonly said: Set<string>;
}

export interface Details extends AnyDetails {
  /** What in the line it is about, as it is written there: its place is that of this. */
  readonly about?: string;
}

export const report = (most?: number, placeOf?: WordPlace): Report => ({
  ...anyReport(most),
  placeOf,
  said: new Set(),
});

export const found = (report: Report): Diagnostic[] => foundIn(report, codeByName.more);

export function error(
  to: Report,
  code: CodeName,
  at: FileSite,
  text: string,
  more?: Details,
): void {
  tell(to, 'error', code, at, text, more);
}

export function warn(to: Report, code: CodeName, at: FileSite, text: string, more?: Details): void {
  tell(to, 'warning', code, at, text, more);
}

function tell(
  to: Report,
  severity: Severity,
  code: CodeName,
  at: FileSite,
  text: string,
  { about, ...more }: Details = {},
): void {
  const place = about === undefined ? at : (to.placeOf?.(at, about) ?? at);
  const key = [severity, code, place.file, place.line, place.column, text].join(' ');
  if (to.said.has(key)) return;
  to.said.add(key);
  add(to, severity, codeByName[code], place, text, more);
}
