/** The statements of lines in plain words: jumps and waits, returns, assignments, calls. */
import type { Place } from '../../source/tree.ts';
import { hasBesides } from '../../text/besides.ts';
import { saysBoth } from '../../text/both.ts';
import { isInside, unquoted } from '../../text/brackets.ts';
import { callIn } from '../../text/calls.ts';
import { isComputing } from '../../text/computing.ts';
import type { Conditional } from '../../text/conditions-behind.ts';
import { declarationIn } from '../../text/declaration.ts';
import { readFilling } from '../../text/filling.ts';
import { isGivingBack } from '../../text/giving-back.ts';
import { splitAt } from '../../text/sentences.ts';
import { beforeCall, beforeQuote, ofThought } from '../../text/thoughts.ts';
import { addedTo, asSum, assignmentIn, givenTo } from '../../text/variables.ts';
import { isWholeValue } from '../../text/whole-values.ts';
import * as words from '../../text/words.ts';
import { hoistedArguments, hoistedHead, hoistedValue } from '../calls/guarded.ts';
import {
  type Context,
  callsWithin,
  canonical,
  isComputed,
  knownCall,
  outerCalls,
  tentative,
  writtenCall,
} from '../calls/hoisting.ts';
import { callWith, spokenCall } from '../calls/spoken-calls.ts';
import { type Draft, draft, isTalking, jump } from '../draft.ts';
import { creation } from '../names/agent-lines.ts';
import { askedIn } from '../step-text.ts';
import { jumped } from './jump-lines.ts';
import { meetingCall } from './meeting-lines.ts';
import { otherCase } from './other-case.ts';
import { clauseMark, isForAll, isThoughtWithDeeds, isWaitWithDeeds } from './talk-clauses.ts';
import { ownTalk, quotedLine, talked } from './talk-lines.ts';
import { isTitledBehind, titled } from './titled.ts';
import { waitDrafts } from './wait-lines.ts';

/** The one statement that a text is; several steps where it calls within a call. */
export function explicit(text: string, place: Place, context: Context): Draft[] | undefined {
  const title = titled(text, place, context);
  if (title) return title;
  const bare = text.replace(/[.!]$/, '').trim();
  const only = onlyIf(bare, place, context);
  if (only) return only;
  if (words.blockEnd.test(bare)) return [];
  const declared = declarationIn(bare);
  if (declared) return [draft('EXE', `${declared.target}:${declared.type}`, place)];
  if (words.nothingForm.test(bare)) return [jump({ to: 'next' }, place)];
  if (words.endForm.test(text)) return [draft('YLD', 'for exit', place)];
  const going = jumped(text, place, context);
  if (going) return [going];
  const [noted = '', note] = words.checkForm.exec(bare) ?? [];
  if (note !== undefined) {
    const isOne = !hasMoreBehind(bare, context) && words.ofNote.test(bare.slice(noted.length));
    return isOne ? [draft('CHK', note.toUpperCase(), place)] : undefined;
  }
  if (words.waitWord.test(text)) {
    return hasMoreBehind(bare, context) ? undefined : waitDrafts(bare, place, context.names);
  }
  if (words.thinkWord.test(text)) return thought(text, place, context);
  return (
    returned(text, place, context) ??
    talked(text, place, context) ??
    created(text, place, context) ??
    assigned(text, place, context) ??
    called(text, place, context) ??
    gotten(text, place, context) ??
    quotedLine(bare, place)
  );
}

/** `Think before F(1)` does both; what is thought about is not done. */
function thought(text: string, place: Place, context: Context): Draft[] | undefined {
  const bare = text.replace(/[.!]$/, '').trim();
  if (isThoughtWithDeeds(bare) || isCalledBehind(bare, context)) return undefined;
  if (isThoughtAlone(bare, context)) return [draft('TNK', text, place)];
  const [, first = '', call = ''] = beforeCall.exec(bare) ?? [];
  if (knownCall(call, context) === undefined || !isThoughtAlone(first, context)) return undefined;
  const calls = called(call, place, context);
  return calls && [draft('TNK', first, place), ...calls];
}

