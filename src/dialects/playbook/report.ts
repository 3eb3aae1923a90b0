/** Collects what is found in playbooks, by the names that its codes have. */
import type { Diagnostic, FileSite, Severity } from '../../program/diagnostic.ts';
import { add, type Details, foundIn, type Report } from '../report.ts';
import { type CodeName, codeByName } from './codes.ts';

export { type Details, type Report, report, take } from '../report.ts';

export const found = (report: Report): Diagnostic[] => foundIn(report, codeByName.more);

type Tell = (to: Report, code: CodeName, at: FileSite, text: string, more?: Details) => void;

const tell =
  (severity: Severity): Tell =>
  (to, code, at, text, more) =>
    add(to, severity, codeByName[code], at, text, more);

export const error: Tell = tell('error');
export const warn: Tell = tell('warning');
