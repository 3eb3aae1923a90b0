/**
 * Loops whose rounds can be counted: `For each $x in ["a", "b"]`, `in $list`, `from 1 to 3`, `3
 * times`, with nothing more said. A jump that stays in the body changes nothing of its count. Pure
 * data for who keeps it.
 */
import type { Json } from '../../../program/json.ts';
import { type LoopOver, loopHead, type Numbers } from '../text/loop-heads.ts';
import type { Step } from './compiled.ts';
import { goesBack } from './goes-back.ts';
import { isWithin } from './graph.ts';
import type { LinkedLine } from './linked.ts';
import { mayBeSetAt } from './may-set.ts';

export interface Rounds {
  /** The variable that has the item, as written; undefined where the number of rounds is all. */
  readonly item: string | undefined;
  readonly items: Items;
  /** Lines of the body behind which the loop may be left, whatever items there still are. */
  readonly leaves: readonly string[];
  /** Jumps back in the body, which begin no round: from where to where lines may come again. */
  readonly repeats: readonly Repeat[];
  /** Lines of the body in words that go back, which may leave it to a line before the loop. */
  readonly backs: readonly string[];
  /** Heads of loops in the body, whose lines have rounds of their own. */
  readonly inner: readonly string[];
  /** Whether it is in the body of another loop itself. */
  readonly isInner: boolean;
  /** Lines of the body in words that name the item, and may make something else of it. */
  readonly words: readonly string[];
}

/** The lines, both part of it: where the jump goes to, and the jump. */
export type Repeat = readonly [first: string, last: string];

export type Items =
  | { readonly kind: 'written'; readonly items: readonly Json[] }
  /** The variable that has them, as written. */
  | { readonly kind: 'variable'; readonly name: string }
  | Numbers;

type Lines = ReadonlyMap<string, LinkedLine>;

/** By the line of the head. */
export function roundsOf(lines: Lines): ReadonlyMap<string, Rounds> {
  const found = [...lines.keys()].flatMap((head) => {
    const rounds = roundsAt(head, lines);
    return rounds ? [[head, rounds] as const] : [];
  });
  return new Map(found);
}

function roundsAt(head: string, lines: Lines): Rounds | undefined {
  const step = lines.get(head)?.step;
  const { isPart, items: names, over } = loopHead(step?.text ?? '');
  const isEach = over?.kind === 'list' ? names.length > 0 : names.length === 1;
  if (step?.code !== 'LOP' || !over || isPart || isEach === (over.kind === 'times'))
    return undefined;
  // Where several variables have parts of an item, or its place, nothing but its rounds is counted.
  const isItem = names.length === 1 && !(over.kind === 'list' && over.isIndex);
  const item = isItem ? names[0] : undefined;
  const items = itemsOf(over, step.reads);
  const body = [...lines].filter(([line]) => isWithin(line, head));
  const isDoing = body.some(([, { step: one }]) => one.code !== 'JMP');
  if (items === undefined || !isDoing || isUnsteady(head, item, lines)) return undefined;
  const heads = [...lines].flatMap(([line, one]) => (one.step.code === 'LOP' ? [line] : []));
  const isMost = over.kind === 'times' && over.isMost;
  return {
    ...{ item, items },
    leaves: isMost ? [head, ...body.map(([line]) => line)] : leavesOf(head, lines),
    repeats: repeatsIn(body, lines),
    backs: body.flatMap(([line, one]) => (goesBack(one.step) ? [line] : [])),
    inner: heads.filter((line) => isWithin(line, head)),
    isInner: heads.some((line) => isWithin(head, line)),
    words: body.flatMap(([line, { step: one }]) => (mayReword(one, item) ? [line] : [])),
  };
}

const mayReword = (step: Step, item = ''): boolean =>
  step.code === 'EXE' && step.isAmbiguous === true && mayBeSetAt(step).includes(item);

function itemsOf(over: LoopOver, reads: readonly string[]): Items | undefined {
  if (over.kind === 'numbers') return over;
  if (over.kind === 'times') return { kind: 'numbers', first: 1, last: over.count };
  const { written } = over;
  const isVariable = reads.length === 1 && reads[0] === written;
  if (isVariable) return { kind: 'variable', name: written };
  const items = itemsIn(written);
  return items && { kind: 'written', items };
}

/** Items that are written down: texts, numbers, truths. */
function itemsIn(text: string): readonly Json[] | undefined {
  if (!text.startsWith('[')) return undefined;
  const json = text.includes('"') || text.includes('\\') ? text : text.replaceAll("'", '"');
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Whether the body sets the item itself, or is jumped into. */
function isUnsteady(head: string, item: string | undefined, lines: Lines): boolean {
  return [...lines].some(([line, { step }]) => {
    const isInside = isWithin(line, head);
    const sets = [...step.writes, step.call?.into].includes(item ?? '');
    return isInside ? sets : isWithin(step.jump ?? '', head);
  });
}

/** What comes again without a round of a loop: `Go to step 1` of a playbook that stands there. */
function repeatsIn(body: readonly (readonly [string, LinkedLine])[], lines: Lines): Repeat[] {
  return body.flatMap(([line, { step }]): Repeat[] => {
    const { jump } = step;
    const isBack = jump !== undefined && jump <= line && lines.get(jump)?.step.code !== 'LOP';
    return isBack ? [[jump, line]] : [];
  });
}

/** Lines of which a way out of the body leads over conditions and jumps alone. */
function leavesOf(head: string, lines: Lines): readonly string[] {
  const leaves = new Set<string>();
  const isOut = (to: string): boolean => to !== head && !isWithin(to, head);
  const isSilent = (to: string): boolean =>
    leaves.has(to) && ['JMP', 'CND', 'ELS'].includes(lines.get(to)?.step.code ?? '');
  const body = [...lines].filter(([line]) => isWithin(line, head));
  for (let known = -1; known < leaves.size; ) {
    known = leaves.size;
    for (const [line, { edges }] of body) {
      if (edges.some(({ to }) => isOut(to) || isSilent(to))) leaves.add(line);
    }
  }
  return [...leaves];
}
