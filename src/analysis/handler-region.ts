/**
 * The regions of handlers. When an effect in a region fails, the machine may already have gone on
 * behind it; then it continues at the handler as if it had not. So between an instruction that
 * issues something and the next BARRIER, nothing may change that outlives the region.
 */

import { opcodeAt, opcodeOf, operandOf } from '../program/opcodes.ts';
import type { Chunk, Handler } from '../program/program.ts';
import { address, type Problem } from './flow.ts';

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
