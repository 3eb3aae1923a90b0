/** Variables that settings take keys out of: whatever they are called, what they hold is secret. */
import { variablesIn } from '../../effects/http/variables.ts';
import { variableOfPin } from '../../effects/tool/pinned.ts';
import type { AgentSettings } from '../port/settings.ts';

/** Of `auth`, the members that name a user are not secret by themselves. */
const secretMembers = ['env', 'password', 'clientSecret'] as const;

export function secretVariables({ http, pins, openapi }: AgentSettings): string[] {
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
