/** What lines say: to whom, and as the call that a step is. */
import type { Place } from '../source/tree.ts';
import { indexOutside } from '../text/brackets.ts';
import { callIn, type WrittenCall } from '../text/calls.ts';
import { agentIn } from './agent-lines.ts';
import { type Draft, draft } from './draft.ts';
import type { Names } from './names.ts';

/** Whom a line speaks to: a person or an agent of the file, the user; undefined for a server. */
export function addressee(text: string, names: Names): string | undefined {
  const other = agentIn(text, names) ?? (toMeeting.test(text) ? 'meeting' : undefined);
  if (other !== undefined) return other;
  const [, name = ''] =
    /^\p{L}+\s+(?:to\s+)?(?:the\s+|à\s+)?([\p{Lu}\p{Lo}]\p{XIDC}*)/u.exec(text) ?? [];
  if (names.people.has(name)) return name;
  return names.agents.has(name) ? undefined : 'user';
}

const toMeeting =
  /^\p{L}+\s+(?:to\s+|in\s+)?(?:all\s+)?(?:the\s+)?(?:meeting|attendees|participants)\b/iu;

/** An instruction between brackets, whose own brackets have to close. */
export function bracketed(text: string): string {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')' && --depth < 0) break;
  }
  const isClosed = depth === 0 && callIn(`Say(${text})`) !== undefined;
  return (isClosed ? text : text.replace(/[()[\]{}"]/g, ' ')).replace(/\s+/g, ' ').trim();
}

export function sayDraft({ callee, args }: WrittenCall, place: Place): Draft {
  const name = callee === 'SendMessage' ? 'SendMessage' : 'Say';
  const isAddressed =
    indexOutside(args, ',') >= 0 && /^\s*["']?\$?[\p{XIDC} ]+["']?\s*,/u.test(args);
  return draft('QUE', `${name}(${isAddressed ? args : `user, ${args}`})`, place);
}
