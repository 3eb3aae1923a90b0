/** Collects what is found in playbooks, by the names that its codes have. */
import type { Diagnostic, FileSite } from '../../program/diagnostic.ts';
import { add, report as anyReport, type Details, foundIn, type Report } from '../report.ts';
import { type CodeName, codeByName } from './codes.ts';

export { type Details, type Report, take } from '../report.ts';

export const report = (most?: number): Report => anyReport(most);

export const found = (report: Report): Diagnostic[] => foundIn(report, codeByName.more);

export function error(to: Report, code: CodeName, at: FileSite, text: string, more?: Details) {
  add(to, 'error', codeByName[code], at, text, more);
}

export function warn(to: Report, code: CodeName, at: FileSite, text: string, more?: Details) {
  add(to, 'warning', codeByName[code], at, text, more);
}
