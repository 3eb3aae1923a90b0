/**
 * Warnings on stderr, each said once; and a model that cannot be had, which is told in one line.
 */
import type { Warning } from '../../engine/result.ts';
import { count, oneLine } from '../../text/words.ts';
import { type Style, say, styleOf, told } from './output.ts';
import type { View } from './view.ts';

/** What is said of many places alike is said of the first few of them, and how often it is. */
export function sayWarnings(warnings: readonly Warning[]): void {
  const style = styleOf(process.stderr);
  const alike = Map.groupBy(warnings, alikeKey);
  for (const [key, group] of alike) {
    if (told.has(key)) continue;
    for (const one of group.slice(0, alikeMax)) warningLines(one, style).forEach(say);
    const more = group.length - alikeMax;
    if (more > 0) say(style.dim(`  … the same ${count(more, 'time')} more`));
  }
}

/** Tells a warning where a run still goes on; it is not said again at the end. */
export function tellWarning(warning: Warning, note: View['note']): void {
  const key = alikeKey(warning);
  if (told.has(key)) return;
  told.add(key);
  warningLines(warning, styleOf(process.stderr)).forEach(note);
}

const alikeKey = ({ code, message }: Warning): string => `${code} ${message}`;

function warningLines(warning: Warning, style: Style): string[] {
  const { code, message, file, step, line, column, hint } = warning;
  const of = file === undefined ? '' : `${file}:`;
  const place = step ? `step ${step}: ` : line ? `${of}${line}:${column ?? 0}: ` : '';
  const label = style.warning(`warning${code === undefined ? '' : ` ${code}`}:`);
  const lines = [`${label} ${place}${oneLine(message)}`];
  return hint === undefined ? lines : [...lines, `  ${style.dim('hint:')} ${oneLine(hint)}`];
}

const alikeMax = 3;

export interface ModelError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

export function modelLine({ code, message, hint }: ModelError): string {
  const advice = hint === undefined ? '' : `; ${hint}`;
  return `${styleOf(process.stderr).error(`error ${code}:`)} ${oneLine(message)}${advice}`;
}
