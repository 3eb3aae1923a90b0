/**
 * What the operand stack of a chunk looks like before each instruction, on every path that reaches
 * it: its height, and which places hold iterators. The verifier reports what is wrong with it.
 *
 * - F1 All paths that reach an instruction bring stacks of one height with iterators in one place.
 * - F2 An iterator is only swapped, advanced and ended, and ended before its function returns.
 * - F3 The region of a handler is left by falling out of its last instruction, a BARRIER, only.
 * - F4 What a handler keeps is copied at most in its region: where a call there fails, the machine
 *   may have gone on, and the handler finds what was there before.
 */
import { type Opcode, opcodeAt, opcodeOf, operandOf } from '../program/opcodes.ts';
import type { Chunk, Handler } from '../program/program.ts';

/** A stack, as a list from its top; stacks that grew from one share it. */
export interface Slot {
  readonly below: Slot | undefined;
  readonly iterator: boolean;
  /** Counting this one. */
  readonly height: number;
}

export interface Problem {
  /** Address of the instruction. */
  readonly at: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export interface Flow {
  /** The stack before each instruction; null where no path leads. */
  readonly stacks: readonly (Slot | undefined | null)[];
  readonly problems: readonly Problem[];
}

interface Walk {
  readonly chunk: Chunk;
  readonly stacks: (Slot | undefined | null)[];
  readonly problems: Problem[];
  /** Address and code of each of them: one of a kind is enough. */
  readonly reported: Set<string>;
  /** Addresses to look at, each once: the first path decides what the others must agree with. */
  readonly queue: number[];
  /** The handlers in whose region an address lies. */
  readonly regions: ReadonlyMap<number, readonly Handler[]>;
}

/** Follows every path. Never throws, whatever the chunk holds. */
export function flowOf(chunk: Chunk): Flow {
  const walk: Walk = {
    chunk,
    stacks: new Array(chunk.code.length).fill(null),
    problems: [],
    reported: new Set(),
    queue: [],
    regions: regionsOf(chunk),
  };
  if (chunk.code.length > 0) arrive(walk, 0, 0, undefined);
  for (let at = walk.queue.pop(); at !== undefined; at = walk.queue.pop()) visit(walk, at);
  walk.problems.sort((a, b) => a.at - b.at);
  return walk;
}

/** The handlers in whose region an address lies. */
export function regionsOf({ handlers, code }: Chunk): Map<number, Handler[]> {
  const regions = new Map<number, Handler[]>();
  for (const handler of handlers) {
    for (let at = Math.max(handler.start, 0); at < Math.min(handler.end, code.length); at++) {
      const known = regions.get(at);
      if (known) known.push(handler);
      else regions.set(at, [handler]);
    }
  }
  return regions;
}

/** A path leads from one address to another with this stack. */
function arrive(walk: Walk, from: number, to: number, stack: Slot | undefined): void {
  if (to < 0 || to >= walk.chunk.code.length) {
    if (to === from + 1)
      report(walk, from, 'PV2909', 'the code ends here, want RETURN, FAIL or MORE');
    return;
  }
  const known = walk.stacks[to];
  if (known === null) {
    walk.stacks[to] = stack;
    walk.queue.push(to);
    return;
  }
  const difference = differ(known, stack);
  if (difference !== undefined) report(walk, to, 'PV2907', `${difference} from ${address(from)}`);
}

function visit(walk: Walk, at: number): void {
  const stack = walk.stacks[at] ?? undefined;
  const word = walk.chunk.code[at] ?? 0;
  const row = opcodeAt(word);
  const operand = operandOf(word);
  if (!row || operand < 0) return;
  enterHandlers(walk, at, stack);
  const needs = row.needs(operand);
  if (heightOf(stack) < needs) {
    report(walk, at, 'PV2906', `got ${values(heightOf(stack))} on the stack, want ${needs}`);
    return;
  }
  const misuse = iteratorMisuse(row, operand, stack);
  if (misuse !== undefined) report(walk, at, 'PV2908', misuse);
  const left = heightOf(stack) - needs;
  for (const { depth } of walk.regions.get(at) ?? []) {
    if (left >= depth || row.name === 'DUP' || row.name === 'DUP2') continue;
    report(walk, at, 'PV2910', 'takes or changes what the handler keeps', beginFirst);
  }
  leave(walk, at, row, operand, stack);
}

function leave(
  walk: Walk,
  at: number,
  row: Opcode,
  operand: number,
  stack: Slot | undefined,
): void {
  const rest = cut(stack, row.needs(operand));
  switch (row.name) {
    case 'RETURN':
      if (holdsIterator(rest)) report(walk, at, 'PV2908', 'an iteration is still open', endFirst);
      exits(walk, at, undefined);
      return;
    case 'MORE':
      if (stack) report(walk, at, 'PV2907', `got ${values(stack.height)} on the stack, want none`);
      exits(walk, at, undefined);
      return;
    case 'FAIL':
      return;
    case 'JMP':
      exits(walk, at, operand);
      arrive(walk, at, operand, stack);
      return;
    default:
      exits(walk, at, at + 1);
      arrive(walk, at, at + 1, after(row, operand, stack, row.effect(operand)));
      if (row.operand !== 'address') return;
      exits(walk, at, operand);
      arrive(walk, at, operand, after(row, operand, stack, row.jumpEffect(operand)));
  }
}

const endFirst = 'write ENDITER for each open iteration before it';

/** The stack behind an instruction that changes the height by `change`. */
function after(
  row: Opcode,
  operand: number,
  stack: Slot | undefined,
  change: number,
): Slot | undefined {
  if (row.operand === 'below') return cut(stack, -change);
  switch (row.name) {
    case 'ITER':
      return push(cut(stack, 1), true);
    case 'NEXT':
      return change > 0 ? push(stack, false) : stack;
    case 'EXCH':
      return push(push(cut(stack, 2), stack?.iterator), stack?.below?.iterator);
    default: {
      const needs = row.needs(operand);
      let made = cut(stack, needs);
      for (let n = needs + change; n > 0; n--) made = push(made, false);
      return made;
    }
  }
}

/** What is wrong with the iterators an instruction meets; undefined if nothing. */
function iteratorMisuse(row: Opcode, operand: number, stack: Slot | undefined): string | undefined {
  if (row.name === 'EXCH') return undefined;
  if (row.name === 'NEXT' || row.name === 'ENDITER') {
    return stack?.iterator ? undefined : 'got a value on top of the stack, want an iterator';
  }
  const needs = row.needs(operand);
  const isBelow = row.operand === 'below';
  // What lies between a container and what goes into it is neither moved nor read.
  if (isBelow && cut(stack, needs - 1)?.iterator) return misused;
  return iteratorAmong(stack, isBelow ? -row.effect(operand) : needs) ? misused : undefined;
}

const misused = 'got an iterator, want a value; only NEXT, ENDITER and EXCH take iterators';

/** A failure anywhere in a region continues at its target, with the error on top. */
function enterHandlers(walk: Walk, at: number, stack: Slot | undefined): void {
  for (const { depth, target } of walk.regions.get(at) ?? []) {
    const height = heightOf(stack);
    if (height < depth) {
      const got = `got ${values(height)} on the stack`;
      report(walk, at, 'PV2910', `${got}, want the ${depth} that the handler keeps`);
    } else {
      arrive(walk, at, target, push(cut(stack, height - depth), false));
    }
  }
}

/** Control leaves `at` for `to`, or for good where that is undefined. */
function exits(walk: Walk, at: number, to: number | undefined): void {
  for (const { start, end } of walk.regions.get(at) ?? []) {
    const inside = to !== undefined && to >= start && to < end;
    const through = at === end - 1 && to === end;
    if (inside || through) continue;
    const region = `${address(start)} to ${address(end)}`;
    report(walk, at, 'PV2910', `leaves the region ${region} of a handler by a side door`, barrier);
  }
}

const beginFirst = 'begin the region before it is on the stack';

const barrier = 'leave it through the BARRIER at its end, so that nothing it issued is still open';

const heightOf = (stack: Slot | undefined): number => stack?.height ?? 0;

const push = (below: Slot | undefined, iterator = false): Slot => ({
  below,
  iterator,
  height: heightOf(below) + 1,
});

function cut(stack: Slot | undefined, count: number): Slot | undefined {
  let rest = stack;
  for (let i = 0; i < count; i++) rest = rest?.below;
  return rest;
}

function iteratorAmong(stack: Slot | undefined, count: number): boolean {
  let slot = stack;
  for (let i = 0; i < count; i++, slot = slot?.below) if (slot?.iterator) return true;
  return false;
}

const holdsIterator = (stack: Slot | undefined): boolean => iteratorAmong(stack, heightOf(stack));

/** How two stacks differ, the second on a path from somewhere; undefined if they do not. */
function differ(known: Slot | undefined, other: Slot | undefined): string | undefined {
  if (heightOf(known) !== heightOf(other)) {
    return `got ${values(heightOf(known))} on the stack, and ${heightOf(other)} on the path`;
  }
  let [a, b] = [known, other];
  for (let depth = 0; a !== b; a = a?.below, b = b?.below, depth++) {
    if (a?.iterator === b?.iterator) continue;
    const [here, there] = a?.iterator ? ['an iterator', 'a value'] : ['a value', 'an iterator'];
    const place = depth === 0 ? 'on top' : `${depth} below the top`;
    return `got ${here} ${place} and ${there} there on the path`;
  }
  return undefined;
}

function report(walk: Walk, at: number, code: string, message: string, hint?: string): void {
  if (walk.reported.has(`${at} ${code}`)) return;
  walk.reported.add(`${at} ${code}`);
  walk.problems.push({ at, code, message, ...(hint === undefined ? {} : { hint }) });
}

const values = (count: number): string => (count === 1 ? '1 value' : `${count} values`);

/** As the disassembler writes it. */
export const address = (at: number): string => String(at).padStart(4, '0');

// The regions of handlers. When an effect in a region fails, the machine may already have gone on
// behind it; then it continues at the handler as if it had not. So between an instruction that
// issues something and the next BARRIER, nothing may change that outlives the region.

/** What is wrong with the handlers of a chunk whose instructions are well-formed. */
export function handlerProblems(chunk: Chunk): Problem[] {
  const problems = chunk.handlers.flatMap((handler) => {
    const message = handlerProblem(chunk, handler);
    return message === undefined ? lastingProblems(chunk, handler) : [problem(handler, message)];
  });
  return problems.length > 0 ? problems : nestingProblems(chunk.handlers);
}

const problem = ({ start }: Handler, message: string): Problem => ({
  at: start,
  code: 'PV2910',
  message,
});

const regionText = ({ start, end }: Handler): string =>
  `the region ${address(start)} to ${address(end)} of a handler`;

const barrierCode = opcodeOf.get('BARRIER')?.code;

function handlerProblem({ code }: Chunk, handler: Handler): string | undefined {
  const { start, end, target, depth } = handler;
  const region = regionText(handler);
  if (!(start >= 0 && start < end && end <= code.length)) return `${region} is not in the code`;
  if (!(target >= 0 && target < code.length)) return `${region} has no target in the code`;
  if (target >= start && target < end) return `${region} holds its own target`;
  if (depth < 0) return `${region} keeps ${depth} values`;
  return code[end - 1] === barrierCode ? undefined : `${region} does not end in BARRIER`;
}

/** Regions lie apart or inside each other, and the inner one is declared first. */
function nestingProblems(handlers: readonly Handler[]): Problem[] {
  const problems: Problem[] = [];
  const around: [Handler, number][] = [];
  const sorted = handlers.map((handler, i): [Handler, number] => [handler, i]);
  sorted.sort(([a, i], [b, j]) => a.start - b.start || b.end - a.end || j - i);
  for (const [handler, declared] of sorted) {
    while ((around.at(-1)?.[0].end ?? Infinity) <= handler.start) around.pop();
    const [outer, outerDeclared] = around.at(-1) ?? [];
    if (outer && (handler.end > outer.end || declared > (outerDeclared ?? 0))) {
      const other = regionText(outer).replace(' of a handler', '');
      problems.push(
        problem(handler, `${regionText(handler)} and ${other} overlap, want the inner first`),
      );
    }
    around.push([handler, declared]);
  }
  return problems;
}

const outlives = 'changes what outlives the region of a handler while calls in it are open';
const barrierFirst = 'write BARRIER before it, or end the region';

function lastingProblems({ code }: Chunk, { start, end }: Handler): Problem[] {
  const issued = issuedBefore(code, start, end);
  const problems: Problem[] = [];
  for (let at = start; at < end; at++) {
    if (!issued[at - start] || !opcodeAt(code[at] ?? 0)?.lasts) continue;
    problems.push({ at, code: 'PV2910', message: outlives, hint: barrierFirst });
  }
  return problems;
}

/** For each address of a region, whether something may be open that was issued in the region. */
function issuedBefore(code: readonly number[], start: number, end: number): boolean[] {
  const issued: boolean[] = new Array(end - start).fill(false);
  const queue: number[] = [];
  const arrive = (at: number): void => {
    if (at < start || at >= end || issued[at - start]) return;
    issued[at - start] = true;
    queue.push(at);
  };
  const leave = (at: number): void => {
    const row = opcodeAt(code[at] ?? 0);
    if (row?.name === 'BARRIER' || row?.name === 'FAIL') return;
    if (row?.name !== 'JMP') arrive(at + 1);
    if (row?.operand === 'address') arrive(operandOf(code[at] ?? 0));
  };
  for (let at = start; at < end; at++) {
    if (opcodeAt(code[at] ?? 0)?.issues) leave(at);
  }
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) leave(at);
  return issued;
}
