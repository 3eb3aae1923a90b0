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
}

export interface Details extends AnyDetails {
  /** The word of the line that it is about: its place is that of this. */
  readonly about?: string;
}

export const report = (most?: number, placeOf?: WordPlace): Report => {
  return { ...anyReport(most), placeOf };
};

export const found = (report: Report): Diagnostic[] => foundIn(report, codeByName.more);

type Tell = (to: Report, code: CodeName, at: FileSite, text: string, more?: Details) => void;

const tell =
  (severity: Severity): Tell =>
  (to, code, at, text, { about, ...more } = {}) => {
    const place = about === undefined ? at : (to.placeOf?.(at, about) ?? at);
    add(to, severity, codeByName[code], place, text, more);
  };

export const error: Tell = tell('error');
export const warn: Tell = tell('warning');
