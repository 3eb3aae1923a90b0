/**
 * What lines are, where their words say so: conditions and loops with what belongs to them, and
 * statements, one or more in a line. Everything else is left to a model, and is done as it is
 * written where none is asked.
 */
import type { StepCode } from '../../compiled/compiled.ts';
import type { Place, SourceLine } from '../../source/tree.ts';
import { isBareHead, isOfHead } from '../../text/bare-heads.ts';
import { assignmentOf, blockValue } from '../../text/blocks.ts';
import { indexOutside, isInside } from '../../text/brackets.ts';
import * as heads from '../../text/list-heads.ts';
import { shortened } from '../../text/long-lines.ts';
import { asForEach, isCounted, loopHead } from '../../text/loop-heads.ts';
import { unmarked, withoutBraces, withoutRemark } from '../../text/marks.ts';
import { straightened } from '../../text/quotes.ts';
import { sentencesIn, splitAt } from '../../text/sentences.ts';
import { isCaseAlone, isOfCases } from '../../text/several-quotes.ts';
import { assignmentIn } from '../../text/variables.ts';
import * as words from '../../text/words.ts';
import { hoistedHead } from '../calls/guarded.ts';
import { loopOf, withElseCalls } from '../calls/head-calls.ts';
import { type Context, deeper, depthMax, tentative } from '../calls/hoisting.ts';
import { type Draft, draft, isTalking, open, withBlockOf, withInner } from '../draft.ts';
import { asOtherCase, otherCase } from '../statements/other-case.ts';
import { explicit } from '../statements/statements.ts';
import { titled } from '../statements/titled.ts';
import { type Cut, controlCode, headEnd, headOver } from './head-end.ts';
import { withEnds } from './loop-ends.ts';
import { ofSentences, stated } from './several.ts';
import { casesOf, withCases } from './switches.ts';

/** The steps of the items of a list, in order. */
export const draftsOf = (lines: readonly SourceLine[], context: Context): Draft[] =>
  withElseCalls(orderedDrafts(lines, context), context);

function orderedDrafts(lines: readonly SourceLine[], context: Context): Draft[] {
  const all: Draft[] = [];
  for (const line of withEnds(withCases(lines, context.cases))) {
    const before = all.at(-1);
    const isOpen = before?.isAmbiguous === true && words.conditionWord.test(before.text);
    // `Then …` behind a condition that only a model understands is under that.
    const own = isOpen && /^then\b/i.test(line.text) ? undefined : withOther(line, before);
    all.push(...(own ? lineDrafts(own, context) : asWritten([line], context)));
  }
  return behindOpen(all);
}

/** `Otherwise "b"` as a line of its own; undefined where nobody can say what is done with it. */
function withOther(line: SourceLine, before: Draft | undefined): SourceLine | undefined {
  const text = line.children.length > 0 ? undefined : asOtherCase(line.text, before);
  if (text === undefined || text === line.text) return line;
  const isOneLine = before?.children.at(-1)?.place === before?.place;
  return isOneLine ? { ...line, text } : undefined;
}

/** Lines that are left to a model; what stands under them is read. */
const asWritten = (lines: readonly SourceLine[], context: Context): Draft[] =>
  lines.map((line) => {
    const own = draft('EXE', line.text, line.place, draftsOf(line.children, context));
    return withBlockOf(line, open(own));
  });

/** What is done otherwise behind a condition that only a model understands is open, too. */
function behindOpen(drafts: readonly Draft[]): Draft[] {
  const all: Draft[] = [];
  for (const one of drafts) {
    const isOpen = one.code === 'ELS' && all.at(-1)?.isAmbiguous === true;
    all.push(isOpen ? open(one) : one);
  }
  return all;
}

function lineDrafts(line: SourceLine, context: Context): Draft[] {
  const { block, place, text } = line;
  const drafts = textDrafts(line, context);
  if (block === undefined) return drafts;
  const isOwn = (one: Draft): boolean => one.place === place;
  const head = drafts.findLastIndex((one) => isOwn(one) && one.code !== 'ELS');
  const at = head < 0 ? drafts.findLastIndex(isOwn) : head;
  if (at < 0) return [{ ...open(draft('EXE', text, place)), block }, ...drafts];
  return drafts.map((one, order) => (order === at ? { ...one, block } : one));
}

