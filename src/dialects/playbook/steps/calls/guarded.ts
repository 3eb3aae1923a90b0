/**
 * Calls in an expression or a condition that a part in front of them may decide alone, as in
 * `$n < 3 and F()`: they are made where it does not. Where nobody can say which part that is, or
 * whether a call is a part of it at all, the line is for a model: nothing is called in front of
 * what it stands under. What a part in words comes to is the model's to say, so only plain ones
 * decide.
 */
import { namePattern } from '../../../../program/name.ts';
import type { Place } from '../../source/tree.ts';
import { isInside, split } from '../../text/brackets.ts';
import { isOfEnd } from '../../text/call-ends.ts';
import { readFilling } from '../../text/filling.ts';
import { type Draft, draft } from '../draft.ts';
import {
  type Context,
  callsWithin,
  type Hoisted,
  hoisted,
  outerCalls,
  type Span,
} from './hoisting.ts';
import { withTitleCalls } from './title-heads.ts';

/** A head with its calls before it; undefined where they cannot come there. */
export function hoistedHead(written: string, place: Place, context: Context): Hoisted | undefined {
  const head = withTitleCalls(written, context);
  if (head === undefined) return undefined;
  if (callsWithin(head, context).length === 0) return { drafts: [], text: head };
  const [words = ''] = headWords.exec(head) ?? [];
  const condition = head.slice(words.length);
  // What is set within it, a condition does not set.
  if (settingWithin.test(condition)) return undefined;
  // Behind a comma may stand what is done; loops may have several items.
  const [first = ''] = split(condition, ',');
  const isSure = callsWithin(condition.slice(first.length), context).length === 0;
  if (!isSure && !overCall.test(condition)) return undefined;
  const found = guarded(condition, place, context);
  return found && { ...found, text: words + found.text };
}

/** `If $x := F(1)`, `If ($x = F(1)) > 3`. */
const settingWithin = new RegExp(
  String.raw`^[^"']*(?::=|(?<!\p{XIDC})\(\s*\$?${namePattern}\s*=(?!=))`,
  'u',
);

/** `For each $name, $price in Prices(…)`. */
const overCall = new RegExp(
  String.raw`^(?:for|pour)\b[^,()]*(?:,\s*\$?${namePattern}\s*)+(?:in|of|from|dans|de)\s+` +
    String.raw`[\p{XIDC}.]+\(.*\)$`,
  'isu',
);

/** The same of arguments: each part between commas is one of its own. */
export function hoistedArguments(
  text: string,
  place: Place,
  context: Context,
): Hoisted | undefined {
  const drafts: Draft[] = [];
  const parts: string[] = [];
  for (const part of split(text, ',')) {
    const found = guarded(part, place, context);
    if (!found) return undefined;
    drafts.push(...found.drafts);
    parts.push(found.text);
  }
  return { drafts, text: parts.join(',') };
}

/**
 * The same of one value: what stands behind a comma may be another statement, and where one call
 * decides whether there is another, all of it has to be computed.
 */
export function hoistedValue(text: string, place: Place, context: Context): Hoisted | undefined {
  const [first = ''] = split(text, ',');
  const isMore = callsWithin(text.slice(first.length), context).length > 0;
  const found = isMore ? undefined : hoistedArguments(text, place, context);
  const isDeciding = found?.drafts.some(({ code }) => code === 'CND');
  return isDeciding && !isComputable(found?.text ?? '') ? undefined : found;
}

const isComputable = (text: string): boolean => 'filling' in (readFilling(text) ?? {});

const headWords = /^.*?\b(?:if|in case|unless|when(?:ever)?|while|until|as long as)\s+/i;

function guarded(text: string, place: Place, context: Context): Hoisted | undefined {
  if (callsWithin(text, context).length === 0) return { drafts: [], text };
  const drafts: Draft[] = [];
  let before = '';
  const words = new Set<string>();
  for (const { by, text: part } of connectedIn(text)) {
    if (by !== '') words.add(by.trim().toLowerCase());
    // `F(1) or G(1) is 3` may say so of either.
    if (drafts.length > 0 && saidOf.test(part) && !isSaid(before)) return undefined;
    if (outerCalls(part, context).some((call) => !isOperand(part, call, context))) return undefined;
    const { drafts: calls, text: made } = hoisted(part, place, context);
    const guard = calls.length > 0 && before !== '' ? guardOf(before, words) : '';
    if (guard === undefined) return undefined;
    drafts.push(...(guard === '' ? calls : [draft('CND', guard, place, calls)]));
    before += by + made;
  }
  return { drafts, text: before };
}

