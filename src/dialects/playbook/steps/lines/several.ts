/**
 * Lines that say several things. Where one of them has a condition, it has to be plain what that is
 * for: otherwise the whole line is for a model, and none of it is done without the rest.
 */
import type { Place, SourceLine } from '../../source/tree.ts';
import { unquoted } from '../../text/brackets.ts';
import { callIn } from '../../text/calls.ts';
import { sentencesIn, splitAt } from '../../text/sentences.ts';
import { isCaseAlone, isSaidTwice } from '../../text/several-quotes.ts';
import * as words from '../../text/words.ts';
import { type Context, callsWithin, tentative } from '../calls/hoisting.ts';
import { type Draft, isTalking } from '../draft.ts';
import { asOtherCase } from '../statements/other-case.ts';
import { explicit, isPerhapsSet } from '../statements/statements.ts';
import { clauseMark, isGreeting, isWithDeeds } from '../statements/talk-clauses.ts';
import { isTitledBehind } from '../statements/titled.ts';
import { meaningOf } from '../step-text.ts';
import { controlCode } from './head-end.ts';
import { withCases } from './switches.ts';

/** Conditions and loops with what is under them; undefined for what is none. */
type Heads = (text: string, inner: readonly Draft[]) => Draft[] | undefined;

/** What is left to a model, as nobody else can say what a condition in it is for. */
type Open = 'open';

/** `F(1). If $x, G(1). Otherwise, H(1).`; undefined where no sentence says when. */
export function ofSentences(
  { place, text }: SourceLine,
  inner: readonly Draft[],
  context: Context,
  heads: Heads,
): Draft[] | Open | undefined {
  const stated = (part: string): Draft[] | undefined => explicit(part, place, tentative(context));
  const written = sentencesIn(text).flatMap(withOthers).map(asElse);
  const sentences = withCases(written.map((one) => ({ text: one }))).map((one) => one.text);
  const parts = withRemarks(sentences, context, stated);
  const isControl = (part: string, at: number): boolean =>
    controlCode(part, inner.length > 0 && at === parts.length - 1) !== undefined;
  const isDeciding = (part: string, at: number): boolean =>
    isControl(part, at) || stated(part)?.some(isDecided) === true;
  if (parts.length < 2 || !parts.some(isDeciding)) return undefined;
  const isByAnswer = parts.slice(1).some((part) => isControl(part, -1) && isDoing(part, heads));
  const made: Draft[] = [];
  let isUnder = false;
  for (const [at, part] of parts.entries()) {
    // The condition before it stands in another line.
    const isChain = at === 0 && parts.every((one) => words.elseWord.test(one));
    const isHead = isControl(part, at);
    const block = at === parts.length - 1 ? inner : [];
    const own = isHead ? asOtherCase(part, made.at(-1)) : next(part);
    if (own === undefined || (at > 0 && isCaseAlone(own))) return 'open';
    const drafts = isHead ? heads(own, block) : explicit(own, place, context);
    const last = drafts?.at(-1);
    if (!drafts || !last) return isTalk(parts, context, stated) && !isByAnswer ? undefined : 'open';
    const isElse = drafts.some(({ code }) => code === 'ELS') && drafts[0]?.code === 'ELS';
    const isOther = isHead && !isElse;
    if ((isElse && !isChain && !takesElse(made.at(-1))) || isLeft(made)) return 'open';
    if (isElse && isOfBoth(drafts[0], made)) return 'open';
    // Nobody can say whether what comes behind is under the condition as well.
    if (isUnder && !isElse && (!isOther || words.answerWord.test(own))) return 'open';
    if (isHead ? last.children.length === 0 : !drafts.every(isSure))
      return isTalk(parts, context, stated) && !isByAnswer ? undefined : 'open';
    made.push(...drafts);
    isUnder = (isHead || isDecided(last)) && !isLeaving(last);
  }
  return made;
}

/** Whether something was returned already: nobody comes to what stands behind it. */
const isLeft = (before: readonly Draft[]): boolean =>
  before.some(({ code, text }) => code === 'RET' && text !== '');

/** `If $x, F(1), else if $y, G(1), else H(1)`: each of them by itself, where there are several. */
function withOthers(part: string): string[] {
  const isHead = words.conditionWord.test(part) || words.elseCondition.test(part);
  const isChain = isHead && words.inlineElseIf.test(part);
  return isChain ? splitAt(part, words.anyInlineElse) : [part];
}

