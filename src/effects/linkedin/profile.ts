/** Addresses of profiles, and where the site leads those whom it does not show one. Pure. */
import { type EffectFailure, refusal } from '../../engine/handler.ts';

export const missing = (url: URL): EffectFailure =>
  refusal('PV4793', `LinkedIn has no profile ${url.pathname}`, {
    hint: 'find its address by search_linkedin_profile',
  });

/** Where the site sends those whom it does not show a profile. Throws PV4791, PV4792, PV4793. */
export function checkPlace(at: URL, wanted: URL, profile: string | undefined): void {
  if (/^\/(checkpoint|challenge)/.test(at.pathname)) {
    throw refusal('PV4792', 'LinkedIn wants a person to prove that it is one', {
      hint: 'open it with the same profile in a browser, and do there what it asks',
    });
  }
  if (/^\/404/.test(at.pathname)) throw missing(wanted);
  if (/^\/in\//.test(at.pathname) && at.host === wanted.host) return;
  const how =
    profile === undefined
      ? 'name a folder with a session of yours: planvm:linkedin?profile=FOLDER'
      : `sign in once in a chromium that has its data (user-data-dir) in ${profile}`;
  throw refusal('PV4791', 'LinkedIn shows the profile to nobody who is not signed in', {
    hint: how,
  });
}

/**
 * The address of a profile, in its one form. Nothing else is opened with the session of a person.
 * Throws `EffectFailure` PV4790.
 */
export function profileUrl(given: string, base: URL): URL {
  const text = given.trim();
  const url = URL.parse(/^https?:/i.test(text) ? text : `https://${text}`);
  const own = url && (url.host === base.host || isLinkedIn(url.hostname));
  const [, name] = /^\/in\/([^/]+)\/?/.exec(own ? url.pathname : '') ?? [];
  if (name !== undefined) return new URL(`/in/${name}/`, base);
  throw refusal('PV4790', `got ${text.slice(0, 100)}, want the address of a profile`, {
    hint: 'it is such as https://www.linkedin.com/in/ada-lovelace',
  });
}

/** With the countries that it has hosts for: fr.linkedin.com. */
export const isLinkedIn = (host: string): boolean => /^([a-z]{2,3}\.)?linkedin\.com$/i.test(host);
