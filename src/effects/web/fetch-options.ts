/** What a set may be told that fetches what programs and pages name, and how it fetches by that. */
import { join, resolve } from 'node:path';
import { megabytesLimit } from '../set-limits.ts';
import type { SetOption, SetReader } from '../tool-set.ts';
import type { Inside } from './address.ts';
import type { FetchOptions } from './fetch-page.ts';

/** `insideOf` reads it. */
export const privateOption: SetOption = {
  about: 'What may be reached that is not public: none; loopback, this machine; all, its networks.',
  variable: 'PLANVM_WEB_PRIVATE',
  default: 'none',
};

export type FetchSetOption = 'private' | 'userAgent' | 'robots' | 'cache' | 'megabytes';

/** `fetchOptionsOf` reads them. */
export const fetchSetOptions: Readonly<Record<FetchSetOption, SetOption>> = {
  private: privateOption,
  userAgent: {
    about: 'Who asks, as sites see it.',
    variable: 'PLANVM_USER_AGENT',
    default: 'planvm/0.1',
  },
  robots: {
    about: 'obey: what a site does not want to be fetched is not; ignore, for sites of your own.',
    variable: 'PLANVM_WEB_ROBOTS',
    default: 'obey',
  },
  cache: {
    about: 'Whether answers are kept and used again, as HTTP allows; true or false.',
    variable: 'PLANVM_WEB_CACHE',
    default: 'true',
  },
  megabytes: megabytesLimit,
};

/** How a set fetches, by its options. Throws `BadToolSet`. */
export async function fetchOptionsOf(read: SetReader): Promise<FetchOptions> {
  const { openRobots } = await import('./robots.ts');
  const { cacheIn } = await import('./cache.ts');
  const inside = insideOf(read);
  const userAgent = read.text('userAgent', /^[\x20-\x7e]+$/, 'letters of ASCII');
  const isObeying = read.text('robots', /^(obey|ignore)$/, 'obey or ignore') === 'obey';
  const isKept = read.flag('cache');
  const folder = join(resolve(read.env.PLANVM_HOME ?? '.planvm'), 'cache', 'web');
  return {
    ...{ inside, userAgent },
    bytesMax: read.limit('megabytes') * 2 ** 20,
    ...(isObeying && { robots: openRobots(userAgent) }),
    ...(isKept && { cache: cacheIn({ folder, inside }) }),
  };
}

/** What a set that has `privateOption` may reach. Throws `BadToolSet`. */
export function insideOf({ text }: SetReader): Inside {
  const given = text('private', /^(none|loopback|all)$/, 'none, loopback or all');
  return given === 'loopback' || given === 'all' ? given : 'none';
}
