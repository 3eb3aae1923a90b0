/**
 * Lines that are the title of a playbook, whatever its words would say alone: `Ask for a PIN` calls
 * the playbook of that title. In that playbook itself they say what they say.
 */
import type { Place } from '../../source/tree.ts';
import { withoutQuotes } from '../../text/quotes.ts';
import { splitAt } from '../../text/sentences.ts';
import { assignmentIn, givenTo } from '../../text/variables.ts';
import { callWord, clauseWord } from '../../text/words.ts';
import type { Context } from '../calls/hoisting.ts';
import { spokenArgs } from '../calls/spoken-calls.ts';
import { type Draft, draft } from '../draft.ts';
import { type Callee, titleForm } from '../names/names.ts';
import { clauseMark } from './talk-clauses.ts';

export function titled(text: string, place: Place, context: Context): Draft[] | undefined {
  const set =
    assignmentIn(text) ?? givenTo(text, (value) => calleeOf(value, context) !== undefined);
  const callee = calleeOf(text, context) ?? (set && calleeOf(set.value, context));
  if (!callee) return undefined;
  const args = spokenArgs(callee, context);
  // What it is called with, a model has to say.
  if (args === undefined) return [{ ...draft('EXE', text, place), isAmbiguous: true }];
  const type = set?.type === undefined ? '' : `:${set.type}`;
  const left = set === undefined ? '' : `${set.target}${type} = `;
  return [draft('QUE', `${left}${callee.name}(${args})`, place)];
}

/**
 * Whether a playbook is named by its title behind something else: `Say "a" and offer tea`. A word
 * alone, which may be what is asked for, has to be written as a name is: `Ask for it and Refund`.
 */
export function isTitledBehind(text: string, context: Context): boolean {
  const [first = '', ...parts] = splitAt(text, clauseMark);
  if (clauseWord.test(withoutQuotes(first))) return false;
  return parts.some((one) => titleOf.test(one) && calleeOf(one, context) !== undefined);
}

const titleOf = /^\p{Lu}|\s/u;

/**
 * Whether a line begins with the title of a playbook that is to be given something, `Notify user`
 * of a `Notify($who)`: whether that is meant, and what it is given then, a model has to say.
 */
export function isTitledFor(text: string, { names, own }: Context): boolean {
  const line = titleForm(text);
  return [...names.titles].some(
    ([title, { name, parameters = [] }]) =>
      parameters.length > 0 && name !== own && line.startsWith(`${title} `),
  );
}

/** A statement by itself, whatever is called so. */
export const isStatement = (text: string): boolean =>
  /^(?:return|break|continue)[.!]?$/i.test(text);

const calleeOf = (text: string, { names, own }: Context): Callee | undefined => {
  if (isStatement(text)) return undefined;
  const callee = [text, text.replace(callWord, '')]
    .map((one) => names.titles.get(titleForm(one)))
    .find((one) => one !== undefined);
  return callee?.name === own ? undefined : callee;
};
