/**
 * What a meeting says without a word to whom, where its calls say who attends: the one that is
 * called speaks to the person so, as any playbook does, and whoever attends by it to the meeting.
 */
import type { Step } from '../../compiled/compiled.ts';
import { flatLines, type SourceLine } from '../../source/tree.ts';
import { unquoted } from '../../text/brackets.ts';
import { namedPerson, personNoun } from '../../text/words.ts';
import type { Draft } from '../draft.ts';

/**
 * The drafts with nobody in place of the user that none of their lines names. A wait for the user
 * says so besides what it is for, which one for an answer is, too.
 */
export function unaddressed(drafts: readonly Draft[], lines: readonly SourceLine[]): Draft[] {
  const named = new Set(
    flatLines(lines).flatMap(({ text, place }) => (toUser.test(text) ? [place.line] : [])),
  );
  const without = (draft: Draft): Draft => {
    const children = draft.children.map(without);
    const { code, isForAnyone, text } = draft;
    if (code === 'YLD' && /^for user\b[^;]*$/.test(text) && !isForAnyone)
      return { ...draft, children, text: `${text}; wait for the user` };
    const [, words] = named.has(draft.place.line) ? [] : (said.exec(draft.text) ?? []);
    return words === undefined || draft.code !== 'QUE'
      ? { ...draft, children }
      : {
          ...draft,
          children,
          text: `Say(${unquoted(words) === undefined ? plain(words) : words})`,
        };
  };
  return drafts.map(without);
}

const said = /^Say\(user,\s*([\s\S]+)\)$/;

/** Whether a step waits for the person in any case, also where it is of one who attends. */
export const isForUser = ({ code, waits, text }: Pick<Step, 'code' | 'waits' | 'text'>): boolean =>
  code === 'YLD' && waits === 'user' && namedPerson.test(text.replace(/^for user\b/, ''));

/** One word in front of a comma would be somebody. */
const plain = (words: string): string => words.replace(/^(\$?[\p{XIDC}-]+),/u, '$1');

/** `Say(user, …)`, `Tell the customer …`, `Say "Hello" to the guest`. */
const toUser = new RegExp(
  `(?:\\b(?:say|ask|sendmessage)\\(\\s*["']?|^\\p{L}+\\s+|\\b(?:to|à)\\s+)` +
    `(?:(?:the|your|our|an?)\\s+)?(?:${personNoun})(?!\\p{XIDC})`,
  'iu',
);
