/**
 * Calls in a condition that a part in front of them may decide alone, as in `$n < 3 and F()`: they
 * are made where it does not. What a part in words comes to is the model's to say, so only plain
 * ones count.
 */
import { namePattern } from '../../../program/name.ts';
import type { Place } from '../source/tree.ts';
import { isInside } from '../text/brackets.ts';
import { draft } from './draft.ts';
import { type Context, callsWithin, type Hoisted, hoisted } from './hoisting.ts';

/** A head with its calls before it, under a condition of their own where they may not be needed. */
export function hoistedAsNeeded(head: string, place: Place, context: Context): Hoisted {
  const found = hoisted(head, place, context);
  const guard = found.drafts.length > 0 ? guardIn(head, context) : undefined;
  if (guard === undefined) return found;
  return { ...found, drafts: [draft('CND', guard, place, found.drafts)] };
}

function guardIn(head: string, context: Context): string | undefined {
  const [words = head] = headWords.exec(head) ?? [];
  const parts = [...connectedIn(head.slice(words.length))];
  const first = parts.findIndex(({ text }) => callsWithin(text, context).length > 0);
  const before = parts.slice(0, first);
  const [by, ...others] = new Set(parts.slice(1).map((part) => part.by));
  if (by === undefined || others.length > 0 || before.length === 0) return undefined;
  if (!before.every(({ text }) => plain.test(text))) return undefined;
  const decided = before.map(({ text }) => text.trim()).join(` ${by} `);
  return by === 'and' ? `If ${decided}` : `If not (${decided})`;
}

const headWords = /^.*?\b(?:if|in case|unless|when(?:ever)?|while|until|as long as)\s+/i;

interface Connected {
  /** The word in front of it. */
  readonly by: string;
  readonly text: string;
}

/** What is connected by `and` and `or`, outside of quotes and brackets. */
function* connectedIn(condition: string): Generator<Connected> {
  let by = '';
  let from = 0;
  for (const { 0: found, 1: word = '', index } of condition.matchAll(/\s+(and|or)\s+/gi)) {
    if (isInside(condition, index)) continue;
    yield { by, text: condition.slice(from, index) };
    by = word.toLowerCase();
    from = index + found.length;
  }
  yield { by, text: condition.slice(from) };
}

const variable = String.raw`\$?${namePattern}(?:\.${namePattern}|\[[^\]]*\])*`;
const operand = String.raw`(?:len\(${variable}\)|${variable}|-?\d+(?:\.\d+)?|"[^"]*"|'[^']*')`;

/** `$n < 3`, `not $done`, `$list is empty`. */
const plain = new RegExp(
  String.raw`^\s*(?:not\s+)?${operand}(?:\s*(?:==|!=|<=?|>=?|(?:not\s+)?in\b)\s*${operand}|` +
    String.raw`\s+is\s+(?:not\s+)?(?:empty|set|none|null|true|false))?\s*$`,
  'iu',
);