const isSaid = (text: string): boolean => saidOf.test(text) || /[<>=]/.test(text);

const saidOf =
  /(?<!\p{XIDC})(?:is|are|was|were|equals?|has|have|contains?|includes?|exceeds?)(?!\p{XIDC})/iu;

/** When what stands behind `before` still matters. */
function guardOf(before: string, words: ReadonlySet<string>): string | undefined {
  const parts = [...connectedIn(before)].map((part) => part.text);
  const isPlain = (part: string): boolean => plain.test(part) && !constant.test(part);
  if (words.size > 1 || !parts.every(isPlain)) return undefined;
  const decided = parts.map((part) => part.trim()).join(` ${[...words][0]} `);
  return words.has('and') ? `If ${decided}` : `If not (${decided})`;
}

interface Connected {
  /** The word in front of it, with the blanks around. */
  readonly by: string;
  readonly text: string;
}

/** What is connected by `and` and `or`, outside of quotes and brackets. */
function* connectedIn(condition: string): Generator<Connected> {
  let by = '';
  let from = 0;
  for (const { 0: found, index } of condition.matchAll(/\s+(?:and|or)\s+/gi)) {
    const isBetween = /\bbetween\s+\S+$/i.test(condition.slice(from, index));
    if (isBetween || isInside(condition, index)) continue;
    yield { by, text: condition.slice(from, index) };
    by = found;
    from = index + found.length;
  }
  yield { by, text: condition.slice(from) };
}

/** Whether a call is a part of what is computed, and not what is done behind it or instead. */
function isOperand(text: string, { from, to }: Span, context: Context): boolean {
  const args = text.slice(text.indexOf('(', from) + 1, to - 1);
  if (callsWithin(args, context).length > 0 && deciding.test(unquotedIn(args))) return false;
  const [before, behind] = [text.slice(0, from), text.slice(to)].map(unquotedIn);
  // In brackets behind it stands a remark, which may say anything.
  if (/^\s+\(/.test(behind ?? '')) return false;
  if (deciding.test(before ?? '') || instead.test(behind ?? '')) return false;
  // Whether it fails, its result may say, or the call itself.
  if (isOfEnd(before ?? '', behind ?? '')) return false;
  return before?.trim() === '' || leading.test(before ?? '');
}

/** Without what stands in quotes, and with one end of `between 1 and 5`. */
const unquotedIn = (text: string): string =>
  text
    .replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""')
    .replace(/\bbetween\s+\S+\s+and(?=\s)/gi, 'between');

/** Words that say whether what stands behind them is computed; within brackets, connectives. */
const deciding =
  /(?<!\p{XIDC})(?:if|unless|else|otherwise|lambda|and|or|then|while|until)(?!\p{XIDC})/iu;

/** Words that say so of what stands before them: `F() if $x else 0`, `F(x) for x in $list`. */
const instead = /(?<!\p{XIDC})(?:if|unless|else|otherwise|for\s+.*\sin)(?!\p{XIDC})/isu;

/** What a value may stand behind. */
const leading = new RegExp(
  String.raw`(?:[-+*/%<>=!~^|&([{,:"']|(?<!\p{XIDC})(?:not|in|is|are|was|were|be|equals?|than|` +
    'to|from|by|with|of|at|least|most|contains|includes|exceeds|has|between|the|an?|that|what|' +
    'calling|running|function|tool|playbook|each|every|all|on|as|for|over|through|repeat|loop|' +
    String.raw`est|de|que|pas|dans|si|quand|lorsque|chaque))\s*$`,
  'iu',
);

const variable = String.raw`\$?${namePattern}(?:\.${namePattern}|\[[^\]]*\])*`;
const operand = String.raw`(?:len\(${variable}\)|${variable}|-?\d+(?:\.\d+)?|"[^"]*"|'[^']*')`;
const value =
  String.raw`(?:empty|set|none|null|true|false|-?\d+(?:\.\d+)?|"[^"]*"|` +
  String.raw`\$${namePattern})`;

/** `$n < 3`, `$n is 3`, `not $done`, `$list is empty`. */
const plain = new RegExp(
  String.raw`^\s*(?:not\s+)?${operand}(?:\s*(?:==|!=|<=?|>=?|(?:not\s+)?in\b)\s*${operand}|` +
    String.raw`\s+(?:is|equals)\s+(?:not\s+)?${value})?\s*$`,
  'iu',
);

/** What decides nothing is there for something else: `Set $x to 5 and F()`. */
const constant = /^\s*(?:-?\d+(?:\.\d+)?|"[^"]*"|'[^']*')\s*$/;
