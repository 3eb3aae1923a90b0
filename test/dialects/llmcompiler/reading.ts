/** What a plan comes to, in one line for each task: what tests compare. */
import { llmcompiler } from '../../../src/dialects/llmcompiler/index.ts';
import { planOf } from '../../../src/dialects/llmcompiler/plan.ts';
import type { Diagnostic } from '../../../src/program/diagnostic.ts';
import type { Value } from '../../../src/program/value.ts';
import { environment } from './tools.ts';

export interface Read {
  /** `2. search(query="a $1")`; nodes as they are: `ref(1.a)`, `text("a ", ref(1))`. */
  readonly tasks: readonly string[];
  /** `join()`, `join(ref(2))`; empty where the plan has none. */
  readonly join: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Their codes without those that most short plans have: no thoughts, no join. */
  readonly codes: readonly string[];
}

const ordinary: ReadonlySet<string> = new Set(['PV2602', 'PV2603']);

export function read(text: string): Read {
  const { tree, diagnostics: ofReading } = llmcompiler.parse(text);
  if (!tree) throw new Error('every text has a tree');
  const { tasks, join } = planOf(tree, environment);
  const diagnostics = [...ofReading, ...llmcompiler.check(tree, environment)];
  const answer = join.answer && shown(join.answer.value, join.answer.needs);
  return {
    tasks: tasks.map(({ id, tool, args, needs }) => `${id}. ${tool}${shown(args, needs)}`),
    join: tree.join ? `join(${answer ?? ''})` : '',
    diagnostics,
    codes: diagnostics.map(({ code }) => code).filter((code) => !ordinary.has(code)),
  };
}

/** A value as its author might write it; dicts of arguments in parentheses. */
export function shown(value: Value, needs: readonly string[], depth = 0): string {
  const inner = (one: Value): string => shown(one, needs, depth + 1);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value.kind === 'float') {
    return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value);
  }
  if (value.kind === 'list') return `[${value.items.map(inner).join(', ')}]`;
  if (value.kind === 'dict') {
    const slots = value.slots.flatMap((slot) => (slot ? [slot] : []));
    if (depth > 0)
      return `{${slots.map(([key, one]) => `${inner(key)}: ${inner(one)}`).join(', ')}}`;
    return `(${slots.map(([key, one]) => `${String(key)}=${inner(one)}`).join(', ')})`;
  }
  if (value.kind !== 'tuple') throw new Error(`no argument is a ${value.kind}`);
  const [head, ...rest] = value.items;
  if (head !== 'ref') return `${String(head)}(${rest.map(inner).join(', ')})`;
  const [index, ...path] = rest;
  return `ref(${[needs[Number(index)], ...path.map(String)].join('.')})`;
}
