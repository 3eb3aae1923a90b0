/**
 * Which steps people are shown. A program that carries out another text, as the loop over playbooks
 * does, declares steps that stand there; its own are then nobody's business.
 */
import type { Program, Step } from './program.ts';

const known = new WeakMap<readonly Step[], boolean>();

/** Whether a program declares steps of another text. */
export function isOfAnother({ steps }: Program): boolean {
  const found = known.get(steps) ?? steps.some(({ file }) => file !== undefined);
  known.set(steps, found);
  return found;
}

/** Whether the step of this index is shown. */
export const isShown = (program: Program, index: number): boolean =>
  program.steps[index]?.file !== undefined || !isOfAnother(program);

/** A step or a call with who does it, where that is one of several: `Player.Guess:01 (Ann)`. */
export const nameBy = (name: string, by = ''): string => (by === '' ? name : `${name} (${by})`);
