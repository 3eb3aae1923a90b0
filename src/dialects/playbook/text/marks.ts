/** What only shows a line off, and says nothing: emphasis, a box to tick, a number, a picture. */
import { namePattern } from '../../../program/name.ts';
import { isInside } from './brackets.ts';

/** The line without it; what stands in quotes stays as it is. */
export function unmarked(text: string): string {
  const bare = text
    .replace(leading, '')
    .replace(/(?<=\S)\s*;$/, '')
    .replace(/^`([^`]+)`[.:]?$/, '$1');
  if (!/[*_`\]]/.test(bare)) return bare;
  return bare
    .replace(emphasised, '$2')
    .replace(comparison, (all, inner) => inner ?? all)
    .replace(/"(?:\\.|[^"\\])*"|[^"]+|"/g, (part, offset: number) => {
      if (/^".*"$/s.test(part)) return part;
      const plain = part.replace(link, '$1').replace(strong, '$1').replace(variable, '$1');
      return offset === 0 ? plain.replace(emphasis, '$2') : plain;
    });
}

/** Without a remark as programs have them: `$n = 1  # how many`; `they are # 1` has none. */
export function withoutRemark(text: string): string {
  for (const { 0: gap, index } of text.matchAll(/\s+(?=#\s+\S)/g)) {
    const before = text.slice(0, index);
    if (index === 0 || isInside(text, index + gap.length)) continue;
    if (gap.length > 1 || plainBefore.test(before)) return before;
  }
  return text;
}

const plainBefore = new RegExp(String.raw`^\$?${namePattern}(?::\w+)?\s*=|\)$`, 'u');

/** Heads and ends of blocks without the braces that other languages put around those. */
export const withoutBraces = (text: string): string =>
  text.replace(/^\}\s*(?=el(?:se|if|sif)\b)/i, '').replace(/(?<=[)\w"'])\s*\{$/, '');

/** `[ ]`, `Step 3:`, `3.1)`, `1.2 Ask …`, `Finally, `, `✅`. */
const leading = new RegExp(
  String.raw`^(?:\[[ xX]\]\s+|>\s+|(?:[Ss]tep|[ÉEée]tape)\s+\d+(?:\.\d+)*\s*[:.)–-]\s+|` +
    // A number before a colon may be a case: `1: …`.
    String.raw`\d{1,3}(?:\.\d{1,3})*[.)]\s+|0\d(?:\.\d{2})*:\s+|` +
    String.raw`\d{1,3}(?:\.\d{1,3})+:?\s+(?=[\p{Lu}$"])|` +
    String.raw`(?:[Ff]irst|[Ss]econd|[Tt]hird|[Ff]inal|[Ll]ast)(?:ly)?[,:]\s+|` +
    String.raw`(?:[Nn]ext|[Nn]ow|[Tt]hen|[Aa]fter that|[Aa]fterwards)[,:]\s+|` +
    String.raw`(?:[Tt]hen|[Ff]inally)\s+(?=[\p{L}$"])|` +
    String.raw`(?:(?:[Aa]nd|[Nn]ow|[Nn]ext|[Ll]astly|[Aa]lso|[Pp]lease|[Kk]indly)[, ]\s*)+` +
    String.raw`(?=(?:say|ask|tell|call|set|return|greet|thank|inform|wait\s+for)\s|` +
    String.raw`\p{Lu}\p{XIDC}*\()|` +
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
/** `` If `$x > 3` ``, perhaps with quotes in it. */
const comparison = /"(?:\\.|[^"\\])*"|`(\$\p{XIDC}[^`]*(?:[<>]|[=!]=)[^`]*)`/gu;
