/**
 * What the outcome of a job is made from, as its handler says: kept beside the outcome, for whoever
 * asks what an answer rests on. A source is said by a stranger as often as not, so it is bounded
 * and cleaned here, once, before anything keeps it.
 */
import type { Source } from '../../program/effect.ts';
import { addWarning, type Job, withoutSecrets } from './job.ts';

/** Of one effect. */
const sourcesMax = 100;
const urlCharactersMax = 2_048;
const titleCharactersMax = 300;

/** Notes a source of what the attempt returns; each address once, as it was named first. */
export function addSource(job: Job, { url, title, fetchedAt }: Source): void {
  // Handlers are code of others: a source that is none is left out, and said to be.
  if (typeof url !== 'string' || url === '') {
    addWarning(job, `${job.tool.spec.name} named a source without an address`);
    return;
  }
  job.sources ??= [];
  const address = clipped(job, withoutLogin(url), urlCharactersMax);
  if (job.sources.some((one) => one.url === address)) return;
  if (job.sources.length >= sourcesMax) {
    addWarning(job, `more than ${sourcesMax} sources: only the first are kept`);
    return;
  }
  const isTitled = typeof title === 'string' && title !== '';
  job.sources.push({
    url: address,
    ...(isTitled && { title: clipped(job, title, titleCharactersMax) }),
    ...(typeof fetchedAt === 'number' && Number.isFinite(fetchedAt) && { fetchedAt }),
  });
}

/** On one line, without what is secret in the arguments. */
function clipped(job: Job, text: string, most: number): string {
  const line = withoutSecrets(job, text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** An address may hold a name and a password, which are nobody's to read. */
const withoutLogin = (url: string): string =>
  url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1');
