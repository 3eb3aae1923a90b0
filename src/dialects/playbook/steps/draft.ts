/** Steps that have no numbers yet: what the compiler works on. */
import type { Step, StepCode } from '../compiled/compiled.ts';
import { isSamePlace, type Place } from '../source/tree.ts';
import { assignmentOf } from '../text/blocks.ts';
import { loopHead } from '../text/loop-heads.ts';
import { meaningOf } from './step-text.ts';

export interface Draft {
  readonly code: StepCode;
  /** As it is printed; a jump gets its text when steps are numbered. */
  readonly text: string;
  readonly block?: string;
  readonly children: readonly Draft[];
  readonly place: Place;
  readonly isAmbiguous?: true;
  /** A wait for an answer that does not say whose. */
  readonly isForAnyone?: true;
  /** Where a jump goes: a step, or the number that the text gives. */
  readonly target?: Target;
  /** The number that it had in the file that it was read from. */
  readonly was?: string;
}

/**
 * `after`: behind the innermost loop around. `head`: to that loop. `first`: to the beginning.
 * `next`: to what comes next anyway.
 */
export type Target =
  | { readonly to: 'after' | 'head' | 'first' | 'next' }
  /** To the loop over that item. */
  | { readonly to: 'head'; readonly item: string }
  /** To the line there. */
  | { readonly to: 'place'; readonly place: Place }
  /** The number of a step as it is written, or the ordinal of an item in the source. */
  | { readonly to: 'number' | 'item'; readonly number: string };

/** Whether it says something that is still to be worded. */
export const isTalking = ({ code, text }: Draft): boolean =>
  code === 'QUE' && /^(?:Say|SendMessage)\(/.test(text) && !/,\s*".*"\)$/s.test(text);

/** All of them, with those under them. */
export const flatDrafts = (drafts: readonly Draft[]): Draft[] =>
  drafts.flatMap((one) => [one, ...flatDrafts(one.children)]);

export const draft = (
  code: StepCode,
  text: string,
  place: Place,
  children: readonly Draft[] = [],
): Draft => ({ code, text, place, children });

/** What only a model can understand. */
export const open = (one: Draft): Draft => ({ ...one, code: 'EXE', isAmbiguous: true });

export const jump = (target: Target, place: Place): Draft => ({
  ...draft('JMP', '', place),
  target,
});

/** A step with the block of the line that it is made of. */
export const withBlockOf = ({ block }: Pick<Draft, 'block'>, made: Draft): Draft =>
  block === undefined ? made : { ...made, block };

/** A step with more steps under it: a loop still ends with the way back to its head. */
export function withInner(one: Draft, inner: readonly Draft[]): Draft {
  const back = one.code === 'LOP' ? one.children.slice(-1) : [];
  const own = one.children.slice(0, one.children.length - back.length);
  return { ...one, children: [...own, ...inner, ...back] };
}

/**
 * Who goes on where there are no rounds goes on with the next line. A line that a model is still to
 * read may yet become a loop.
 */
export const withinLoops = (drafts: readonly Draft[]): Draft[] =>
  drafts.map((one) => {
    if (one.code === 'LOP' || one.isAmbiguous) return one;
    const target: Target | undefined = one.target?.to === 'head' ? { to: 'next' } : one.target;
    return { ...one, ...(target && { target }), children: withinLoops(one.children) };
  });

/** Variables of the call: parameters, and what is assigned or looped over without a dollar. */
export function localsOf(
  drafts: readonly Draft[],
  parameters: readonly { readonly name: string; readonly scope: string }[],
): ReadonlySet<string> {
  const locals = new Set(
    parameters.flatMap(({ name, scope }) => (scope === 'local' ? [name] : [])),
  );
  const visit = (draft: Draft): void => {
    const isSetting = ['EXE', 'QUE'].includes(draft.code);
    const set = isSetting ? [assignmentOf(draft)?.target ?? '$'] : [];
    const own = draft.code === 'LOP' ? loopHead(draft.text).items : set;
    for (const name of own) if (!name.startsWith('$')) locals.add(name);
    draft.children.forEach(visit);
  };
  drafts.forEach(visit);
  return locals;
}