const next = (part: string): string => part.replace(words.nextWord, '');

/** Written in one way; `If not, …` behind a condition is an `Otherwise`. */
const asElse = (part: string, at: number): string =>
  at === 0
    ? part
    : part
        .replace(words.elseCondition, 'Otherwise if')
        .replace(/^(?:if not(?=\s*[,:])|(?:otherwise|else)\b(?! if\b))/i, 'Otherwise');

/** What is no statement, and calls nothing, belongs to the sentence before it. */
function withRemarks(
  parts: readonly string[],
  context: Context,
  stated: (part: string) => Draft[] | undefined,
): string[] {
  const all: string[] = [];
  for (const part of parts) {
    const isOwn =
      controlCode(part, true) !== undefined ||
      words.nextWord.test(part) ||
      splitAt(part, words.arrows).length > 1 ||
      callsWithin(part, context).length > 0 ||
      stated(part) !== undefined;
    const before = isOwn ? undefined : all.pop();
    all.push(before === undefined ? part : `${before} ${part}`);
  }
  return all;
}

/** Whether a line is one talk in words, with all that it says of it. */
const isTalk = (
  [first = '']: readonly string[],
  context: Context,
  stated: (part: string) => Draft[] | undefined,
): boolean => callsWithin(first, context).length === 0 && stated(first)?.some(isTalking) === true;

/** Whether more is done under a condition behind a talk than to talk. */
function isDoing(part: string, heads: Heads): boolean {
  const [condition = ''] = words.answerWord.exec(part) ?? [];
  const rest = part.slice(condition.length);
  if (condition !== '' && !words.talkManner.test(rest)) return true;
  const isDone = (one: Draft): boolean =>
    one.children.length > 0 ? one.children.some(isDone) : !one.isAmbiguous && !isTalking(one);
  return heads(part, [])?.some(isDone) === true;
}

const isSure = (one: Draft): boolean => !isTalking(one) && one.isAmbiguous !== true;

const isDecided = ({ code }: Draft): boolean => code === 'CND' || code === 'ELS';

const takesElse = (before: Draft | undefined): boolean =>
  before?.code === 'CND' || (before?.code === 'ELS' && words.elseCondition.test(before.text));

/**
 * Whether an `Otherwise` behind two conditions may be for both of them, where the first does not
 * leave: `If $n is 1, F(1). If $n is 2, G(1). Otherwise, H(1).`
 */
function isOfBoth(one: Draft | undefined, made: readonly Draft[]): boolean {
  const [first, second] = made.slice(-2);
  const isPlain = one !== undefined && !words.elseCondition.test(one.text);
  return isPlain && first?.code === 'CND' && second?.code === 'CND' && !isLeaving(first);
}

/** Whether nothing comes behind what is done under a condition. */
function isLeaving({ children, code }: Draft): boolean {
  const last = children.at(-1);
  if (code === 'LOP' || !last) return false;
  return last.code === 'RET' || last.code === 'JMP' || /^for (?:exit|return)$/.test(last.text);
}

/** A statement, or several in one line where each of them is explicit. */
export function stated(text: string, place: Place, context: Context): Draft[] | undefined {
  const found = compound(text, place, context);
  if (found === 'open') return undefined;
  return found ?? explicit(text, place, context);
}

function compound(text: string, place: Place, context: Context): Draft[] | Open | undefined {
  const trying = tentative(context);
  // What is asked again if something holds belongs to the question before it.
  const isStatement = (part: string): boolean =>
    !words.conditionWord.test(part) && explicit(part, place, trying) !== undefined;
  const each = (parts: readonly string[]): Draft[][] | undefined =>
    parts.length > 1 && parts.every(isStatement)
      ? parts.map((part) => explicit(part, place, context) ?? [])
      : undefined;
  const sentences = each(withManner(sentencesIn(text)));
  if (sentences) return isUnclear(sentences) ? 'open' : sentences.flat();
  const [, first = '', second = ''] = words.andThen.exec(text) ?? [];
  const joined =
    each(withManner(splitAt(text, /(?:,|\s+[–—-])?\s+(?:and\s+)?then\s+/gi))) ??
    each([first, second]) ??
    listed(each(splitAt(text, /,?\s+and\s+|,\s+/gi)), text) ??
    toldAndQuoted(each(splitAt(text, clauseMark)), text) ??
    spokenFirst(each(splitAt(text, clauseMark)), text, context);
  // What is behind may be for all of them: `F(1) and end the program if $x`.
  const isNone = joined?.flat().some(isDecided) || isUnclear(joined ?? []);
  if (isPerhapsSet(text) || isNone || isLeftIf(text, place, context)) return 'open';
  return joined?.flat();
}

