/**
 * Which statement a line is, where its words say so. Everything else is left to a model, and is
 * done as it is written where none is asked.
 */
import type { StepCode } from '../compiled/compiled.ts';
import type { Place, SourceLine } from '../source/tree.ts';
import { indexOutside, isInside, split, unquoted } from '../text/brackets.ts';
import { callIn, type WrittenCall } from '../text/calls.ts';
import { isComputing } from '../text/computing.ts';
import { asForEach, isCounted, loopHead } from '../text/loop-heads.ts';
import { unmarked } from '../text/marks.ts';
import { asSum, assignmentIn, givenTo } from '../text/variables.ts';
import * as words from '../text/words.ts';
import { creation } from './agent-lines.ts';
import { type Draft, draft, jump } from './draft.ts';
import { hoistedAsNeeded } from './guarded.ts';
import { loopOf, withElseCalls } from './head-calls.ts';
import {
  type Context,
  callsWithin,
  canonical,
  deeper,
  depthMax,
  hoisted,
  isComputed,
  knownCall,
  placeholders,
  writtenCall,
} from './hoisting.ts';
import { meetingCall } from './meeting-lines.ts';
import { spokenCall } from './spoken-calls.ts';
import { askedIn } from './step-text.ts';
import { addressee, bracketed, sayDraft } from './talk-lines.ts';
import { waitDrafts } from './wait-lines.ts';

/** Characters of a line beyond which it is no statement, but a text. */
const lineMax = 4000;

/** The steps of the items of a list, in order. */
export const draftsOf = (lines: readonly SourceLine[], context: Context): Draft[] =>
  withElseCalls(
    lines.flatMap((line) => lineDrafts(line, context)),
    context,
  );

function lineDrafts(line: SourceLine, context: Context): Draft[] {
  const { children, place } = line;
  const written = line.text.replace(/^\*\*((?:(?!\*\*).)*)\*\*$/s, '$1').trim();
  const bare = unmarked(written);
  const text = children.length > 0 ? asForEach(bare) : bare;
  const inner = draftsOf(children, inLoop(text, context));
  if (text === '') return inner;
  if (text.length > lineMax) return [{ ...draft('EXE', written, place, inner), isAmbiguous: true }];
  const control =
    context.depth < depthMax ? controlled(text, inner, place, deeper(context)) : undefined;
  if (control) return control;
  const plain = text.replace(pictures, '');
  const statements =
    compound(text, place, context) ??
    explicit(text, place, context) ??
    (plain === text ? undefined : explicit(plain, place, context));
  if (!statements) {
    // What a list is for needs no model: its items say what is to be done.
    const isHead = children.length > 0 && /:$/.test(text);
    const mark = isHead ? {} : { isAmbiguous: true as const };
    return [{ ...draft('EXE', written, place, ofCases(inner)), ...mark }];
  }
  const last = statements.at(-1);
  if (!last || inner.length === 0) return statements;
  // Nothing stands within what only waits, returns or goes elsewhere.
  if (!blockCodes.has(last.code)) return [...statements, ...inner];
  // A loop ends with the way back to its head.
  const back = last.code === 'LOP' ? last.children.slice(-1) : [];
  const own = last.children.slice(0, last.children.length - back.length);
  return [...statements.slice(0, -1), { ...last, children: [...own, ...inner, ...back] }];
}

/** An `Otherwise` behind cases that a line in words is about, and behind no condition. */
const ofCases = (block: readonly Draft[]): Draft[] =>
  block.map((one, at) => {
    const before = block[at - 1]?.code;
    if (one.code !== 'ELS' || before === 'CND' || before === 'ELS') return one;
    return { ...one, code: 'EXE', isAmbiguous: true };
  });

/** At the end of a line they say nothing that words do not: `End program ✅`. */
const pictures = /\s*(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|\u{200D})+$/u;

function inLoop(text: string, context: Context): Context {
  const items = loopHead(text).items.map((item) => item.replace('$', ''));
  return { ...context, items: [...(context.items ?? []), ...items] };
}

