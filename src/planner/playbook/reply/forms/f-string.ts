/**
 * Texts of Python with expressions between braces, `f"{self.state.total * 2:.2f}"`: computed as
 * what stands between braces in quotes of a playbook is. What cannot be computed is told; nobody is
 * to hear code.
 */
import { isFormat, readFilling } from '../../../../dialects/playbook/text/filling.ts';
import { ofState, type Term, type TextPart, withRefs } from '../term.ts';
import { closes } from './balance.ts';

/** Where a text ends that begins at `from`, behind its mark; -1 where it does not. */
export function templateEnd(text: string, from: number, mark: string): number {
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (closes(text, at, mark)) return at;
    else if (isTwice(text, at)) at++;
    else if (sign === '{') {
      const end = braceEnd(text, at);
      if (end < 0) return -1;
      at = end;
    }
  }
  return -1;
}

export function templateParts(body: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let plain = '';
  for (let at = 0; at < body.length; at++) {
    const end = body[at] === '{' && !isTwice(body, at) ? braceEnd(body, at) : -1;
    if (end < 0) {
      plain += body[at];
      if (isTwice(body, at)) at++;
      continue;
    }
    if (plain !== '') parts.push(plain);
    plain = '';
    parts.push(partOf(body.slice(at + 1, end)));
    at = end;
  }
  return plain === '' ? parts : [...parts, plain];
}

/** `{{` and `}}` are braces. */
const isTwice = (text: string, at: number): boolean =>
  text.startsWith('{{', at) || text.startsWith('}}', at);

/** Where the brace is closed that opens at `from`. */
function braceEnd(text: string, from: number): number {
  let depth = 0;
  for (const { sign, at } of signsOf(text, from)) {
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign) && --depth === 0) return at;
  }
  return -1;
}

/** The signs outside of quotes. */
function* signsOf(
  text: string,
  from = 0,
): Generator<{ readonly sign: string; readonly at: number }> {
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (quote !== '') {
      if (sign === '\\') at++;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else yield { sign, at };
  }
}

/** One expression, which is certainly one: a name in it is a variable. */
function partOf(inner: string): TextPart {
  const { shown, format } = formatOf(inner);
  const source = ofState(shown);
  const written = `{${source}${format === '' ? '' : `:${format}`}}`;
  const unfilled = (problem: string): TextPart => ({ is: 'unfilled', written, problem });
  if (/(?<![=!<>])=\s*$/.test(shown)) return unfilled('shows its own name');
  const read = readFilling(source);
  if (!read || 'problem' in read) return unfilled(read?.problem ?? 'is no expression');
  const of = withRefs(read.filling, (ref) => ({ ...ref, sure: true }));
  if (format !== '' && !isFormat(format)) return unfilled(`has the format ${format}`);
  const isShown = format !== '';
  if (of.is === 'ref' && !isShown) return { ...of, written };
  const shape: Term = { is: 'value', value: format };
  return {
    is: 'filled',
    written,
    of: isShown ? { is: 'operation', op: ':', of: [of, shape] } : of,
  };
}

/** What is shown, and how: `total!s:.2f`. */
function formatOf(inner: string): { readonly shown: string; readonly format: string } {
  let depth = 0;
  for (const { sign, at } of signsOf(inner)) {
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    if (depth > 0) continue;
    if (sign === ':') return { shown: inner.slice(0, at), format: inner.slice(at + 1).trim() };
    const [all, format = ''] = /^![rsa]\s*(?::(.*))?$/s.exec(inner.slice(at)) ?? [];
    if (all !== undefined) return { shown: inner.slice(0, at), format: format.trim() };
  }
  return { shown: inner, format: '' };
}
