/**
 * Brackets and quotes of statements that may go over lines. A quote in brackets goes on in the next
 * line: models break the lines of a text where Python would want another mark for that.
 */

/** What is open at the end of a text: how many brackets, and the mark of a quote. */
export interface Open {
  readonly depth: number;
  readonly quote: string;
}

/** Code without its comments; a `#` in a text is none. */
export function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (const [begin, end] of walked(text, 0, code, () => false).comments) {
    kept += text.slice(from, begin);
    from = end;
  }
  return kept + text.slice(from);
}

interface Walk {
  /** Whether a `#` begins a comment. */
  readonly hasComments: boolean;
  /** Whether a quote also goes on in the next line where no bracket is open. */
  readonly isMarked: boolean;
}

const code: Walk = { hasComments: true, isMarked: false };
const marked: Walk = { hasComments: false, isMarked: true };

/** Of code: what its lines have left open. */
export function openIn(text: string): Open {
  const { depth, quote } = walked(text, 0, code, () => false);
  return { depth, quote };
}

/** Where the brackets are closed that open behind `from`; -1 where they are not. */
export function closedAt(text: string, from: number): number {
  const { at, isFound } = walked(text, from, marked, ({ sign, depth }) => {
    return depth === 0 && ')]}'.includes(sign);
  });
  return isFound ? at : -1;
}

/** Where a mark stands outside of brackets and quotes; -1 for nowhere. */
export function markAt(text: string, from: number, mark: string): number {
  const { at, isFound } = walked(text, from, marked, ({ sign, depth }) => {
    return depth <= 0 && sign === mark;
  });
  return isFound ? at : -1;
}

/** Whether nothing is left open from an offset on. */
export function isClosed(text: string, from = 0): boolean {
  const { depth, quote } = walked(text, from, marked, () => false);
  return depth <= 0 && quote === '';
}

interface Place {
  readonly sign: string;
  /** How many brackets are open behind it. */
  readonly depth: number;
}

interface Walked extends Open {
  readonly at: number;
  readonly isFound: boolean;
  /** Where comments begin and end. */
  readonly comments: readonly (readonly [number, number])[];
}

function walked(
  text: string,
  from: number,
  { hasComments, isMarked }: Walk,
  isEnd: (place: Place) => boolean,
): Walked {
  const comments: [number, number][] = [];
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (quote !== '') {
      if (sign === '\\') at++;
      else if (closes(text, at, quote)) {
        at += quote.length - 1;
        quote = '';
      } else if (sign === '\n' && quote.length === 1 && depth === 0 && !isMarked) quote = '';
      continue;
    }
    if (hasComments && sign === '#') {
      const end = lineEnd(text, at);
      comments.push([at, end]);
      at = end - 1;
    } else if (opensQuote(text, at)) {
      quote = isThrice(text, at) ? sign.repeat(3) : sign;
      at += quote.length - 1;
    } else {
      if ('([{'.includes(sign)) depth++;
      else if (')]}'.includes(sign)) depth--;
      if (isEnd({ sign, depth })) return { depth, quote, at, isFound: true, comments };
    }
  }
  return { depth, quote, at: text.length, isFound: false, comments };
}

/** Quotes as printers have them are closed by their own marks. */
const closers: Readonly<Record<string, string>> = { '“': '”“', '„': '”“', '”': '”', '«': '»' };

export const closes = (text: string, at: number, quote: string): boolean =>
  quote in closers ? closers[quote]?.includes(text[at] ?? '') === true : text.startsWith(quote, at);

/** An apostrophe opens none; before a quote there may be letters that say of which kind it is. */
function opensQuote(text: string, at: number): boolean {
  const sign = text[at] ?? '';
  const before = text.slice(Math.max(0, at - 3), at);
  // What mostly closes one, or stands for inches, opens one where a value begins.
  if (sign === '”') return /(?:^|[(,=[:])\s*[fFrRbBuU]{0,2}$/.test(before);
  if (sign !== "'") return sign === '"' || sign in closers;
  return /(?:^|[^\p{XIDC}])[fFrRbBuU]{0,2}$/u.test(before);
}

const isThrice = (text: string, at: number): boolean =>
  text.startsWith((text[at] ?? '').repeat(3), at);

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
