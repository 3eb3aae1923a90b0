/**
 * Which steps people are shown. A program that carries out another text, as the loop over playbooks
 * does, declares steps that stand there; its own are then nobody's business.
 */
import type { Program, Step } from './program.ts';
import { type Dict, dictEntries, settled, type Value } from './value.ts';

const known = new WeakMap<readonly Step[], boolean>();

/** Whether a program declares steps of another text. */
export function isOfAnother({ steps }: Program): boolean {
  const found = known.get(steps) ?? steps.some(({ file }) => file !== undefined);
  known.set(steps, found);
  return found;
}

/**
 * The variables of that other text, which its program keeps in one of its own, `states`: a dict for
 * each part of the text. Those of the first part stand alone, others behind its name. Undefined
 * for a program that is its own text, or keeps none.
 */
export function variablesOfAnother(
  program: Program,
  globals: readonly (Value | undefined)[],
): Map<string, Value> | undefined {
  const slot = isOfAnother(program) ? program.globals.indexOf('states') : -1;
  if (slot < 0) return undefined;
  const states = asDict(globals[slot]);
  const parts = states ? [...dictEntries(states)] : [];
  return new Map(
    parts.flatMap(([part, held], at) => {
      const variables = asDict(held);
      const prefix = at === 0 ? '$' : `${String(part)}.$`;
      const entries = variables ? [...dictEntries(variables)] : [];
      return entries.map(([name, value]) => [`${prefix}${String(name)}`, value] as const);
    }),
  );
}

function asDict(value: Value | undefined): Dict | undefined {
  const found = value === undefined ? undefined : settled(value);
  return typeof found === 'object' && found?.kind === 'dict' ? found : undefined;
}

/** Whether the step of this index is shown. */
export const isShown = (program: Program, index: number): boolean =>
  program.steps[index]?.file !== undefined || !isOfAnother(program);