function textDrafts(line: SourceLine, context: Context): Draft[] {
  const { children, place } = line;
  const written = line.text.replace(/^\*\*((?:(?!\*\*).)*)\*\*$/s, '$1').trim();
  const { text: bare = '', isLong, whole } = shortened(plainText(written));
  const text = children.length > 0 ? asForEach(withoutBraces(bare)) : withForEach(bare);
  const over = casesOf(text, children);
  const inner = draftsOf(children, { ...inLoop(text, context), cases: over });
  if (text === '' && !isLong) return inner;
  const drafts = isLong ? undefined : plainDrafts({ ...line, text }, inner, context);
  if (drafts) return whole ? drafts.map((one) => withTexts(one, whole)) : drafts;
  const own = draft('EXE', written, place, ofCases(inner));
  const isOfEach = heads.toEach.test(text);
  return (children.length > 0 && !isOfEach && listed(line, text, own, context)) || [open(own)];
}

/** What a list is for needs no model, where its items say what is to be done. */
function listed(
  { children, place }: SourceLine,
  text: string,
  own: Draft,
  context: Context,
): Draft[] | undefined {
  if (casesOf(text, children) !== undefined) return [own];
  // Which of them is done, whoever chooses says.
  if (heads.choosing.test(text)) return [open({ ...own, children: asWritten(children, context) })];
  if (isConditional(text)) return undefined;
  const head = text.replace(/:$/, '').trim();
  if (head === text || heads.perhapsRepeating.test(head)) return undefined;
  return heads.repeating.test(head) ? loopOf(head, own.children, place, context) : [own];
}

/** `Go through each $x in $list: F($x)`: a colon says of a head that what it is for comes then. */
function withForEach(text: string): string {
  const end = indexOutside(text, ':');
  return end < 0 ? text : asForEach(text.slice(0, end)) + text.slice(end);
}

/** A line without what only shows it off. */
const plainText = (written: string): string => withoutRemark(unmarked(straightened(written)));

/** Whether something in a line says when the rest is done. */
const isConditional = (text: string): boolean =>
  heads.deciding.test(text) ||
  sentencesIn(text).some((part) => controlCode(part, true) !== undefined);

const withTexts = (one: Draft, whole: (made: string) => string): Draft => ({
  ...{ ...one, text: whole(one.text) },
  children: one.children.map((child) => withTexts(child, whole)),
});

/** Undefined for a line that only a model can understand. */
function plainDrafts(
  line: SourceLine,
  inner: readonly Draft[],
  context: Context,
): Draft[] | undefined {
  const { place, text } = line;
  const title = titled(text, place, context);
  if (!title && context.depth < depthMax) {
    const within = deeper(context);
    const heads = (one: string, block: readonly Draft[]): Draft[] | undefined =>
      controlled(one, block, place, within);
    const control = ofSentences(line, inner, within, heads) ?? heads(text, inner);
    if (control === 'open') return undefined;
    if (control) return control;
  }
  // A condition whose end nobody can say is no word of a message.
  if (!title && words.conditionWord.test(text)) return undefined;
  const plain = text.replace(pictures, '');
  const statements =
    title ??
    ofBlock(line) ??
    stated(text, place, context) ??
    (plain === text ? undefined : explicit(plain, place, context));
  const last = statements?.at(-1);
  if (!statements || inner.length === 0) return statements;
  if (!last) return [...inner];
  // What each of them is told, and what is done for each, a step cannot say.
  if (isTalking(last) && heads.toEach.test(text)) return undefined;
  // Nothing stands within what only waits, returns or goes elsewhere.
  if (!blockCodes.has(last.code)) return [...statements, ...inner];
  return [...statements.slice(0, -1), withInner(last, inner)];
}

/** What is set to what stands in the block, or returns that. */
function ofBlock({ text, block, place }: SourceLine): Draft[] | undefined {
  if (blockValue(block) === undefined) return undefined;
  const set = assignmentIn(text) ? undefined : assignmentOf({ text, block });
  const type = set?.type === undefined ? '' : `:${set.type}`;
  if (set) return [draft('EXE', `${set.target}${type} =`, place)];
  return /^[:\s]*$/.test(text.replace(words.returnWord, ''))
    ? [draft('RET', '', place)]
    : undefined;
}

/** An `Otherwise` behind cases that a line in words is about, and behind no condition. */
const ofCases = (block: readonly Draft[]): Draft[] =>
  block.map((one, at) => {
    const before = block[at - 1]?.code;
    if (one.code !== 'ELS' || before === 'CND' || before === 'ELS') return one;
    return open(one);
  });

/** At the end of a line they say nothing that words do not: `End program ✅`. */
const pictures = /\s*(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|\u{200D})+$/u;