const blockCodes: ReadonlySet<StepCode> = new Set(['EXE', 'QUE', 'LOP', 'CND']);

/** Conditions and loops, with a block under them or behind a comma. */
function controlled(
  text: string,
  inner: readonly Draft[],
  place: Place,
  context: Context,
): Draft[] | undefined {
  const code = controlCode(text, inner.length > 0);
  if (code === undefined) return undefined;
  const cut = inner.length > 0 ? undefined : headEnd(text, code, place, context);
  const head = (cut?.head ?? text).replace(/[\s:,]+$/, '');
  const body = cut ? lineDrafts({ text: cut.rest, children: [], place }, context) : [...inner];
  if (code === 'LOP') {
    const isSure = cut || inner.length > 0 || words.sureLoopWord.test(text);
    return isSure ? loopOf(head, body, place, context) : undefined;
  }
  const outer = code === 'CND' ? hoistedAsNeeded(head, place, context) : undefined;
  const other = cut && code === 'CND' ? words.inlineElse.exec(cut.rest) : null;
  if (cut && other && !isInside(cut.rest, other.index + other[0].search(/\p{L}/u))) {
    const parts = [cut.rest.slice(0, other.index), cut.rest.slice(other.index + other[0].length)];
    const [body = [], otherwise = []] = parts.map((part) =>
      lineDrafts({ text: part, children: [], place }, context),
    );
    return [
      ...(outer?.drafts ?? []),
      draft('CND', outer?.text ?? head, place, body),
      draft('ELS', 'Otherwise', place, otherwise),
    ];
  }
  return [...(outer?.drafts ?? []), draft(code, outer?.text ?? head, place, body)];
}

function controlCode(text: string, hasBlock: boolean): StepCode | undefined {
  const isElse = /^if not[\s:,.]*$/i.test(text) || words.otherCases.test(text);
  if (words.elseWord.test(text) || (hasBlock && isElse)) return 'ELS';
  if (words.loopWord.test(text) || isLoop(text, hasBlock)) return 'LOP';
  return words.conditionWord.test(text) ? 'CND' : undefined;
}

