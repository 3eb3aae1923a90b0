/**
 * Looks at values of the run that is to be repaired: a reply of lines `LOOK expression` asks for
 * them, and the conversation goes on with what they are.
 */
import { askedWith, type FormPhrase, lookWord } from './native-plan.ts';

/** The value of an expression as text, or why it has none. */
export type Look = (expression: string) => string;

/** How often a model may answer with looks, and how many each reply may have. */
export const looksMax = 4;
const expressionsMax = 8;

export const lookForm: FormPhrase = {
  text:
    'To see more of one before you write, answer with lines of `LOOK` and an expression in ' +
    'Starlark over the variables, and nothing else: `LOOK page[600:3000]`, ' +
    '`LOOK [row["id"] for row in rows if row["total"] == None]`.',
  native:
    'To see more of one before you write, write "look" instead of a program, a list of ' +
    'expressions in Starlark over the variables: `page[600:3000]`, ' +
    '`[row["id"] for row in rows if row["total"] == None]`.',
  keys: ['look'],
};

export const lookSection: string =
  `Some of these values are cut. ${lookForm.text} They are evaluated where the run failed. You ` +
  `may do so ${looksMax} times.`;

/** What is told of a reply that asks to see values; empty for any other reply. */
export function looked(reply: string, look: Look): string {
  const expressions = askedWith(lookWord, reply);
  const shown = expressions.slice(0, expressionsMax).map((text) => `${text}\n= ${look(text)}`);
  const rest = expressions.length - shown.length;
  if (rest > 0) shown.push(`(${rest} more were not looked at: ${expressionsMax} a time)`);
  return shown.join('\n\n');
}
