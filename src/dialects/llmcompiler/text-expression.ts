/**
 * Texts as a programming language would make them of results: `"people in " + $1.name`,
 * `f"people in {$1.name}"`. No plain text looks like this, so it is the text that they come to.
 */
import { quotedPieces } from './quoted-text.ts';
import { type Names, type Piece, piecesOf } from './reference.ts';

const quoted = String.raw`"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'`;
const result = String.raw`\$(?:\{[^{}]*\}|[\w.]+(?:\[[^\]]*\][\w.]*)*)`;
const term = String.raw`[fF]?(?:${quoted})|${result}|str\(\s*${result}\s*\)`;
const sum = new RegExp(String.raw`^(?:${term})(?:\s*\+\s*(?:${term}))*$`);
const terms = new RegExp(term, 'g');

/** Undefined for a text that is none of these. */
export function textPieces(text: string, names: Names): readonly Piece[] | undefined {
  if (!/["']\s*\+|\+\s*[fF]?["']|^[fF]["']/.test(text) || !sum.test(text)) return undefined;
  return [...text.matchAll(terms)].flatMap(([one]) => {
    const quote = /^([fF]?)["']/.exec(one);
    if (!quote) return piecesOf(one.startsWith('str(') ? one.slice(4, -1).trim() : one, names);
    const raw = one.slice(quote[0].length, -1);
    return quotedPieces(quote[1] === '' ? raw : withReferences(raw), names);
  });
}

/** `{$1.name}` and `{${1}.name}` as `${1.name}`; what else stands in braces stays as it is. */
const withReferences = (raw: string): string =>
  raw.replace(
    /\{\s*\$\{?(p?\d[\w.]*)(?![\w.])\}?([\w.[\]]*)\s*\}/g,
    (_all, id, path) => `\${${id}${path}}`,
  );
