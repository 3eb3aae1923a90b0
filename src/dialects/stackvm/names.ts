/** The variables of a plan, and which references are meant as such. */
import type { Environment } from '../dialect.ts';
import {
  type DialectName,
  everyInstruction,
  expressionsOf,
  type Form,
  type Plan,
  type Reference,
  referencesIn,
  writesOf,
} from './plan.ts';

export interface Names {
  /** Variables that some step writes, and the inputs. */
  readonly known: ReadonlySet<string>;
  /**
   * The other dialect's references are plain text by this one's document. They are resolved all
   * the same once one of them names a known variable: then the author plainly means them.
   */
  readonly foreignMeant: boolean;
}

export function namesOf(plan: Plan, environment: Environment): Names {
  const known = new Set(environment.inputs);
  for (const instruction of everyInstruction(plan.instructions)) {
    for (const { name } of writesOf(instruction)) known.add(name);
  }
  return { known, foreignMeant: meansForeign(plan, known) };
}

function meansForeign(plan: Plan, known: ReadonlySet<string>): boolean {
  for (const instruction of everyInstruction(plan.instructions)) {
    for (const expression of expressionsOf(instruction)) {
      for (const reference of referencesIn(expression)) {
        if (isForeign(reference.form, plan.dialect) && known.has(reference.name)) return true;
      }
    }
  }
  return false;
}

export const isForeign = (form: Form, dialect: DialectName): boolean =>
  (form === 'dollar') === (dialect === 'stackvm-1');

/** Whether a reference stays text (or, written as an object, data). */
export const staysText = (reference: Reference, dialect: DialectName, names: Names): boolean =>
  !names.foreignMeant && isForeign(reference.form, dialect);
