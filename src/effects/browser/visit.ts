/** Leads a browser to an address, with failures that say what was in the way. */
import type { Page } from 'playwright-core';
import { EffectFailure, refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import { hostOf, isThisMachine, urlProblem } from '../web/address.ts';
import { refusedUrl, shownUrl } from '../web/failures.ts';
import type { Session } from './session.ts';

/** How long scripts may go on after a page has loaded, in milliseconds. */
const settleMs = 3_000;

/** Throws `EffectFailure` PV4741, PV4756. */
export async function visit({ page, refusals }: Session, given: string): Promise<void> {
  const url = URL.parse(given.trim());
  if (!url) throw unreached(`got ${given}, want an address such as https://example.com/`);
  const problem = urlProblem(url, isThisMachine(url));
  if (problem !== undefined) throw refusedUrl(url, problem);
  const response = await page.goto(url.href, { waitUntil: 'load' }).catch((thrown: unknown) => {
    throw refusals.get(hostOf(url)) ?? navigationFailure(url, thrown);
  });
  const refused = refusals.get(hostOf(new URL(page.url() === 'about:blank' ? url : page.url())));
  if (response?.status() === 403 && refused) throw refused;
  if (response && response.status() >= 400) {
    throw unreached(`${shownUrl(url)} answers with ${response.status()}`);
  }
  await settled(page);
}

/** Until nothing more is loaded, or for as long as a page deserves. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: settleMs }).catch(() => undefined);
}

const fileHint = 'download reads files';

/** Whether a visit has failed because the address has a file. */
export const isFileFailure = (thrown: unknown): boolean =>
  thrown instanceof EffectFailure && thrown.hint === fileHint;

function navigationFailure(url: URL, thrown: unknown): EffectFailure {
  const message = thrownMessage(thrown);
  if (/Download is starting|ERR_ABORTED/.test(message)) {
    return unreached(`${shownUrl(url)} is a file, no page`, fileHint);
  }
  if (message.includes('ERR_HTTP_RESPONSE_CODE_FAILURE')) {
    return unreached(`${shownUrl(url)} answers with a failure, and no page`);
  }
  const isLate = /Timeout/.test(message);
  const code = /net::(ERR_\w+)/.exec(message)?.[1];
  const why = isLate ? 'it does not finish loading' : (code ?? message.split('\n')[0] ?? '');
  return new EffectFailure('PV4756', `${shownUrl(url)} cannot be opened: ${why}`, {
    ...{ retryable: true, answered: true, cause: thrown },
  });
}

const unreached = (message: string, hint?: string): EffectFailure =>
  refusal('PV4756', message, { hint });
