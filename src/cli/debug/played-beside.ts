/** Lines of playbooks that a run has done, and that nobody can stop at: beside those of others. */
import type { Breakpoint } from './breakpoints.ts';
import type { Travel } from './travel.ts';

/** Of breakpoints, the steps of playbooks that have asked for something and were never entered. */
export function playedBeside(
  breakpoints: readonly Breakpoint[],
  { moments, parts }: Pick<Travel, 'moments' | 'parts'>,
): string[] {
  const asking = new Set([...parts.past.effects.values()].map(({ step }) => playbookOf(step)));
  const isEntered = (name: string): boolean =>
    moments.find((one) => one.kind === 'step' && playbookOf(one.step.id) === name) !== undefined;
  return breakpoints.flatMap((one) => {
    const name = one.kind === 'step' ? playbookOf(one.step) : '';
    return one.kind === 'step' && asking.has(name) && !isEntered(name) ? [one.step] : [];
  });
}

/** `Main` of `Main:03@2`. */
const playbookOf = (step: string): string => step.replace(/:[\d.]+(@\d+)?$/, '');