/** Steps by the positions of drafts among their siblings, `01`, `01.01`; jumps resolved. */
export function numbered(
  drafts: readonly Draft[],
  locals: ReadonlySet<string>,
  items: ReadonlyMap<string, Place> = new Map(),
): Step[] {
  const numbers = new Map<Draft, string>();
  const count = (siblings: readonly Draft[], prefix: string): void => {
    siblings.forEach((draft, at) => {
      const number = `${prefix}${String(at + 1).padStart(2, '0')}`;
      numbers.set(draft, number);
      count(draft.children, `${number}.`);
    });
  };
  count(drafts, '');
  const numbering: Numbering = { numbers, locals, items };
  return block(drafts, '', undefined, numbering);
}

interface Numbering {
  readonly numbers: ReadonlyMap<Draft, string>;
  readonly locals: ReadonlySet<string>;
  /** Where the items of an ordered list stand, by their ordinals. */
  readonly items: ReadonlyMap<string, Place>;
}

interface Loop {
  readonly head: string;
  /** The number of what stands behind it; empty for the end. */
  readonly after: string;
  /** What this one and those around it go over. */
  readonly items: ReadonlySet<string>;
  readonly own: readonly string[];
  readonly outer: Loop | undefined;
}

/** What jumps say where no loop is: these are no numbers. */
export const leaves = 'break';
export const goesOn = 'continue';

/** What is around the lines under one that may become a loop. */
const unread: Omit<Loop, 'after'> = { head: goesOn, items: new Set(), own: [], outer: undefined };

/** `after` is what stands behind the block. */
function block(
  drafts: readonly Draft[],
  after: string,
  loop: Loop | undefined,
  numbering: Numbering,
): Step[] {
  return drafts.map((draft, at) => {
    // Behind a condition go on all its branches at what stands behind the last one.
    const next = drafts.slice(at + 1).find(({ code }) => code !== 'ELS');
    const behind = next ? (numbering.numbers.get(next) ?? '') : after;
    return step(draft, behind, loop, numbering);
  });
}

function step(draft: Draft, after: string, loop: Loop | undefined, numbering: Numbering): Step {
  const { numbers, locals } = numbering;
  const { block: below, children, place, isAmbiguous, target } = draft;
  const number = numbers.get(draft) ?? '';
  const text = target ? jumpNumber(target, after, loop, numbering) : draft.text;
  // There is no number behind the last step: to go on there is to return.
  const code = target && text === '' ? 'RET' : draft.code;
  const isLoop = code === 'LOP';
  const own = isLoop ? loopHead(text).items : [];
  const items = new Set([...(loop?.items ?? []), ...own]);
  const around = loop ?? (isAmbiguous ? { ...unread, after } : undefined);
  const inside = isLoop ? { head: number, after, items, own, outer: loop } : around;
  return {
    ...{ number, code, text, place },
    ...(below === undefined ? {} : { block: below }),
    children: block(children, isLoop ? number : after, inside, numbering),
    ...(isAmbiguous ? { isAmbiguous } : {}),
    ...meaningOf({ code, text, block: below }, locals, loop?.items),
  };
}

function jumpNumber(
  target: Target,
  after: string,
  loop: Loop | undefined,
  numbering: Numbering,
): string {
  const { numbers, items } = numbering;
  switch (target.to) {
    case 'first':
      return '01';
    case 'head':
      return ('item' in target ? loopOver(target.item, loop) : loop)?.head ?? goesOn;
    case 'after':
      return loop ? loop.after : leaves;
    case 'next':
      return after;
    case 'place':
      return numberAt(target.place, numbers) ?? leaves;
    case 'item': {
      const place = items.get(target.number);
      return (place && numberAt(place, numbers)) ?? padded(target.number);
    }
    case 'number': {
      const found = [...numbers].find(([{ was }]) => was === target.number);
      return found?.[1] ?? padded(target.number);
    }
  }
}

const numberAt = (place: Place, numbers: Numbering['numbers']): string | undefined =>
  [...numbers].find(([{ place: at }]) => isSamePlace(at, place))?.[1];

const loopOver = (item: string, loop: Loop | undefined): Loop | undefined =>
  !loop || loop.own.some((one) => one.replace('$', '') === item)
    ? loop
    : loopOver(item, loop.outer);

/** The number of a step as it is written everywhere: two digits a level. */
export const padded = (number: string): string =>
  number
    .split('.')
    .map((part) => part.padStart(2, '0'))
    .join('.');
