/** `f"text {value!r:>8}"`: the text by the scanner, the values by the grammar. */
import { advance, is, nested, type Parser, raise } from './cursor.ts';
import { readFormatText } from './scanner.ts';
import type { Format, Position, Replacement } from './syntax.ts';
import { fail } from './syntax-error.ts';

/** The f-string whose opening quotes are the current token. */
export function formatString(p: Parser): Format {
  const { at } = p;
  const opening = p.text.slice(p.start, p.position);
  const mark = opening.replace(/^[a-z]+/, '');
  const form = { raw: opening.startsWith('r') || opening.startsWith('fr'), bytes: false };
  const parts: Format['parts'][number][] = [];
  let height = 0;
  p.formats++;
  for (;;) {
    const { text, end } = readFormatText(p, mark, form, at);
    if (text !== '') parts.push(text);
    if (end === 'string') break;
    parts.push(nested(p, () => replacement(p)));
    height = Math.max(height, p.height);
  }
  p.formats--;
  p.kind = 'f-string';
  advance(p);
  p.height = height;
  raise(p, height, at);
  return { kind: 'format', at, parts };
}

/** From behind the opening brace to behind the closing one. */
function replacement(p: Parser): Replacement {
  advance(p);
  const { at } = p;
  if (p.kind === '}') {
    fail('PV2310', at, 'empty expression in f-string', { hint: 'write {{}} for two braces' });
  }
  const value = p.grammar.test(p);
  const { height } = p;
  const conversion = p.kind === '!' ? conversionOf(p) : 's';
  p.height = height;
  const format = is(p, ':') ? formatOf(p) : [];
  if (!is(p, '}')) wrongEnd(p);
  p.height = Math.max(p.height, height);
  return { at, value, conversion, format };
}

function conversionOf(p: Parser): 's' | 'r' {
  advance(p);
  const conversion = p.text.slice(p.start, p.position);
  if (conversion !== 'r' && conversion !== 's') {
    fail('PV2310', p.at, `got conversion !${conversion}, want !r or !s`);
  }
  advance(p);
  return conversion;
}

/** The format behind a colon, up to the closing brace, which becomes the current token. */
function formatOf(p: Parser): Format['parts'] {
  const parts: (string | Replacement)[] = [];
  let { height } = p;
  let text = '';
  for (let c = p.text[p.position]; c !== '}'; c = p.text[p.position]) {
    if (c === undefined || /[\n\r"']/.test(c)) {
      fail('PV2310', p.at, 'got a format without an end', { hint: 'a format ends in }: {x:.2f}' });
    }
    if (c !== '{') {
      text += c;
      p.position++;
      continue;
    }
    if (text !== '') parts.push(text);
    text = '';
    p.brackets.push(p.position++);
    parts.push(nested(p, () => replacement(p)));
    height = Math.max(height, p.height);
  }
  if (text !== '') parts.push(text);
  advance(p);
  p.height = height;
  return parts;
}

function wrongEnd(p: Parser): never {
  const at: Position = p.at;
  if (p.kind === '=') {
    fail('PV2310', at, "got '=', want '}'", { hint: 'write x={x}' });
  }
  fail('PV2310', at, `got ${p.text.slice(p.start, p.position) || p.kind}, want '}'`, {
    hint: 'an expression in an f-string ends in }',
  });
}
