/** Pages as a browser has them after their scripts, for tools that read pages without one first. */
import type { Render } from '../web/download.ts';
import { renderedHtml } from './rendered.ts';
import { type BrowserOptions, withBrowser } from './session.ts';
import { isFileFailure, visit } from './visit.ts';

/** Undefined where the address has a file, which a browser does not show. */
export const renderer =
  (options: BrowserOptions): Render =>
  async (url, context) =>
    await withBrowser(options, context, async (session) => {
      try {
        await visit(session, url);
      } catch (thrown) {
        if (isFileFailure(thrown)) return undefined;
        throw thrown;
      }
      const html = await renderedHtml(session.page);
      return { html, url: session.page.url() };
    });