/**
 * Whether something stands behind a return, or behind a question a pause, which may be for its
 * answer: `Ask the user for $n, then wait 5 seconds`.
 */
function isUnclear(parts: readonly (readonly Draft[])[]): boolean {
  const all = parts.flat();
  const isPause = ({ text }: Draft, at: number): boolean => {
    const before = all[at - 1];
    return before !== undefined && asksFor(before) && /^for timer (?!within\b)/.test(text);
  };
  return isLeft(parts.slice(0, -1).flat()) || all.some(isPause);
}

const asksFor = (one: Draft): boolean =>
  one.code === 'QUE' && meaningOf(one, new Set()).asks !== undefined;

/** `F(1), G(2) and say "c"`: calls, and what they are not, but for values that have several. */
function listed(all: Draft[][] | undefined, text: string): Draft[][] | undefined {
  const parts = splitAt(text, /,?\s+and\s+|,\s+/gi);
  if (all && parts.every((part) => setForm.test(part))) return all;
  const isCalls = all?.flat().every((one) => meaningOf(one, new Set()).call !== undefined);
  if (!all || !(isCalls || parts.some((part) => callIn(part) !== undefined))) return undefined;
  const before = all.slice(0, -1).flat();
  return before.every((one) => one.code === 'QUE' && isSure(one)) ? all : undefined;
}

/**
 * `Say "a", wait 5 seconds, say "b"`: nothing more of a text in quotes, a wait or a note can stand
 * behind it.
 */
function spokenFirst(
  all: Draft[][] | undefined,
  text: string,
  context: Context,
): Draft[][] | undefined {
  const before = all?.slice(0, -1).flat() ?? [];
  const isEnded = before.every((one) =>
    one.code === 'QUE' ? isSure(one) : ['CHK', 'TNK', 'YLD'].includes(one.code),
  );
  const isList = splitAt(text, clauseMark).some((part) => unquoted(part) !== undefined);
  const isDone = isWithDeeds(text) || isSaidTwice(text) || isTitledBehind(text, context);
  const isMore = isDone || before.some(({ code }) => code !== 'QUE');
  return isMore && isEnded && !isList ? all : undefined;
}

/**
 * `Tell the user the price and say "b"`: a text in quotes is said by itself, where nobody is told
 * or greeted to say it.
 */
function toldAndQuoted(all: Draft[][] | undefined, text: string): Draft[][] | undefined {
  const parts = splitAt(text, clauseMark);
  const isQuoted = (part: string): boolean => {
    const [verb = ''] = words.literalVerb.exec(part) ?? [];
    return verb !== '' && unquoted(part.slice(verb.length).replace(/[.!]$/, '')) !== undefined;
  };
  const isTold = (part: string): boolean =>
    words.tellVerb.test(part) && !words.clauseWord.test(part) && !isGreeting(part);
  const isEach = parts.every((part) => isQuoted(part) || isTold(part));
  return isEach && parts.some(isQuoted) ? all : undefined;
}

/** `$x = 1, $y = 2`. */
const setForm = /^(?:(?:set|let)\s+)?\$\p{XIDC}+\s*:?=(?!=)/iu;

/** `Say goodbye and return if $x`, whatever stands in front. */
function isLeftIf(text: string, place: Place, context: Context): boolean {
  const at = text.search(/,?\s+(?:and|then)\s+(?!.*\s(?:and|then)\s)/is);
  const last = at < 0 ? '' : text.slice(at).replace(/^,?\s+\w+\s+/, '');
  const drafts = last === '' ? [] : (explicit(last, place, tentative(context)) ?? []);
  return drafts.some((one) => isDecided(one) && isLeaving(one));
}

/** What only says how to ask belongs to the question before it: `ask only for what is missing`. */
function withManner(parts: readonly string[]): string[] {
  const all: string[] = [];
  for (const part of parts) {
    const before = manner.test(part) ? all.pop() : undefined;
    all.push(before === undefined ? part : `${before}; ${part}`);
  }
  return all;
}

const manner = /^\s*(?:ask\s+(?:only|just)|only\s+ask|never\s+ask)\b[^$]*$/i;
