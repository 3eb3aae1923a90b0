/** Collects diagnostics of a plan by the names that this dialect has for its codes. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import { add, type Details, foundIn, type Report } from '../report.ts';
import { type CodeName, codeByName } from './code-names.ts';

export { type Report, report } from '../report.ts';

/** Errors after which a text is read no further: it is something else, and may be millions long. */
const errorsMax = 10_000;

/** Whether reading on would tell nobody anything. */
export function isHopeless({ counts }: Report): boolean {
  let errors = 0;
  for (const [kind, count] of counts) if (kind.endsWith(' error')) errors += count;
  return errors >= errorsMax;
}

/** Everything that was found, and how much of it is not listed. */
export const found = (report: Report): Diagnostic[] => foundIn(report, codeByName.more);

export function error(to: Report, code: CodeName, at: Site, text: string, more?: Details): void {
  add(to, 'error', codeByName[code], at, text, more);
}

export function warn(to: Report, code: CodeName, at: Site, text: string, more?: Details): void {
  add(to, 'warning', codeByName[code], at, text, more);
}