/** Whether a thought calls nothing, but for what it is about. */
function isThoughtAlone(text: string, context: Context): boolean {
  const [call] = outerCalls(text, context);
  if (!call) return !beforeQuote.test(text);
  return ofThought.test(text.slice(0, call.from));
}

/** Whether something else is done behind a wait, or a note that is to be minded. */
const hasMoreBehind = (text: string, context: Context): boolean =>
  isWaitWithDeeds(text) || hasBesides(text) || isCalledBehind(text, context);

function isCalledBehind(text: string, context: Context): boolean {
  const [first = '', ...parts] = splitAt(text, clauseMark);
  const isCalling = (part: string): boolean => callsWithin(part, context).length > 0;
  return !isCalling(first) && parts.some(isCalling);
}

/** `Return 1 if $x > 3`, `Break unless $x`: what is done, and behind it when that is. */
function onlyIf(text: string, place: Place, context: Context): Draft[] | undefined {
  const { 0: word = '', index: at = 0 } = [...text.matchAll(words.onlyIf)].at(-1) ?? {};
  const whole = text.slice(at + word.length);
  if (at === 0 || isInside(text, at)) return undefined;
  const other = words.inlineElse.exec(whole);
  const rest = whole.slice(0, other?.index);
  if (words.anyElse.test(rest) || byAnswer.test(rest)) return undefined;
  const what = explicit(text.slice(0, at), place, context);
  const last = what?.at(-1);
  const conditional = { message: text.slice(0, at), by: word, condition: rest };
  if (!what || !last || !isWhole(last, conditional)) return undefined;
  const head = `${headWord(word)} ${rest}`;
  const outer = isCondition(head, place, context) && hoistedHead(head, place, context);
  if (!outer) return undefined;
  const own = [...outer.drafts, draft('CND', outer.text, place, what)];
  if (!other) return own;
  const written = whole.slice(other.index + other[0].length);
  const behind = otherCase(written, own.at(-1));
  const isOne = behind !== written && isExpression(text);
  const instead = behind === undefined || isOne ? undefined : explicit(behind, place, context);
  // `Return F(1) if $x else G(1)` returns either.
  const isAnother = instead?.every((one) => kindOf(one) === kindOf(last));
  return instead && isAnother ? [...own, draft('ELS', 'Otherwise', place, instead)] : undefined;
}

/** What holds by the answer to what stands before it: `…, if so`, `…, if yes go back to step 1`. */
const byAnswer = new RegExp(
  String.raw`^(?:(?:not|so)\W*$|not\s+\p{L}+,?\s+(?:(?:use|take|assume)\s+)?["“$\d]|` +
    String.raw`(?:yes|no|ok(?:ay)?|so)[,\s]+\S|not[,\s]+(?:end|exit|quit|stop|` +
    String.raw`go|repeat|return|restart|start|try|ask|say|tell)\b)`,
  'iu',
);

/** `$a if $x else $b` is computed as one. */
function isExpression(text: string): boolean {
  const value = assignmentIn(text)?.value ?? text.replace(words.returnWord, '');
  return 'filling' in (readFilling(value) ?? {});
}

const headWord = (word: string): string => {
  if (/\bsi\b/i.test(word)) return /sauf/i.test(word) ? 'Sauf si' : 'Si';
  return /unless/i.test(word) ? 'Unless' : 'If';
};

/** What a statement does, and to what. */
const kindOf = ({ code, text }: Draft): string =>
  code === 'QUE' || code === 'EXE' ? `${assignmentIn(text)?.target ?? 'call'}` : code;

