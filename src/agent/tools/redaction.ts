/** What is secret where a workspace is. */
import { variablesIn } from '../../effects/http/variables.ts';
import { type Redaction, redactionOf } from '../../effects/redaction.ts';
import { variableOfPin } from '../../effects/tool/pinned.ts';
import type { AgentSettings } from '../port/settings.ts';
import type { Workspace } from '../port/workspace.ts';

export function redactionIn({ env, settings, servers }: Workspace): Redaction {
  const inFiles = servers().map(({ secrets }) => secrets);
  const rules = settings.redact;
  const variables = [...(rules?.variables ?? []), ...secretVariables(settings)];
  return redactionOf(Object.assign({}, env, ...inFiles), { ...rules, variables });
}

// Variables that settings take keys out of: whatever they are called, what they hold is secret.

/** Of `auth`, the members that name a user are not secret by themselves. */
const secretMembers = ['env', 'password'] as const;

function secretVariables({ http, pins, openapi }: AgentSettings): string[] {
  // The address that a request begins with is none.
  const requests = JSON.stringify(http ?? {}).replace(/"[A-Z]+\s+\$\{\w+\}/g, '');
  const headers = (openapi ?? []).map((source) => JSON.stringify(source.headers ?? {}));
  const inRequests = variablesIn([requests, ...headers].join(' '));
  const pinned = Object.values(pins ?? {}).flatMap((own) => Object.values(own));
  const rules = (openapi ?? []).flatMap(({ auth = {} }) => Object.values(auth));
  return [
    ...inRequests,
    ...pinned.flatMap((pin) => variableOfPin(pin) ?? []),
    // Without a password beside it, it holds both.
    ...rules.flatMap(({ username, password }) => (password === undefined ? (username ?? []) : [])),
    ...rules.flatMap((rule) => secretMembers.flatMap((member) => rule[member] ?? [])),
  ];
}
