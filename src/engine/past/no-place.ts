/** What is wrong with a place that a run does not have, and which may have been meant. */
import type { Step } from '../../program/program.ts';
import { RunError } from '../codes.ts';
import type { Loaded } from '../load.ts';
import { nearSteps, stepsNamed } from './named-steps.ts';
import type { Walk } from './walk.ts';

/** `0#7`; `0#7.1` is one of several requests of an entry. */
export const effectForm: RegExp = /^\d+(?:~\d+)?(?:\.\d+(?:~\d+)?)*#\d+(?:\.\d+)?$/;

/** `walk` stands at the start, and walks to the end. */
export function noPlace(
  run: string,
  at: string,
  loaded: Pick<Loaded, 'program' | 'source'>,
  walk: Walk,
): RunError {
  if (effectForm.test(at)) {
    return new RunError('PV5110', `run ${run} has no effect ${at}`, { run });
  }
  const label = labelOf(stepsNamed(loaded.program, at)[0] ?? at);
  const visits = new Map<string, number>();
  for (let moment = walk.next(); moment.kind !== 'end'; moment = walk.next()) {
    if (moment.kind !== 'step') continue;
    const entered = labelOf(moment.step.id);
    // A visit may come before one that was counted ahead.
    visits.set(entered, Math.max(moment.step.visit, visits.get(entered) ?? 0));
  }
  const times = visits.get(label);
  const message =
    times === undefined
      ? `run ${run} has not entered a step ${at}`
      : `run ${run} has entered step ${label} ${times === 1 ? 'once' : `${times} times`}`;
  const some = [...visits.keys()].slice(0, 12).join(', ') + (visits.size > 12 ? ', …' : '');
  const near =
    times === undefined ? nearSteps(loaded.program, at, (one) => visits.has(one)) : undefined;
  if (near !== undefined) return new RunError('PV5110', message, { run, hint: near });
  const inside = times === undefined ? insideOf(label, loaded, visits) : '';
  const hint = `${inside}its steps: ${some || 'none'}; an event is event:12, an effect 0#7`;
  return new RunError('PV5110', message, { run, hint });
}

/** Without the visit. */
const labelOf = (id: string): string => id.replace(/@\d+$/, '');

/**
 * A line within a statement is no place of its own: several calls of a function, also side by side,
 * may be at it. The nearest place is the statement, or the one that has called the function.
 */
function insideOf(
  label: string,
  { program: { steps }, source: { text } }: Pick<Loaded, 'program' | 'source'>,
  entered: ReadonlyMap<string, unknown>,
): string {
  const blocks = blocksOf(steps, text.split('\n'));
  const line = Number(label);
  const around = blocks.find((one) => one.first < line && line <= one.last);
  if (!around) return '';
  if (around.defines === undefined) return `line ${label} is a part of step ${around.first}; `;
  const names = new Set([around.defines]);
  for (const { defines, words } of blocks) {
    if (defines !== undefined && words.some((word) => names.has(word))) names.add(defines);
  }
  const callers = blocks.filter(
    ({ first, defines, words }) =>
      defines === undefined && entered.has(String(first)) && words.some((word) => names.has(word)),
  );
  const where = callers.map(({ first }) => first).slice(0, 3);
  const part = `line ${label} is a part of the function ${around.defines}`;
  return where.length === 0
    ? `${part}; `
    : `${part}: take step ${where.join(' or ')}, which goes there; `;
}

/** A statement outside of functions, with the lines that belong to it. */
interface Block {
  readonly first: number;
  readonly last: number;
  /** The function that it defines. */
  readonly defines: string | undefined;
  readonly words: readonly string[];
}

/** None where steps are not named by their lines. */
function blocksOf(steps: readonly Step[], lines: readonly string[]): Block[] {
  if (steps.some(({ label, line }) => label !== String(line))) return [];
  const starts = steps.map(({ line }) => line).toSorted((a, b) => a - b);
  return starts.map((first, i) => {
    const text = lines
      .slice(first - 1, (starts[i + 1] ?? lines.length + 1) - 1)
      .join('\n')
      .trimEnd();
    const words = text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
    const defines = words[0] === 'def' ? words[1] : undefined;
    return { first, last: first + text.split('\n').length - 1, defines, words };
  });
}
