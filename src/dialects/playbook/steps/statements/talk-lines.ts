/** What lines say and ask: to whom, and as the call that a step is. */
import type { Place } from '../../source/tree.ts';
import { hasBesides } from '../../text/besides.ts';
import { indexOutside, isInside, split, unquoted } from '../../text/brackets.ts';
import { callIn, type WrittenCall } from '../../text/calls.ts';
import { splitAt } from '../../text/sentences.ts';
import { isSaidTwice, saysOneOf } from '../../text/several-quotes.ts';
import * as words from '../../text/words.ts';
import { hoistedValue } from '../calls/guarded.ts';
import { type Context, callsWithin, placeholders } from '../calls/hoisting.ts';
import { type Draft, draft, jump } from '../draft.ts';
import { agentIn } from '../names/agent-lines.ts';
import type { Names } from '../names/names.ts';
import { isDirect, isMoreThanTalk, isUnsure, isWithDeeds } from './talk-clauses.ts';
import { isTitledBehind, isTitledFor } from './titled.ts';

/** Says and questions. */
export function talked(text: string, place: Place, context: Context): Draft[] | undefined {
  const [, first, until] = words.talkUntil.exec(text) ?? [];
  if (first !== undefined && until !== undefined && !isWithDeeds(until)) {
    const said = talkedOnce(first, place, context);
    if (said) {
      const turn = [...said, draft('YLD', 'for user', place), jump({ to: 'head' }, place)];
      return [draft('LOP', `Until ${until}`, place, turn)];
    }
  }
  return talkedOnce(text, place, context);
}

