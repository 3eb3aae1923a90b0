/** The MCP servers that a `.mcp.json` names, each with what the settings say of it. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readServers } from '../../effects/mcp/config.ts';
import type { ServerPolicy } from '../../effects/mcp/policy.ts';
import { secretsIn } from '../../effects/mcp/secrets.ts';
import { nearest } from '../../program/diagnostic.ts';
import { AgentError, reasonOf } from '../port/errors.ts';
import { mcpFileName, type ServerHere } from '../port/settings.ts';

interface ServerPolicies {
  readonly policies: Readonly<Record<string, ServerPolicy>>;
  /** Where they are set, as messages name it. */
  readonly origin: string;
}

/**
 * `shown` is the file as messages name it, `others` are servers that the program names itself.
 * Throws `AgentError` PV6901 for settings of no server.
 */
export function serversIn(
  file: string,
  shown: string,
  { policies, origin }: ServerPolicies,
  others: readonly string[],
): ServerHere[] {
  const servers = readServers(textOf(file), shown);
  refuseUnknown(Object.keys(policies), [...servers.map(({ name }) => name), ...others], origin);
  return servers.flatMap((server): ServerHere[] => {
    const policy = policies[server.name] ?? {};
    if (policy.enabled === false) return [];
    return [{ server, policy, folder: dirname(file), secrets: secretsIn(server) }];
  });
}

/** A misspelt name would leave a server without the bounds that are meant for it. */
function refuseUnknown(given: readonly string[], known: readonly string[], origin: string): void {
  const name = given.find((one) => !known.includes(one));
  if (name === undefined || known.length === 0) return;
  const meant = nearest(name, known);
  throw new AgentError('PV6901', `mcp.${name}: ${mcpFileName} names no server ${name}`, {
    facts: { setting: 'mcp', origin },
    hint: meant === undefined ? `it names ${known.join(', ')}` : `did you mean ${meant}?`,
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AgentError('PV6003', `cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}
