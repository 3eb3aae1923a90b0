/** Waits for more than one: `Wait for 3 replies`, `Wait twice`, `Wait for several answers`. */
import { namePattern } from '../../../program/name.ts';
import { numbers } from './numbers.ts';
import { personNoun } from './words.ts';

/** `Wait for 3 replies`, `Wait twice`: how often, and for what each time. */
export function countIn(
  text: string,
): { readonly times: string; readonly once: string } | undefined {
  const [, once, often] = oftenForm.exec(text) ?? [];
  if (once !== undefined && often !== undefined) return { times: capital(often), once };
  const [, head, count, what = ''] = repliesForm.exec(text) ?? [];
  if (head === undefined || count === undefined) return undefined;
  return { times: capital(`${count} times`), once: `${head}a ${what}` };
}

const count = String.raw`\d+|\$${namePattern}|${numbers.slice(2).join('|')}`;
const reply = 'repl(?:y|ies)|answer|response|message';

const oftenForm = new RegExp(
  String.raw`^(\p{L}+(?:\s.+?)?),?\s+((?:${count})\s+times|twice|thrice)$`,
  'iu',
);

const repliesForm = new RegExp(
  String.raw`^(\p{L}+\s+for\s+)(?:exactly\s+)?(${count})\s+(?:more\s+|further\s+|new\s+)?` +
    `(${reply})s?$`,
  'iu',
);

/** Of several replies nobody can say how often they come, or from whom. */
export const isForReplies = (text: string): boolean => severalReplies.test(text);

const severalReplies = new RegExp(
  String.raw`(?<!\p{XIDC})(?:several|(?:a )?few|many|multiple|some more|${count})\s+` +
    String.raw`(?:(?:more|further|new|different|other)\s+)?` +
    String.raw`(?:${reply}|${personNoun}|people|events?)(?!\p{L}*['’])`,
  'iu',
);

const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
