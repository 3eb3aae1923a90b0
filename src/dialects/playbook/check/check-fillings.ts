/** What stands between braces in quotes where nothing can be filled in. */
import type { CompiledPlaybook } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { error, type Report, warn } from '../report.ts';
import type { Names } from '../steps/names/names.ts';
import { readFilling } from '../text/filling.ts';
import { namesIn } from '../text/variables.ts';

export function checkFillings(
  { name, parameters, steps }: CompiledPlaybook,
  { callees }: Names,
  report: Report,
): void {
  const all = flatSteps(steps);
  const own = [...parameters.map((one) => one.name), ...all.flatMap(({ writes }) => writes)];
  const locals = new Set(own.filter((one) => !one.startsWith('$')));
  for (const { isAmbiguous, number, place, text } of all) {
    if (isAmbiguous) continue;
    for (const written of openIn(text, locals)) {
      const message = `got ${written} in quotes, which nothing closes`;
      const step = `${name}:${number}`;
      error(report, 'unfilled', place, message, { hint: openHint, step, about: written });
    }
    const wrong: string[] = [];
    for (const written of fillingsIn(text)) {
      const read = readFilling(written.slice(1, -1));
      if (!read || 'filling' in read || namesIn(written, locals).length === 0) continue;
      // A call of what there is not is said to be one.
      if (read.callee !== undefined && !callees.has(read.callee)) continue;
      wrong.push(written);
      const message = `got ${written} in quotes, which ${read.problem}`;
      error(report, 'unfilled', place, message, {
        ...{ hint, step: `${name}:${number}`, about: written },
      });
    }
    for (const written of doubledIn(text, locals)) {
      if (wrong.some((one) => written.includes(one))) continue;
      const message = `got ${written} in quotes, where a brace stays on both sides of the value`;
      const step = `${name}:${number}`;
      const want = `write ${written.replace(/^\{\{\s*/, '{').replace(/\s*\}\}$/, '}')}`;
      warn(report, 'unfilled', place, message, { hint: want, step, about: written });
    }
  }
}

const hint =
  'want sums, comparisons, parts, methods that change nothing, or a if condition else b; ' +
  'compute other things in a line before it, into a variable';

const openHint = 'want braces around it, as in {$name}, and in them quotes of the other kind';

const quotes = /"((?:\\.|[^"\\])*)"|(?<![\p{L}\d])'((?:\\.|[^'\\])*)'/gu;

const quotesIn = (text: string): string[] =>
  [...text.matchAll(quotes)].map(([, double, single]) => double ?? single ?? '');

const fillingsIn = (text: string): string[] =>
  quotesIn(text).flatMap((quote) =>
    (quote.match(/\{[^{}]+\}/g) ?? []).map((one) => one.replace(/\\(["'\\])/g, '$1')),
  );

/** `{{$x}}`, as other templates have it. */
const doubledIn = (text: string, locals: ReadonlySet<string>): string[] =>
  quotesIn(text).flatMap((quote) =>
    [...quote.matchAll(doubled)].flatMap(([written, name = '']) =>
      name.startsWith('$') || locals.has(name) ? [written] : [],
    ),
  );

const doubled = /(?<!\{)\{\{\s*(\$?\p{XIDS}\p{XIDC}*)[^{}]*\}\}(?!\})/gu;

/** Variables behind a brace that is not closed, or before one that is not open. */
const openIn = (text: string, locals: ReadonlySet<string>): string[] =>
  quotesIn(text).flatMap((quote) => {
    const rest = quote.replace(/\{[^{}]*\}/g, (all) => ' '.repeat(all.length));
    const found = rest.match(/\{\s*\$?\p{XIDS}\p{XIDC}*|\$\p{XIDS}\p{XIDC}*\s*\}/gu) ?? [];
    return found.filter((one) => one.includes('$') || locals.has(one.replace(/\{\s*/, '')));
  });
