/**
 * A profile as a browser shows it. What classes the site gives its elements changes from month to
 * month; that there is one heading, what stands below it, and sections with headings of their own
 * does not, and no more than that is relied on.
 */
import type { Page } from 'playwright-core';
import { type EffectFailure, refusal } from '../../engine/handler.ts';

export interface Profile {
  readonly name: string;
  readonly headline: string;
  readonly sections: readonly Section[];
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * Runs in the page. The site writes most lines twice, once for readers of screens: what is hidden
 * from the eye is left out, and so is a line that only repeats the one before it.
 */
const script = `(() => {
  const linesOf = (element) => {
    const copy = element.cloneNode(true);
    for (const one of copy.querySelectorAll('.visually-hidden, .sr-only, script, style, button')) {
      one.remove();
    }
    copy.style.position = 'absolute';
    document.body.append(copy);
    const text = copy.innerText;
    copy.remove();
    const lines = text.split('\\n').map((line) => line.replace(/\\s+/g, ' ').trim());
    return lines.filter((line, at) => line !== '' && line !== lines[at - 1]);
  };
  const heading = document.querySelector('main h1, h1');
  if (!heading) return { name: '', headline: '', sections: [] };
  const name = linesOf(heading)[0] ?? '';
  const card = heading.closest('section') ?? heading.parentElement;
  const headline = linesOf(card).filter((line) => line !== name)[0] ?? '';
  const sections = [];
  for (const one of document.querySelectorAll('section')) {
    if (one.contains(heading) || one.parentElement.closest('section:not(:has(h1))')) continue;
    const lines = linesOf(one);
    const title = one.querySelector('h2, h3');
    const words = title ? (linesOf(title)[0] ?? '') : '';
    if (words !== '' && lines.length > 0) {
      sections.push({ title: words, lines: lines.filter((line) => line !== words) });
    }
  }
  return { name, headline, sections };
})()`;

/** Throws `EffectFailure` PV4793 where the page shows nobody. */
export async function profileOf(page: Page, url: URL): Promise<Profile> {
  const profile = (await page.evaluate(script)) as Profile;
  const isNobody = /page (not found|doesn.t exist)|profile.*(not|isn.t) available/i;
  if (profile.name === '' || isNobody.test(profile.name)) throw missing(url);
  return profile;
}

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
