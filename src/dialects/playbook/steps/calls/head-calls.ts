/**
 * Calls in heads that are come to more than once, or perhaps never: of `While …`, in each round; of
 * `Otherwise if …`, where nothing before it has held.
 */
import type { Place } from '../../source/tree.ts';
import type { WrittenCall } from '../../text/calls.ts';
import { namesIn } from '../../text/variables.ts';
import { elseCondition } from '../../text/words.ts';
import { type Draft, draft, jump, open, withBlockOf } from '../draft.ts';
import { meaningOf } from '../step-text.ts';
import { hoistedHead } from './guarded.ts';
import { type Context, callsWithin, deeper, depthMax } from './hoisting.ts';
import { withTitleCalls } from './title-heads.ts';

/** What is gone through is there once; whether to go on is asked before each round. */
const once = /^(?:for|pour)\b|^(?!.*\b(?:while|until|as long as|tant qu|jusqu))/is;
const anew = /^(?:while|until|as long as|tant qu|jusqu)/i;
/** Of the others, and of what only the rounds make, it is asked behind them: `Do … until F()`. */
const behind = /^(?!while|as long as|tant qu)|^(?:while|as long as)\s+not\b/i;

/** A loop, with what its head calls; undefined where nobody can say when. */
export function loopOf(
  head: string,
  body: readonly Draft[],
  place: Place,
  context: Context,
): Draft[] | undefined {
  const whole = [...body, jump({ to: 'head' }, place)];
  const isOnce = once.test(head);
  const isLate = !isOnce && (!anew.test(head) || isMadeWithin(head, body, place, context));
  if (isLate && !behind.test(head)) return [draft('LOP', head, place, whole)];
  const found = hoistedHead(head, place, context);
  if (!found) return undefined;
  const { drafts, text } = found;
  const inner = isOnce ? whole : beforeEach(drafts, whole);
  return [...(isLate ? [] : drafts), draft('LOP', text, place, inner)];
}

/** Each way back to the loop around with those steps before it. */
function beforeEach(calls: readonly Draft[], body: readonly Draft[]): Draft[] {
  if (calls.length === 0) return [...body];
  return body.flatMap((one) => {
    if (one.code === 'LOP') return [one];
    const { target } = one;
    const isBack = target?.to === 'head' && !('item' in target);
    if (isBack) return [...calls.map(copied), one];
    return [{ ...one, children: beforeEach(calls, one.children) }];
  });
}

/** Also of playbooks by their titles. */
const callsIn = (head: string, context: Context): WrittenCall[] =>
  callsWithin(withTitleCalls(head, context) ?? head, context);

/** Each step has a number of its own. */
const copied = (one: Draft): Draft => ({ ...one, children: one.children.map(copied) });

/** Whether a call needs what only a round gives: `Until Valid($pin)`, which is asked for in it. */
function isMadeWithin(
  head: string,
  body: readonly Draft[],
  place: Place,
  context: Context,
): boolean {
  const args = callsIn(head, context).map((call) => call.args);
  const words = new Set(args.flatMap((text) => text.match(/\p{XIDC}+/gu) ?? []));
  const unknown = new Set(
    args.flatMap((text) => namesIn(text, words)).filter((name) => !context.isAbove(name, place)),
  );
  const makes = (one: Draft): boolean => {
    const { reads, writes } = meaningOf(one, words);
    for (const name of reads) unknown.delete(name);
    return writes.some((name) => unknown.has(name)) || one.children.some(makes);
  };
  return unknown.size > 0 && body.some(makes);
}

/**
 * An `Otherwise if F($x)` is an `If` of its own under an `Otherwise`, and what else belongs to the
 * condition is under that as well.
 */
export function withElseCalls(drafts: readonly Draft[], context: Context): Draft[] {
  const made: Draft[] = [];
  for (let at = 0; at < drafts.length; at++) {
    const one = drafts[at];
    if (!one) continue;
    const isElse = one.code === 'ELS' && elseCondition.test(one.text);
    if (!isElse || context.depth >= depthMax || callsIn(one.text, context).length === 0) {
      made.push(one);
      continue;
    }
    const from = at + 1;
    while (drafts[at + 1]?.code === 'ELS') at += 1;
    const head = one.text.replace(elseCondition, 'If');
    const condition = hoistedHead(head, one.place, context);
    const own = condition
      ? draft('CND', condition.text, one.place, one.children)
      : open(draft('EXE', head, one.place, one.children));
    const inner = [
      ...(condition?.drafts ?? []),
      withBlockOf(one, own),
      ...withElseCalls(drafts.slice(from, at + 1), deeper(context)).map((other) =>
        condition ? other : open(other),
      ),
    ];
    made.push(draft('ELS', 'Otherwise', one.place, inner));
  }
  return made;
}
