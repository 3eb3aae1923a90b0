/** What only shows a line off, and says nothing: emphasis, a box to tick, a number, a picture. */
import { namePattern } from '../../../program/name.ts';

/** The line without it; what stands in quotes stays as it is. */
export function unmarked(text: string): string {
  const bare = text.replace(leading, '').replace(/^`([^`]+)`[.:]?$/, '$1');
  if (!/[*_`\]]/.test(bare)) return bare;
  return bare
    .replace(emphasised, '$2')
    .replace(/"(?:\\.|[^"\\])*"|[^"]+|"/g, (part, offset: number) => {
      if (/^".*"$/s.test(part)) return part;
      const plain = part.replace(link, '$1').replace(strong, '$1').replace(variable, '$1');
      return offset === 0 ? plain.replace(emphasis, '$2') : plain;
    });
}

/** `[ ]`, `Step 3:`, `3.1)`, `1.2 Ask …`, `Finally, `, `✅`. */
const leading = new RegExp(
  String.raw`^(?:\[[ xX]\]\s+|(?:[Ss]tep|[ÉEée]tape)\s+\d+(?:\.\d+)*\s*[:.)–-]\s+|` +
    // A number before a colon may be a case: `1: …`.
    String.raw`\d{1,3}(?:\.\d{1,3})*[.)]\s+|0\d(?:\.\d{2})*:\s+|` +
    String.raw`\d{1,3}(?:\.\d{1,3})+:?\s+(?=[\p{Lu}$"])|` +
    String.raw`(?:[Ff]irst|[Ss]econd|[Tt]hird|[Ff]inal|[Ll]ast)(?:ly)?[,:]\s+|` +
    String.raw`(?:[Nn]ext|[Nn]ow|[Tt]hen|[Aa]fter that|[Aa]fterwards)[,:]\s+|` +
    String.raw`(?:[Tt]hen|[Ff]inally)\s+(?=[\p{L}$"])|` +
    String.raw`\p{Extended_Pictographic}(?:\u{FE0F}|\u{200D}|\p{Extended_Pictographic}|` +
    String.raw`\p{Emoji_Modifier})*\s*)+`,
  'u',
);

/** `*"See you!"*`. */
const emphasised = /(?<![\p{XIDC}*_])(\*{1,3}|_{1,3})("(?:\\.|[^"\\])*")\1(?![\p{XIDC}*_])/gu;

/** `[Refund](#refund)`; `F[0](x)` is none. */
const link = /(?<!\p{XIDC})\[([^[\]]+)\]\((?:#|https?:|mailto:|\.{0,2}\/)[^()\s]*\)/gu;
const strong = /(?<![\p{XIDC}*])\*\*(?=[^\s*])([^*\n]*[^\s*])\*\*(?![\p{XIDC}*])/gu;
const emphasis = /^([*_]{1,3})(?=\p{L})([\p{L} ]+)\1(?![\p{XIDC}*_])/u;
const variable = new RegExp(`\`(\\$${namePattern})\``, 'gu');
