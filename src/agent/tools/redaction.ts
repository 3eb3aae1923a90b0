/** What is secret where a workspace is. */
import { type Redaction, redactionOf } from '../../effects/redaction.ts';
import type { Workspace } from '../port/workspace.ts';
import { secretVariables } from './secret-variables.ts';

export function redactionIn({ env, settings, servers }: Workspace): Redaction {
  const inFiles = servers().map(({ secrets }) => secrets);
  const rules = settings.redact;
  const variables = [...(rules?.variables ?? []), ...secretVariables(settings)];
  return redactionOf(Object.assign({}, env, ...inFiles), { ...rules, variables });
}
