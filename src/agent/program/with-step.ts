/** The program of a run with one step replaced by what somebody wrote. */
import type { Loaded } from '../../engine/load.ts';
import { labelNamed } from '../../engine/past/named-steps.ts';
import { AgentError } from '../port/errors.ts';
import { requireDialect } from './require-dialect.ts';
import type { Source } from './source.ts';

/** Throws `AgentError` PV6031. */
export function withStep(
  { source: base, program }: Pick<Loaded, 'source' | 'program'>,
  at: string | undefined,
  { text, file }: Source,
): string {
  const label = at === undefined ? undefined : labelNamed(program, at);
  if (label === undefined || label.includes('#')) {
    const got = at === undefined ? 'no step' : `the effect ${at}`;
    throw new AgentError('PV6031', `got ${got}, want the step that ${file} is to replace`);
  }
  const { parts } = requireDialect(base.dialect);
  const made = parts?.replace(base.text, { at: label, scope: 'step', written: text });
  if (made && 'text' in made) return made.text;
  const problem = made?.problem ?? `programs in ${base.dialect} cannot be taken apart`;
  throw new AgentError('PV6031', `${file} cannot stand in place of step ${label}: ${problem}`);
}
