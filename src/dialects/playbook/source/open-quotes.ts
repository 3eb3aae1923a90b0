/** Quotes in lines of steps that begin and do not end: such a line means its words, not a text. */
import { type Report, warn } from '../report.ts';
import type { SourceLine } from './tree.ts';

export function checkQuotes(lines: readonly SourceLine[], report: Report): void {
  for (const { text, place, children } of lines) {
    const open = openQuote(text);
    if (open !== undefined) {
      const [got = ''] = text.slice(open).split('\n');
      const shown = got.length > 40 ? `${got.slice(0, 40)}…` : got;
      const hint =
        'close it: what stands in quotes is a text as it is, this line is taken in words';
      warn(report, 'openQuote', place, `got a quote that is not closed: ${shown}`, { hint });
    }
    checkQuotes(children, report);
  }
}

/** Where a quote begins that does not end. One behind a number is a sign for inches. */
function openQuote(text: string): number | undefined {
  let open: number | undefined;
  for (const { 0: quote, index } of text.matchAll(/(?<!\\)["“”„]/g)) {
    if (open !== undefined) open = undefined;
    else if (begins.test(text.slice(0, index)) && /^\S/.test(text.slice(index + 1))) {
      open = quote === '”' ? undefined : index;
    }
  }
  return open;
}

/** What a quote that begins stands behind. */
const begins = /(?:^|[\s([{=:,>—–-])$/;
