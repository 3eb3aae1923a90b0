/**
 * Titles of playbooks in conditions: `If Check stock returns nothing` calls it and asks what it has
 * returned, as `If CheckStock() returns nothing` does. Words that may say something themselves stay
 * words: `If guests return home`, of a playbook that is called Guests.
 */
import { isInside } from '../../text/brackets.ts';
import { anyCase } from '../../text/words.ts';
import { type Callee, ownCallees } from '../names/names.ts';
import type { Context } from './hoisting.ts';
import { spokenArgs } from './spoken-calls.ts';

/** A head with calls for such titles; undefined where only a model can say what one is for. */
export function withTitleCalls(head: string, context: Context): string | undefined {
  let text = head;
  const places = [...head.matchAll(leading)].filter(({ index }) => !isInside(head, index));
  // From behind, so that what stands before keeps its place.
  for (const { 0: word, 1: result, index } of places.toReversed()) {
    const at = index + word.length;
    const found = titleAt(text, at, context);
    if (!found) continue;
    const rest = text.slice(at + found.length);
    const isCall = result !== undefined || isTested(found, rest);
    if (!isCall && (!isNamed(found) || index > 0)) continue;
    const args = isCall ? spokenArgs(found.callee, context) : undefined;
    if (args === undefined) return undefined;
    const before = text.slice(0, at - (result?.length ?? 0));
    text = `${before}${found.callee.name}(${args})${rest.replace(returnsValue, ' is ')}`;
  }
  return text;
}

interface Found {
  readonly callee: Callee;
  readonly length: number;
  /** As it stands there. */
  readonly text: string;
}

/** The longest title at a place, or the name of a playbook without its brackets. */
function titleAt(text: string, at: number, { names, own }: Context): Found | undefined {
  const behind = text.slice(at);
  const isThere = (title: string, line: string): boolean =>
    line.startsWith(title) && !/^[\p{XIDC}(.]/u.test(line.slice(title.length));
  const lower = behind.toLowerCase();
  const all = [
    ...[...names.titles].filter(([title]) => isThere(title, lower)),
    ...[...names.callees].filter(([name]) => isCamel.test(name) && isThere(name, behind)),
  ];
  const [first] = all.toSorted(([one], [other]) => other.length - one.length);
  const [title = '', callee] = first ?? [];
  if (title === '' || !callee || callee.name === own || ownCallees.has(callee.name)) return;
  return { callee, length: title.length, text: behind.slice(0, title.length) };
}

/** Whether what stands behind a title says what it has returned. */
function isTested(found: Found, rest: string): boolean {
  if (isValue.test(rest)) return /^\p{Lu}|\s/u.test(found.text);
  return isNamed(found) && (returns.test(rest) || (ends.test(rest) && !isClause.test(found.text)));
}

/** Whether it stands there as a heading does, and not as words do. */
const isNamed = ({ text }: Found): boolean => /^\p{Lu}.*\s/su.test(text) || isCamel.test(text);

const isCamel = /^\p{Lu}\p{XIDC}*\p{Ll}\p{XIDC}*\p{Lu}\p{XIDC}*$/u;

const leading = new RegExp(
  anyCase(
    '(?:^|(?<=\\s))(?:(?:(?:otherwise|else)\\s+)?(?:if|when|unless|while|until|as long as)|' +
      'and|or)\\s+(?:not\\s+)?((?:(?:the\\s+)?(?:result|outcome)\\s+of\\s+)?' +
      '(?:(?:calling|running)\\s+)?(?<=of\\s|calling\\s|running\\s))?',
  ).source,
  'giu',
);

const value = String.raw`(?:true|false|none|null|empty|-?\d|"|\$\p{XIDS})`;
const isValue = new RegExp(
  String.raw`^\s*(?:[=!]=|[<>]=?|\s(?:returns?|gives?|yields?|is|was|equals)\s+(?:not\s+)?` +
    `(?=${value}))`,
  'iu',
);
const returnsValue = new RegExp(String.raw`^\s+(?:returns?|gives?|yields?)\s+(?=${value})`, 'iu');
const returns = /^\s+(?:returns?|yields?|says?|gives?|finds?|answers?)\s+\S/i;
const ends = /^\s*(?:$|[,:]|(?:and|or)\s)/i;
/** `Ann is late`: what somebody says of somebody. */
const isClause = /^(?!(?:is|are|was|were|has|have|do|does|did|can)\s).*\s(?:is|are|was|has|can)\s/i;
