/**
 * Names and passwords that steps fill in by reference, `{"env": "SHOP_PASSWORD"}`: a program knows
 * what they are called, and neither their value nor a way to have it filled in elsewhere. A person
 * says for which site each is.
 */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { BadToolSet } from '../tool-set-names.ts';
import { isThisMachine } from '../web/address.ts';

/** By variable, the hosts at which it may be filled in. */
export type Secrets = ReadonlyMap<string, readonly string[]>;

/** Reads `SHOP_PASSWORD@shop.example.com,…`. Throws `BadToolSet`. */
export function secretsIn(given: string): Secrets {
  const secrets = new Map<string, string[]>();
  for (const one of given.split(',').map((entry) => entry.trim())) {
    if (one === '') continue;
    const [, name, host] = /^([A-Za-z_]\w*)@([\w.-]+(?::\d+)?)$/.exec(one) ?? [];
    if (name === undefined || host === undefined) {
      throw new BadToolSet(
        `planvm:browser: secrets: got ${one}, want VARIABLE@host`,
        'such as SHOP_PASSWORD@shop.example.com: it is filled in there and nowhere else',
      );
    }
    secrets.set(name, [...(secrets.get(name) ?? []), host.toLowerCase()]);
  }
  return secrets;
}

/** The value to fill in at a page. Throws `EffectFailure` PV4757. */
export function secretFor(
  name: string,
  page: URL,
  secrets: Secrets,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const hosts = secrets.get(name);
  if (hosts === undefined) {
    throw refused(
      `${name} may not be filled in`,
      `a person allows it: planvm:browser?secrets=${name}@HOST`,
    );
  }
  if (!hosts.includes(page.host)) {
    throw refused(`${name} is for ${hosts.join(', ')}, and the page is of ${page.host}`);
  }
  if (page.protocol !== 'https:' && !isThisMachine(page)) {
    throw refused(`${name} is not filled in at ${page.origin}, which is not encrypted`);
  }
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  throw refused(`${name} is not set`, 'set it in the environment or in .env');
}

const refused = (message: string, hint?: string): EffectFailure =>
  refusal('PV4757', message, { hint });