/** Whether a head says when something is done, and nothing of what is: no `If $x, say "a", and`. */
export function isCondition(head: string, place: Place, context: Context): boolean {
  if (/,\s+(?:in (?:which|that) case|(?:and\s+)?then|but|so)\b/i.test(head)) return false;
  if (/,\s+(?:saying|telling|asking|calling|returning|setting)\s/i.test(head)) return false;
  // What is done in a case may stand there without a mark.
  if (words.wholeComparison.test(head) || elseDone(head)) return false;
  const [, ...more] = splitAt(head, /[,;:]\s+|[.!?]\s+|,?\s+then\s+|\s+[—–]\s+/g);
  if (/(?:[,;]|\s(?:and|or|then))$/i.test(head.trim())) return false;
  const [, ...joined] = splitAt(head, /\s+(?:and|or)\s+/gi);
  // Of values in quotes the first stands before a comma.
  const isQuote = (part: string): boolean =>
    unquoted(part.replace(/^(?:or|and)\s+/i, '')) !== undefined;
  if (!/["'“]/.test(head.split(',')[0] ?? '') && more.some(isQuote)) return false;
  const isDone = (part: string): boolean =>
    words.doneForm.test(part) || jumped(part, place, tentative(context)) !== undefined;
  return !more.some((part) => isAction(part, place, context)) && !joined.some(isDone);
}

/** `If $x say "a" else say "b"`: what is done in the other case, too. */
const elseDone = (head: string): boolean =>
  splitAt(head, /\s+(?:else|otherwise)\s+/gi)
    .slice(1)
    .some((part) => words.doneForm.test(part));

/** Whether a part of a line is a statement; quotes may be one more value. */
const isAction = (part: string, place: Place, context: Context): boolean =>
  unquoted(part) === undefined && explicit(part, place, tentative(context)) !== undefined;

/** Whether nothing of a statement asks for an `if` behind it: `a note that says if …`. */
function isWhole(one: Draft, conditional: Conditional): boolean {
  const { code, text } = one;
  const { by, condition, message } = conditional;
  // Who does something in case something happens does it before.
  if (/in case/i.test(by) && !condition.includes('$')) return false;
  switch (code) {
    case 'QUE':
      return !isTalking(one) || isForAll(conditional);
    case 'RET':
      return text === '' || isOneValue(text) || !!callIn(text);
    case 'EXE':
      return (
        condition.includes('$') && (!/when/i.test(by) || words.wholeHead.test(`if ${condition}`))
      );
    case 'YLD':
      if (text === 'for user') return condition.includes('$') && !words.clauseWord.test(message);
      return /^for (?:timer [^a-z]*\w+|exit|return)$/.test(text);
    default:
      return code === 'JMP' || code === 'CHK';
  }
}

/** Of `$a, or $b if $x` nobody can say whether the condition is for all of it. */
const isOneValue = (text: string): boolean =>
  /^(?:[$"'[{\d-]|(?:true|false|none)$)/i.test(text) &&
  splitAt(text, /,\s+|\s+(?:and|or)\s+/gi).length === 1;

function returned(text: string, place: Place, context: Context): Draft[] | undefined {
  const [word] = words.returnWord.exec(text) ?? [];
  if (word === undefined || words.goBack.test(text) || words.returning.test(text)) {
    return undefined;
  }
  const rest = text
    .slice(word.length)
    .trim()
    .replace(/^\(\s*\)$/, '');
  if (!words.toCaller.test(rest) && isGivingBack(text)) return undefined;
  const value = returnedIn(rest);
  if (hasMore(value) || isTitledBehind(value, context) || !(value === '' || isWholeValue(value)))
    return undefined;
  // Of two calls that are computed, the first would decide whether there is another.
  if (saysBoth(value) && callsWithin(value, context).length > 0) return undefined;
  const call = knownCall(value, context);
  if (!call || isComputing(call.callee)) {
    const found = hoistedValue(value, place, context);
    return found && [...found.drafts, draft('RET', found.text, place)];
  }
  const outer = hoistedArguments(call.args, place, context);
  return outer && [...outer.drafts, draft('RET', `${call.callee}(${outer.text})`, place)];
}

/** Whether another statement stands behind a value: `5 and say "a"`, `5 and $y to 6`. */
const hasMore = (value: string): boolean =>
  splitAt(value, /,?\s+(?:and|then|otherwise|else)\s+|,\s+/gi)
    .slice(1)
    .some((part) => isFurther.some((form) => form.test(part))) || andIf.test(value);

const andIf = /\s(?:and|then)\s+(?:if|when|unless)\s/i;
const furtherSet = /^\$\p{XIDC}+\s*(?:\sto\s|:?=(?!=))/u;
const isFurther = [words.doneForm, words.returnWord, words.goingForm, furtherSet];

/** Whether it is one value or the first of two calls that is set: `$x = F(1) and G(2)`. */
export function isPerhapsSet(text: string): boolean {
  const parts = splitAt(assignmentIn(text)?.value ?? '', /\s+and\s+/gi);
  return parts.length > 1 && parts.every((part) => callIn(part) !== undefined);
}

/** `with $x.` and `the $x` are `$x`. */
const returnedIn = (text: string): string =>
  withoutStop(text)
    .replace(words.toCaller, '')
    .replace(/^(?:nothing|control)$/i, '')
    .replace(/^(?:(?:early|immediately|at once|right away)(?:\s+|$)|with\s+)/i, '')
    .replace(/^the\s+(?=\$\p{XIDC}+$)/iu, '');

const withoutStop = (text: string): string => text.replace(/(?<![.])\.$/, '').trim();

function assigned(text: string, place: Place, context: Context): Draft[] | undefined {
  const isCall = (value: string): boolean => writtenCall(value, context) !== undefined;
  const sum = asSum(text);
  const isList = sum !== text && context.lists.has(assignmentIn(sum)?.target ?? '');
  const found = assignmentIn(isList ? text : sum) ?? givenTo(text, isCall);
  if (!found) return undefined;
  const { target, type } = found;
  const value = withoutStop(found.value);
  const added = addedTo(text);
  if (added !== undefined && !isWholeValue(withoutStop(added))) return undefined;
  if (value === '' || hasMore(value) || isTitledBehind(value, context) || isPerhapsSet(text))
    return undefined;
  const left = `${target}${type === undefined ? '' : `:${type}`}`;
  const call = writtenCall(value, context);
  if (call && !ownTalk.test(call.callee) && !isComputed(call, context)) {
    const outer = hoistedArguments(call.args, place, context);
    const name = canonical(call.callee, context);
    return outer && [...outer.drafts, draft('QUE', `${left} = ${name}(${outer.text})`, place)];
  }
  if (words.askVerb.test(value)) {
    const asked = askedIn(value).includes(target) ? value : `${value} as ${target}`;
    return talked(asked, place, context);
  }
  const spoken = spokenCall(value, context);
  if (spoken) return [draft('QUE', `${left} = ${spoken}`, place)];
  const outer = isWholeValue(value) ? hoistedValue(value, place, context) : undefined;
  return outer && [...outer.drafts, draft('EXE', `${left} = ${outer.text}`, place)];
}

function called(text: string, place: Place, context: Context): Draft[] | undefined {
  const bare = text.replace(words.callWord, '');
  const call = writtenCall(bare, context);
  if (call) {
    const outer = hoistedArguments(call.args, place, context);
    const name = canonical(call.callee, context);
    return outer && [...outer.drafts, draft('QUE', `${name}(${outer.text})`, place)];
  }
  // Behind such a word quotes are about a name: `Call "Book a bike"`.
  const name = bare === text ? text : bare.replace(/["'`]/g, '');
  const spoken = (bare === text ? undefined : callWith(bare, context)) ?? spokenCall(name, context);
  return spoken === undefined ? undefined : [draft('QUE', spoken, place)];
}

/** `Create a Player agent named Ann`, `Have a meeting with Ann`; perhaps with a variable for it. */
function created(text: string, place: Place, { names }: Context): Draft[] | undefined {
  const bare = text.replace(/[.!]$/, '');
  const call = creation(bare, { others: names.models }) ?? meetingCall(bare, names);
  return call === undefined ? undefined : [draft('QUE', call, place)];
}

/** `Get $bikes from FreeBikes($day)`. */
function gotten(text: string, place: Place, context: Context): Draft[] | undefined {
  const [, target, source] = words.getForm.exec(text) ?? [];
  if (target === undefined || source === undefined) return undefined;
  const call = knownCall(source.replace(/\.$/, ''), context);
  if (call) {
    const outer = hoistedArguments(call.args, place, context);
    return (
      outer && [...outer.drafts, draft('QUE', `${target} = ${call.callee}(${outer.text})`, place)]
    );
  }
  const spoken = spokenCall(source.replace(/`/g, ''), context);
  return spoken === undefined ? undefined : [draft('QUE', `${target} = ${spoken}`, place)];
}
