/** `open_page` and `browse`: pages by a browser; see specs.ts. */
import {
  type Arguments,
  type AttemptContext,
  EffectFailure,
  type Handler,
  refusal,
} from '../../engine/handler.ts';
import { pageText } from '../web/page/page.ts';
import { shownContent } from '../web/part.ts';
import { renderedHtml } from './rendered.ts';
import type { Secrets } from './secrets.ts';
import { type BrowserOptions, RunBrowsers, withBrowser } from './session.ts';
import { browseSpec, openPageSpec } from './specs.ts';
import { checkSteps, hidden, performSteps, type StepContext } from './steps.ts';
import { visit } from './visit.ts';

export interface BrowserToolOptions extends BrowserOptions {
  readonly secrets: Secrets;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const browserHandlers = (options: BrowserToolOptions): Handler[] => [
  { spec: openPageSpec, perform: (args, context) => openPage(args, options, context) },
  browseHandler(options),
];

function browseHandler(options: BrowserToolOptions): Handler {
  const browsers = new RunBrowsers(options);
  return {
    spec: browseSpec,
    perform: (args, context) => browse(args, { options, browsers }, context),
    ended: (run) => browsers.end(run),
  };
}

async function openPage(
  args: Arguments,
  options: BrowserToolOptions,
  context: AttemptContext,
): Promise<unknown> {
  return await withBrowser(options, context, async (session) => {
    await visit(session, String(args.url));
    const { page } = session;
    if (typeof args.wait === 'string') {
      await page.waitForSelector(args.wait).catch((cause: unknown) => {
        throw new EffectFailure('PV4755', `nothing on the page fits ${String(args.wait)}`, {
          ...{ answered: true, cause },
        });
      });
    }
    const html = await renderedHtml(page);
    const url = page.url();
    const read = await pageText({ html, url, whole: args.whole === true }, context.signal);
    if (read.text.trim() === '') {
      throw refusal('PV4748', `${url} has no text`);
    }
    const shown = { ...read, contentType: 'text/html', page: read };
    return shownContent({ url, fetchedAt: Date.now() }, shown, args, context);
  });
}

async function browse(
  args: Arguments,
  {
    options: { secrets, env },
    browsers,
  }: { readonly options: BrowserToolOptions; readonly browsers: RunBrowsers },
  context: AttemptContext,
): Promise<unknown> {
  const steps = stepsOf(args.steps);
  const last = stepsOf(args.finally ?? []);
  checkSteps([...steps, ...last]);
  const isNew = !browsers.isOpen(context.run);
  if (isNew && steps[0]?.goto === undefined) throw noPage();
  return await browsers.use(context, async (session) => {
    const extracted = new Map<string, unknown>();
    const { filled } = session;
    const { signal } = context;
    const common: StepContext = { session, signal, secrets, env, extracted };
    try {
      await performSteps(steps, common);
    } catch (thrown) {
      // What was to be done in any case, such as signing out; the first failure is the one to tell.
      await performSteps(last, common).catch((second: unknown) => {
        if (second instanceof EffectFailure) context.warn(`finally: ${second.message}`);
      });
      throw thrown;
    }
    await performSteps(last, common);
    const { page } = session;
    const url = page.url();
    const title = hidden(await page.title(), filled);
    context.source({ url, title, fetchedAt: Date.now() });
    return {
      ...{ url, title, session: isNew ? 'new' : 'continued' },
      extracted: without(Object.fromEntries(extracted), filled),
    };
  });
}

const noPage = (): EffectFailure =>
  refusal('PV4758', 'step 1: no page is open, the browser is new', {
    hint: 'begin with {"goto": address}; a browser is that of a run in one process, resumed or not',
  });

type Steps = readonly Readonly<Record<string, unknown>>[];

const stepsOf = (given: unknown): Steps => (Array.isArray(given) ? (given as Steps) : []);

/** Pages show what was filled in: a name that one has signed in with. */
function without(value: unknown, filled: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return hidden(value, filled);
  if (Array.isArray(value)) return value.map((one) => without(one, filled));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, without(one, filled)]),
  );
}