function inLoop(text: string, context: Context): Context {
  const items = loopHead(text).items.map((item) => item.replace('$', ''));
  return { ...context, items: [...(context.items ?? []), ...items] };
}

const blockCodes: ReadonlySet<StepCode> = new Set(['EXE', 'QUE', 'LOP', 'CND']);

/** What is done then may be done in both cases: `if $x, F(1), otherwise G(2), then H(3)`. */
const thenAfter = /,\s+(?:and\s+)?then\s+/gi;

/** Whether what stands behind a head may be for another value: `If $x is "a", F(1), "b", G(1)`. */
const isOfOtherCase = ({ rest }: Cut): boolean => isOfCases(rest) || isCaseAlone(rest);

/** Whether what stands in the line of a head is surely done under it, beside its block. */
const isStatement = ({ head, rest }: Cut, place: Place, context: Context): boolean =>
  isBareHead(head) && explicit(rest, place, tentative(context)) !== undefined;

/** `Otherwise, if …` is `Otherwise if …`. */
const elseComma = /^(otherwise|else|sinon|autrement)\s*,\s+(?=(?:if|when|si|quand)\b)/i;

/** Conditions and loops, with a block under them or behind a comma. */
function controlled(
  written: string,
  inner: readonly Draft[],
  place: Place,
  context: Context,
): Draft[] | undefined {
  const text = written.replace(elseComma, '$1 ').replace(words.shouldBe, 'If $1 is ');
  const code = controlCode(text, inner.length > 0);
  if (code === undefined) return undefined;
  const over = inner.length > 0 ? headOver(text, place, context) : undefined;
  if (over) {
    const block = controlled(over.rest, inner, place, context);
    return block && controlled(`${over.head}:`, block, place, context);
  }
  const isHead = inner.length > 0 && loopHead(text).over !== undefined;
  const end = isHead ? undefined : headEnd(text, code, place, context);
  // With lines under it, it may have as many commas as it likes.
  const cut = inner.length > 0 && end && !isStatement(end, place, context) ? undefined : end;
  const head = (cut?.head ?? text).replace(/[\s:,]+$/, '');
  const isOfList = code === 'LOP' && inner.length > 0;
  const isWhole = end ? cut || isOfHead(end.head, end.rest) : inner.length > 0 || isBareHead(head);
  if ((!isWhole && !isOfList) || (cut && isOfOtherCase(cut))) return undefined;
  // What stands under it is no line that is done, but what it goes over.
  if (code === 'LOP' && inner.length > 0 && heads.overLines.test(head)) return undefined;
  // Conditions stand under it, not what is done.
  if (code !== 'LOP' && inner.length > 0 && words.ofSeveral.test(head)) return undefined;
  const own = cut ? lineDrafts({ text: cut.rest, children: [], place }, context) : [];
  const [only] = own;
  // What holds in other cases is not done in this one.
  if (code !== 'LOP' && only?.isAmbiguous && words.furtherIf.test(only.text)) return undefined;
  // `Two rounds: a warm-up and a race` tells of them.
  if (inner.length === 0 && only?.isAmbiguous && isCounted(head)) return undefined;
  const body = [...own, ...inner];
  if (code === 'LOP') return loopOf(head, body, place, context);
  const isCase = code === 'CND' || words.elseCondition.test(text);
  const other = cut && isCase ? words.inlineElse.exec(cut.rest) : null;
  const outer = code === 'CND' ? hoistedHead(head, place, context) : { drafts: [], text: head };
  // What it calls may stand under it.
  if (!outer || (outer.drafts.length > 0 && body.length === 0)) return undefined;
  if (cut && other && !isInside(cut.rest, other.index + other[0].search(/\p{L}/u))) {
    // Of two conditions in a line nobody can say which of them it is the other case of.
    const isMore = [words.conditionWord, words.inlineElseIf].some((form) => form.test(cut.rest));
    if (inner.length > 0 || isMore) return undefined;
    const draftsIn = (part: string): Draft[] =>
      lineDrafts({ text: part, children: [], place }, context);
    const first = draft(code, outer.text, place, draftsIn(cut.rest.slice(0, other.index)));
    const otherwise = otherCase(cut.rest.slice(other.index + other[0].length), first);
    if (otherwise === undefined || splitAt(otherwise, thenAfter).length > 1) return undefined;
    return [...outer.drafts, first, draft('ELS', 'Otherwise', place, draftsIn(otherwise))];
  }
  return [...outer.drafts, draft(code, outer.text, place, body)];
}