function talkedOnce(text: string, place: Place, context: Context): Draft[] | undefined {
  const filled = placeholders(text, place, context);
  if (filled.drafts.length > 0) {
    const said = talkedOnce(filled.text, place, context);
    return said && [...filled.drafts, ...said];
  }
  const written = callIn(text);
  const own = written && !context.names.callees.has(written.callee) && lowerTalk.exec(text)?.[1];
  const call = own ? { ...written, callee: /say/i.test(own) ? 'Say' : 'Ask' } : written;
  if (call) return ownTalk.test(call.callee) ? sayDrafts(call, place, context) : undefined;
  const [asked, what] = words.askedFor.exec(text) ?? words.askedOf.exec(text) ?? [];
  if (asked !== undefined) return talkedOnce(`Ask the user for ${what}`, place, context);
  const [verb] = words.literalVerb.exec(text) ?? [];
  const rest = text.slice(verb?.length ?? 0).replace(/(?<=["'”»])\s*[.!]$/, '');
  const literal = verb === undefined ? undefined : unquoted(rest);
  if (literal !== undefined) return [draft('QUE', `Say(user, ${JSON.stringify(literal)})`, place)];
  const toOther = verb === undefined ? undefined : saidTo(rest, context.names);
  if (toOther) return [draft('QUE', `Say(${toOther.whom}, ${toOther.said})`, place)];
  const whom = addressee(text, context.names);
  const isMore =
    words.saidAndMore.test(text) ||
    isWithDeeds(text) ||
    isMoreThanTalk(text) ||
    hasBesides(text) ||
    isSaidTwice(text) ||
    saysOneOf(text) ||
    isTitledBehind(text, context) ||
    isTitledFor(text, context) ||
    isCalling(text, context) ||
    splitAt(text, words.arrows).length > 1;
  if (whom === undefined || isMore || isUnsure(text) || isToSeveral(text, whom, context.names))
    return undefined;
  const isAsk = words.askVerb.test(text) || /(?:,|\band)\s+(?:then\s+)?ask\b/i.test(text);
  const isPerson = whom !== 'user' || words.personWord.test(text);
  const isTold =
    (words.tellVerb.test(text) && (words.sayVerb.test(text) || isPerson)) ||
    /^introduce yourself\b/i.test(text);
  const message = `Say(${whom}, ${bracketed(text)})`;
  return isAsk || isTold ? [draft('QUE', message, place)] : undefined;
}

/** Who is to say something and call something does more than to say, or says several things. */
const isCalling = (text: string, context: Context): boolean =>
  callsWithin(text, context).length > 0 ||
  [...text.matchAll(saying)].some(({ index }) => !isInside(text, index));

const saying = /(?<![\p{XIDC}.])(?:Say|SendMessage|Ask)(?=\()/giu;

const lowerTalk = /^(say|ask|SAY|ASK)\(/;
export const ownTalk: RegExp = /^(Say|SendMessage|Ask)$/;

/** `Say(level("pier"))`: the result is what is said. */
export function sayDrafts(
  { callee, args }: WrittenCall,
  place: Place,
  context: Context,
): Draft[] | undefined {
  const found = hoistedValue(args, place, context);
  if (!found) return undefined;
  const { drafts, text } = found;
  const parts = split(text, ',');
  const last = parts.at(-1)?.trim() ?? '';
  const isResult = drafts.some((one) => one.text.startsWith(`${last} = `));
  const said = isResult ? [...parts.slice(0, -1), ` "{${last}}"`].join(',').trim() : text;
  return [...drafts, sayDraft({ callee, args: said }, place)];
}

/** A text in quotes alone is said as it is. */
export function quotedLine(text: string, place: Place): Draft[] | undefined {
  const literal = unquoted(text);
  return literal === undefined
    ? undefined
    : [draft('QUE', `Say(user, ${JSON.stringify(literal)})`, place)];
}

/** `"Closed" to Ann`, behind its verb, where she is an agent or a person that is known by name. */
function saidTo(
  text: string,
  { others, people }: Names,
): { readonly whom: string; readonly said: string } | undefined {
  const [, quote = '', article, name = ''] =
    /^(.+?["'”’»])\s+to\s+(the\s+)?([\p{XIDC}$ ]+?)[.!]?$/su.exec(text) ?? [];
  const literal = unquoted(quote);
  const role = [...others].find(([written]) => written.toLowerCase() === name.toLowerCase());
  const whom = (article === undefined ? others.get(name) : role?.[1]) ?? name;
  const isKnown = whom !== name || others.has(name) || people.has(name);
  if (literal === undefined || !isKnown) return undefined;
  return { whom, said: JSON.stringify(literal) };
}

/** Whom a line speaks to: a person or an agent of the file, the user; undefined for a server. */
function addressee(text: string, names: Names): string | undefined {
  const other = agentIn(text, names) ?? (toMeeting.test(text) ? 'meeting' : undefined);
  if (other !== undefined) return other;
  const [, name = ''] =
    /^\p{L}+\s+(?:to\s+)?(?:the\s+|à\s+)?([\p{Lu}\p{Lo}]\p{XIDC}*)/u.exec(text) ?? [];
  if (names.people.has(name)) return name;
  return names.agents.has(name) ? undefined : 'user';
}

/** Whether a line speaks to more than one, of whom a step has but one: `Ask Ann or the user`. */
function isToSeveral(text: string, whom: string, names: Names): boolean {
  const isName = (word: string): boolean => names.people.has(word) || names.others.has(word);
  const [first = '', ...parts] = splitAt(text, /,\s+|,?\s+(?:and|or|&)\s+/gi);
  const isMore = parts.some((part, at) => {
    const [, name = '', behind = ''] = namedPart.exec(part) ?? [];
    if (at === 0 && isDirect(first) && (isName(name) || someone.test(name))) return true;
    if (isName(name) && behind.trim() === '' && /^then\s/i.test(part)) return true;
    return isName(name) && forWhat.test(behind);
  });
  const [, to = ''] = whom === 'user' ? (toName.exec(text) ?? []) : [];
  return (
    isMore || isName(to) || anyone.test(to) || parts.some((part) => isToAnother(part, whom, names))
  );
}

/** Whether a further talk names somebody else: `Thank Ann and say goodbye to the guest`. */
function isToAnother(part: string, whom: string, names: Names): boolean {
  const talk = part.replace(/^then\s+/i, '');
  if (!words.askVerb.test(talk) && !words.tellVerb.test(talk)) return false;
  const other = addressee(talk, names);
  return other !== whom && (other !== 'user' || toPerson.test(talk));
}

const toPerson = new RegExp(
  String.raw`(?:^\p{L}+|\sto)\s+(?:(?:the|our|your)\s+)?(?:${words.personNoun})(?!\p{XIDC})`,
  'iu',
);

const namedPart = /^(?:then\s+)?(?:the\s+)?(\$?\p{XIDC}+)(.*)$/su;
const someone = new RegExp(`^(?:${words.personWord.source})$`, 'iu');
const forWhat = /^\s+(?:for|about|that|whether|if|what|which|who|when|where|why|how)\b/i;
/** Behind what is said in quotes. */
const toName = /["”»]\s+to\s+(?:the\s+)?(\$?\p{XIDC}+)/u;

const anyone = /^(?:who(?:m?ever)?|(?:any|some)(?:one|body))$/i;

const toMeeting =
  /^\p{L}+\s+(?:to\s+|in\s+)?(?:all\s+)?(?:the\s+)?(?:meeting|attendees|participants)\b/iu;

/** An instruction between brackets, whose own brackets have to close. */
function bracketed(text: string): string {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')' && --depth < 0) break;
  }
  const isClosed = depth === 0 && callIn(`Say(${text})`) !== undefined;
  return (isClosed ? text : text.replace(/[()[\]{}"]/g, ' ')).replace(/\s+/g, ' ').trim();
}

function sayDraft({ callee, args }: WrittenCall, place: Place): Draft {
  const name = callee === 'SendMessage' ? 'SendMessage' : 'Say';
  const isAddressed =
    indexOutside(args, ',') >= 0 && /^\s*["']?\$?[\p{XIDC} ]+["']?\s*,/u.test(args);
  return draft('QUE', `${name}(${isAddressed ? args : `user, ${args}`})`, place);
}
