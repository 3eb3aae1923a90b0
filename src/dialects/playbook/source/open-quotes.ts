/**
 * Quotes in lines of steps that begin and do not end: such a line means its words, not a text. So
 * does a line that is too long to be anything else.
 */
import { type Report, warn } from '../report.ts';
import { shortened } from '../text/long-lines.ts';
import { quoteEnd, straightened } from '../text/quotes.ts';
import type { SourceLine } from './tree.ts';

export function checkQuotes(lines: readonly SourceLine[], report: Report): void {
  for (const { text: written, place, children } of lines) {
    const text = straightened(written);
    if (shortened(text).isLong) {
      const message = `got a line of ${text.length} characters, which is taken in words`;
      const hint = 'put a long text into a block of code under a line, as in $mail =, and use that';
      warn(report, 'longLine', place, message, { hint });
    }
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
  for (const { 0: quote, index } of text.matchAll(/(?<!\\)["“”„«]/g)) {
    if (open !== undefined) open = undefined;
    else if (begins.test(text.slice(0, index)) && /^\S/.test(text.slice(index + 1))) {
      open = quote === '”' ? undefined : index;
    }
  }
  return open ?? openSingle(text);
}

/** One of the marks that are apostrophes, too, where it can be none. */
function openSingle(text: string): number | undefined {
  const all = [...text.matchAll(single)].map(({ 0: before, index }) => index + before.length);
  return all.find((at) => quoteEnd(text, at) === undefined);
}

const single = /(?:^(?:say|reply|respond|answer|print)\s*:?\s*|[(=]\s*)(?=['‘‚‹]\p{L})/giu;

/** What a quote that begins stands behind. */
const begins = /(?:^|[\s([{=:,>—–-])$/;
