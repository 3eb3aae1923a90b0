/** Keys that stand in the configuration of a server itself, in place of a variable's name. Pure. */
import type { McpServer } from './config.ts';
import { isReference } from './expand.ts';

/** By names that say that they are secret, as variables of the environment do. */
export function secretsIn({ name, transport }: McpServer): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const note = (where: string, value: string): void => {
    if (!isReference(value)) found[where] = value;
  };
  if (transport.kind === 'stdio') {
    for (const [key, value] of Object.entries(transport.env)) note(`${name}.env.${key}`, value);
    return found;
  }
  for (const [header, value] of Object.entries(transport.headers)) {
    if (!/authorization|cookie|key|token|secret/i.test(header)) continue;
    note(`${name}.headers.${header} KEY`, value.replace(/^\w+ +/, ''));
  }
  const { clientSecret } = transport.oauth ?? {};
  if (clientSecret !== undefined) note(`${name}.oauth.clientSecret`, clientSecret);
  return found;
}
