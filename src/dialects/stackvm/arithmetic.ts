/**
 * Arithmetic in an assign: `${i} + 1`. Only a template counts that has a reference and a binary
 * operator, and besides them only numbers and parentheses, in a form that can be evaluated.
 * Three or more operands that only dashes or only slashes join, without a space, are a date, a
 * telephone number or a path: text. So is a number with a leading zero.
 */
import { evaluate } from '../../program/arithmetic.ts';
import type { Reference, Template } from './plan.ts';

export interface Arithmetic {
  /** The template with `$0`, `$1`, … for its references. */
  readonly text: string;
  readonly operands: readonly Reference[];
}

/** As many operands as one call can carry beside the text. */
const operandsMax = 200;
const charactersMax = 10_000;

export function arithmeticOf({ parts }: Template): Arithmetic | undefined {
  const operands: Reference[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      if (!/^[-+*/%().\d\s]*$/.test(part) || /(?<![\d.])0\d/.test(part)) return undefined;
      // A digit right behind a reference continues its text and is no operand of its own.
      if (operands.length > 0 && /^[\d.]/.test(part)) return undefined;
      text += part;
    } else text += `$${operands.push(part) - 1}`;
  }
  if (operands.length > operandsMax || text.length > charactersMax) return undefined;
  const joined = /^[$\d.]+(-[$\d.]+){2,}$|^[$\d.]+(\/[$\d.]+){2,}$/.test(text);
  if (joined || !/[\d)]\s*[-+*/%]/.test(text)) return undefined;
  const tried = evaluate(
    text,
    operands.map(() => 1),
  );
  return 'error' in tried && tried.error.syntax ? undefined : { text, operands };
}