/** `For $x in …` has to say what it goes over, where no block is under it. */
function isLoop(text: string, hasBlock: boolean): boolean {
  if (hasBlock && (words.blockLoopWord.test(text) || isCounted(text))) return true;
  const head = hasBlock ? text : text.slice(0, indexOutside(`${text},`, ',:'));
  const { items, over } = loopHead(head);
  // `For guests in Berlin, …` is none.
  return items.length > 0 && (hasBlock || (over !== undefined && /[$[\d]/.test(head)));
}

/** Where the head of a condition in one line ends: `If $x is empty, say so`. */
function headEnd(
  text: string,
  code: StepCode,
  place: Place,
  context: Context,
): { readonly head: string; readonly rest: string } | undefined {
  const [word = ''] = words.elseCondition.exec(text) ?? words.elseWord.exec(text) ?? [];
  if (code === 'ELS' && !words.elseCondition.test(text)) {
    const rest = text.slice(word.length).replace(/^[\s,:]+/, '');
    return rest === '' ? undefined : { head: word, rest };
  }
  const then = words.thenMark.exec(text);
  if (then && !isInside(text, then.index)) {
    const rest = text.slice(then.index + then[0].length);
    if (rest !== '') return { head: text.slice(0, then.index), rest };
  }
  let first: { head: string; rest: string } | undefined;
  let tried = 0;
  for (let at = indexOutside(text, ','); at >= 0; at = indexOutside(text, ',', at + 1)) {
    const rest = text.slice(at + 1).trim();
    if (rest === '' || /^(?:or|and|nor|ou|et)\b/i.test(rest)) continue;
    first ??= { head: text.slice(0, at), rest };
    if (/,\s*(?:(?:and|or|but)\s+)?if\b[^,]*$/i.test(text.slice(0, at))) break;
    tried += 1;
    if (tried > commasMax) break;
    if (explicit(rest, place, context)) return { head: text.slice(0, at), rest };
  }
  return first ?? unmarkedEnd(text);
}

/** `If $x > 3 say "big"`: behind a comparison that is whole only its statement can follow. */
function unmarkedEnd(text: string): { readonly head: string; readonly rest: string } | undefined {
  const { 0: head = '', index = 0 } = words.wholeComparison.exec(text) ?? {};
  if (head === '' || isInside(text, index + head.length)) return undefined;
  return { head, rest: text.slice(head.length).trim() };
}

/** Commas of a condition behind which its statement is looked for. */
const commasMax = 8;

/** The one statement that a text is; several steps where it calls within a call. */
function explicit(text: string, place: Place, context: Context): Draft[] | undefined {
  const bare = text.replace(/[.!]$/, '').trim();
  const only = onlyIf(bare, place, context);
  if (only) return only;
  if (words.blockEnd.test(bare)) return [];
  if (words.endForm.test(text)) return [draft('YLD', 'for exit', place)];
  const number = words.jumpForm.exec(text)?.[1];
  if (number !== undefined) return [jump({ to: 'item', number }, place)];
  if (words.restartForm.test(text)) return [jump({ to: 'first' }, place)];
  if (words.breakForm.test(text)) return [jump({ to: 'after' }, place)];
  if (words.continueForm.test(text)) return [jump({ to: 'head' }, place)];
  const item = words.nextItemForm.exec(text)?.[1] ?? '';
  if (context.items?.includes(item)) return [jump({ to: 'head', item }, place)];
  const note = words.checkForm.exec(text)?.[1];
  if (note !== undefined) return [draft('CHK', note.toUpperCase(), place)];
  if (words.waitWord.test(text)) return waitDrafts(bare, place, context.names);
  if (words.thinkWord.test(text)) return [draft('TNK', text, place)];
  return (
    returned(text, place, context) ??
    talked(text, place, context) ??
    created(text, place, context) ??
    assigned(text, place, context) ??
    called(text, place, context) ??
    gotten(text, place, context) ??
    quotedLine(text, place)
  );
}

/** `Return 1 if $x > 3`, `Break unless $x`: what is done, and behind it when that is. */
function onlyIf(text: string, place: Place, context: Context): Draft[] | undefined {
  const { 0: word = '', index: at = 0 } = [...text.matchAll(words.onlyIf)].at(-1) ?? {};
  const rest = text.slice(at + word.length);
  if (at === 0 || isInside(text, at) || words.anyElse.test(rest)) return undefined;
  const what = explicit(text.slice(0, at), place, context);
  const last = what?.at(-1);
  if (!what || !last || !isWhole(last, rest)) return undefined;
  const head = /unless/i.test(word) ? 'Unless' : 'If';
  const outer = hoistedAsNeeded(`${head} ${rest}`, place, context);
  return [...outer.drafts, draft('CND', outer.text, place, what)];
}

/** Whether nothing of a statement asks for an `if` behind it: `a note that says if …`. */
function isWhole({ code, text }: Draft, condition: string): boolean {
  switch (code) {
    case 'QUE':
      return !/^(?:Say|SendMessage)\(/.test(text) || /,\s*".*"\)$/s.test(text);
    case 'RET':
      return text === '' || /^(?:[$"'[{\d-]|(?:true|false|none)$)/i.test(text) || !!callIn(text);
    case 'EXE':
      return condition.includes('$');
    case 'YLD':
      return /^for (?:timer [^a-z]*\w+|exit|return)$/.test(text);
    default:
      return code === 'JMP';
  }
}

function returned(text: string, place: Place, context: Context): Draft[] | undefined {
  const [word] = words.returnWord.exec(text) ?? [];
  if (word === undefined || words.goBack.test(text) || words.returning.test(text)) {
    return undefined;
  }
  const value = returnedIn(text.slice(word.length).trim());
  const call = knownCall(value, context);
  if (!call || isComputing(call.callee)) {
    const { drafts, text: made } = hoisted(value, place, context);
    return [...drafts, draft('RET', made, place)];
  }
  const outer = hoisted(call.args, place, context);
  return [...outer.drafts, draft('RET', `${call.callee}(${outer.text})`, place)];
}

/** `with $x.` and `the $x` are `$x`. */
const returnedIn = (text: string): string =>
  text
    .replace(words.toCaller, '')
    .replace(/^(?:(?:early|immediately|at once|right away)(?:\s+|$)|with\s+)/i, '')
    .replace(/^the\s+(?=\$\p{XIDC}+\.?$)/iu, '')
    .replace(/(?<![.])\.$/, '');

/** Says and questions. */
function talked(text: string, place: Place, context: Context): Draft[] | undefined {
  const [, first, until] = words.talkUntil.exec(text) ?? [];
  if (first !== undefined && until !== undefined) {
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
    return [...filled.drafts, ...(talkedOnce(filled.text, place, context) ?? [])];
  }
  const written = callIn(text);
  const own = written && !context.names.callees.has(written.callee) && lowerTalk.exec(text)?.[1];
  const call = own ? { ...written, callee: own === 'say' ? 'Say' : 'Ask' } : written;
  if (call) return ownTalk.test(call.callee) ? sayDrafts(call, place, context) : undefined;
  const [asked, what] = words.askedFor.exec(text) ?? words.askedOf.exec(text) ?? [];
  if (asked !== undefined) return talkedOnce(`Ask the user for ${what}`, place, context);
  const [verb] = words.literalVerb.exec(text) ?? [];
  const rest = text.slice(verb?.length ?? 0).replace(/(?<=["'”»])\s*[.!]$/, '');
  const literal = verb === undefined ? undefined : unquoted(rest);
  if (literal !== undefined) return [draft('QUE', `Say(user, ${JSON.stringify(literal)})`, place)];
  const whom = addressee(text, context.names);
  if (whom === undefined || words.saidAndMore.test(text) || isCalling(text, context)) {
    return undefined;
  }
  const isAsk = words.askVerb.test(text) || /(?:,|\band)\s+(?:then\s+)?ask\b/i.test(text);
  const isPerson = whom !== 'user' || words.personWord.test(text);
  const isTold =
    (words.tellVerb.test(text) && (words.sayVerb.test(text) || isPerson)) ||
    /^introduce yourself\b/i.test(text);
  const message = `Say(${whom}, ${bracketed(text)})`;
  return isAsk || isTold ? [draft('QUE', message, place)] : undefined;
}

/** Who is to say something and call something does more than to say. */
const isCalling = (text: string, context: Context): boolean =>
  callsWithin(text, context).length > 0;

const lowerTalk = /^(say|ask)\(/;
const ownTalk = /^(Say|SendMessage|Ask)$/;

/** `Say(level("pier"))`: the result is what is said. */
export function sayDrafts({ callee, args }: WrittenCall, place: Place, context: Context): Draft[] {
  const { drafts, text } = hoisted(args, place, context);
  const parts = split(text, ',');
  const last = parts.at(-1)?.trim() ?? '';
  const isResult = drafts.some((one) => one.text.startsWith(`${last} = `));
  const said = isResult ? [...parts.slice(0, -1), ` "{${last}}"`].join(',').trim() : text;
  return [...drafts, sayDraft({ callee, args: said }, place)];
}

function assigned(text: string, place: Place, context: Context): Draft[] | undefined {
  const isCall = (value: string): boolean => writtenCall(value, context) !== undefined;
  const found = assignmentIn(asSum(text)) ?? givenTo(text, isCall);
  if (!found) return undefined;
  const { target, type, value } = found;
  const left = `${target}${type === undefined ? '' : `:${type}`}`;
  const call = writtenCall(value, context);
  if (call && !ownTalk.test(call.callee) && !isComputed(call, context)) {
    const outer = hoisted(call.args, place, context);
    const name = canonical(call.callee, context);
    return [...outer.drafts, draft('QUE', `${left} = ${name}(${outer.text})`, place)];
  }
  if (words.askVerb.test(value)) {
    const asked = askedIn(value).includes(target) ? value : `${value} as ${target}`;
    return [draft('QUE', `Say(user, ${bracketed(asked)})`, place)];
  }
  const spoken = spokenCall(value, context);
  if (spoken) return [draft('QUE', `${left} = ${spoken}`, place)];
  const outer = hoisted(value, place, context);
  return [...outer.drafts, draft('EXE', `${left} = ${outer.text}`, place)];
}

function called(text: string, place: Place, context: Context): Draft[] | undefined {
  const bare = text.replace(words.callWord, '');
  const call = writtenCall(bare, context);
  if (call) {
    const outer = hoisted(call.args, place, context);
    return [
      ...outer.drafts,
      draft('QUE', `${canonical(call.callee, context)}(${outer.text})`, place),
    ];
  }
  // Behind such a word quotes are about a name: `Call "Book a bike"`.
  const name = bare === text ? text : bare.replace(/["'`]/g, '');
  const spoken = spokenCall(name, context);
  return spoken === undefined ? undefined : [draft('QUE', spoken, place)];
}

/** `Create a Player agent named Ann`, `Have a meeting with Ann`; perhaps with a variable for it. */
function created(text: string, place: Place, { names }: Context): Draft[] | undefined {
  const bare = text.replace(/[.!]$/, '');
  const call = creation(bare, { others: names.models }) ?? meetingCall(bare, names);
  return call === undefined ? undefined : [draft('QUE', call, place)];
}

const getForm = new RegExp(
  '^(?:get|fetch|obtain|load|retrieve|read|find|obtenir|obtiens)\\s+(\\$\\p{XIDC}+)\\s+' +
    '(?:from|using|with|by calling|via|de|avec)\\s+([\\s\\S]+)$',
  'iu',
);

/** `Get $bikes from FreeBikes($day)`. */
function gotten(text: string, place: Place, context: Context): Draft[] | undefined {
  const [, target, source] = getForm.exec(text) ?? [];
  if (target === undefined || source === undefined) return undefined;
  const call = knownCall(source.replace(/\.$/, ''), context);
  if (call) {
    const outer = hoisted(call.args, place, context);
    return [...outer.drafts, draft('QUE', `${target} = ${call.callee}(${outer.text})`, place)];
  }
  const spoken = spokenCall(source.replace(/`/g, ''), context);
  return spoken === undefined ? undefined : [draft('QUE', `${target} = ${spoken}`, place)];
}

/** A text in quotes alone is said as it is. */
function quotedLine(text: string, place: Place): Draft[] | undefined {
  const literal = unquoted(text);
  return literal === undefined
    ? undefined
    : [draft('QUE', `Say(user, ${JSON.stringify(literal)})`, place)];
}

/** Several statements in one line, where each of them is explicit. */
function compound(text: string, place: Place, context: Context): Draft[] | undefined {
  for (const marks of [/(?<=[.!?]["”]?)\s+(?=[\p{Lu}$"])/u, /;\s+/, /,?\s+(?:and\s+)?then\s+/i]) {
    const parts = withManner(splitAt(text, marks).filter((part) => part.trim() !== ''));
    if (parts.length < 2) continue;
    const each = parts.map((part) => explicit(part.trim(), place, context));
    if (each.every((one) => one !== undefined)) return each.flat();
  }
  const [, first, second] = words.andThen.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const [one, other] = [explicit(first, place, context), explicit(second, place, context)];
  return one && other ? [...one, ...other] : undefined;
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

/** The parts of a text between what `marks` finds outside of quotes and brackets. */
function splitAt(text: string, marks: RegExp): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: mark } of text.matchAll(new RegExp(marks, `${marks.flags}g`))) {
    if (isInside(text, index)) continue;
    parts.push(text.slice(start, index));
    start = index + mark.length;
  }
  return [...parts, text.slice(start)];
}
