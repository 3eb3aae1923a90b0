/**
 * A browser for one call: started, used, and gone; or for all calls of a run. It is one that is on
 * the machine already. All its connections go through a proxy that looks where they lead; it has
 * none of the environment's keys, takes no files, and answers no dialog.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { BrowserContext, BrowserType, LaunchOptions, Page } from 'playwright-core';
import { type AttemptContext, EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import { importOptional } from '../optional-package.ts';
import type { Inside } from '../web/address.ts';
import { type GuardingProxy, startProxy } from './proxy.ts';

export interface BrowserOptions {
  /** A program; where it is absent, the first that the machine has. */
  readonly executable?: string;
  /** A folder with the user's own sessions; where it is absent, a new one each time. */
  readonly profile?: string;
  readonly inside: Inside;
  /** Whether its window is shown. */
  readonly window: boolean;
  /** Whether the system keeps it apart; not where the user may do everything. */
  readonly sandbox: boolean;
}

export interface Session {
  readonly page: Page;
  /** What its connections were refused for, by host. */
  readonly refusals: GuardingProxy['refusals'];
  /** Secrets that were filled in since it was opened, which no result may show. */
  readonly filled: Set<string>;
}

/** How long one action of a page may take, in milliseconds. */
const actionTimeoutMs = 15_000;

/** One browser at a time has a profile. */
const profiles = new Map<string, Promise<unknown>>();

/**
 * Has `work` done in a new browser, which is gone when this returns. Throws `EffectFailure` PV4754
 * where there is none, what `work` throws, or the signal's reason.
 */
export async function withBrowser<Result>(
  options: BrowserOptions,
  context: Caller,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const { profile } = options;
  if (profile === undefined) return await inBrowser(options, context, work);
  const before = profiles.get(profile) ?? Promise.resolve();
  const mine = before.then(() => inBrowser(options, context, work));
  profiles.set(
    profile,
    mine.catch(() => undefined),
  );
  return await mine;
}

type Caller = Pick<AttemptContext, 'signal' | 'warn'>;

async function inBrowser<Result>(
  options: BrowserOptions,
  caller: Caller,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  caller.signal.throwIfAborted();
  await using browser = await openBrowser(options);
  return await usedBy(browser, caller, work);
}

/** A browser that is running, with one page. */
interface OpenBrowser {
  readonly context: BrowserContext;
  readonly refusals: Session['refusals'];
  readonly filled: Set<string>;
  /** Of the call that uses it now. */
  warn: (message: string) => void;
  /** Never rejects. */
  [Symbol.asyncDispose](): Promise<void>;
}

async function openBrowser(options: BrowserOptions): Promise<OpenBrowser> {
  const { chromium } = await importOptional<typeof import('playwright-core')>('playwright-core');
  await using parts = new AsyncDisposableStack();
  const proxy = parts.use(await startProxy(options.inside));
  const { context, close } = await launched(chromium, options, proxy.url);
  parts.defer(() => close().catch(() => undefined));
  context.setDefaultTimeout(actionTimeoutMs);
  context.setDefaultNavigationTimeout(2 * actionTimeoutMs);
  const all = parts.move();
  return {
    ...{ context, refusals: proxy.refusals, filled: new Set<string>(), warn: () => undefined },
    [Symbol.asyncDispose]: () => all.disposeAsync().catch(() => undefined),
  };
}

/** Has `work` done in its page. A call that is given up closes the browser with all it was at. */
async function usedBy<Result>(
  browser: OpenBrowser,
  { signal, warn }: Caller,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const end = (): void => void browser[Symbol.asyncDispose]();
  signal.addEventListener('abort', end, { once: true });
  try {
    // It may have been given up while the browser started.
    signal.throwIfAborted();
    browser.warn = warn;
    const { context, refusals, filled } = browser;
    return await work({ page: await pageOf(context, browser), refusals, filled });
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

const watchedPages = new WeakSet<Page>();

/** The page where it stands; a new one where a site has closed that. */
async function pageOf(context: BrowserContext, browser: OpenBrowser): Promise<Page> {
  const page = context.pages()[0] ?? (await context.newPage());
  if (watchedPages.has(page)) return page;
  watchedPages.add(page);
  page.on('dialog', (dialog) => {
    browser.warn(`the page asks, and was not answered: ${dialog.message().slice(0, 200)}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on('download', (download) => {
    const name = download.suggestedFilename().slice(0, 200);
    browser.warn(`the page offers a file, which was not taken: ${name}; download reads files`);
  });
  page.on('popup', (other) => {
    browser.warn('the page opened another window, which was closed');
    other.close().catch(() => undefined);
  });
  return page;
}

/**
 * Browsers that go on from call to call. Each belongs to one run, has cookies, storage and a
 * page of that run alone, and is gone when the run ends in this process. Only calls that keep
 * their order may share one: see the class of `browse`.
 */
export class RunBrowsers {
  readonly #options: BrowserOptions;
  readonly #open = new Map<string, OpenBrowser>();

  constructor(options: BrowserOptions) {
    this.#options = options;
  }

  /** Whether a call of the run would go on where one before has left the browser. */
  isOpen(run: string): boolean {
    return this.#open.get(run)?.context.browser()?.isConnected() === true;
  }

  /** As `withBrowser`, but that the browser stays. One with a profile has its sessions there. */
  async use<Result>(
    context: Caller & Pick<AttemptContext, 'run'>,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    if (this.#options.profile !== undefined) {
      return await withBrowser(this.#options, context, work);
    }
    const { run, signal } = context;
    signal.throwIfAborted();
    if (!this.isOpen(run)) {
      await this.end(run);
      this.#open.set(run, await openBrowser(this.#options));
    }
    const browser = this.#open.get(run) as OpenBrowser;
    try {
      return await usedBy(browser, context, work);
    } finally {
      if (signal.aborted) await this.end(run);
    }
  }

  async end(run: string): Promise<void> {
    const browser = this.#open.get(run);
    this.#open.delete(run);
    await browser?.[Symbol.asyncDispose]();
  }
}

const flags: readonly string[] = [
  ...['disable-quic', 'no-first-run', 'disable-background-networking'],
  ...['disable-component-update', 'disable-sync', 'disable-gpu'],
  // Nothing leaves past the proxy.
  'force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];

async function launched(
  chromium: BrowserType,
  options: BrowserOptions,
  proxy: string,
): Promise<{ context: BrowserContext; close: () => Promise<void> }> {
  const executable = options.executable ?? found();
  if (executable === undefined || !existsSync(executable)) {
    const got = executable === undefined ? 'none was found' : `there is no ${executable}`;
    throw noBrowser(`a browser is needed, and ${got}`);
  }
  const launch: LaunchOptions = {
    ...{ executablePath: executable, headless: !options.window },
    ...{ chromiumSandbox: options.sandbox, env: ownEnvironment() },
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    proxy: { server: proxy, bypass: '<-loopback>' },
    args: flags.map((flag) => `--${flag}`),
  };
  const page = { acceptDownloads: false, serviceWorkers: 'block' } as const;
  try {
    if (options.profile !== undefined) {
      const context = await chromium.launchPersistentContext(options.profile, {
        ...launch,
        ...page,
      });
      return { context, close: () => context.close() };
    }
    const browser = await chromium.launch(launch);
    return { context: await browser.newContext(page), close: () => browser.close() };
  } catch (thrown) {
    const [why = ''] = thrownMessage(thrown).split('\n');
    const inUse = /ProcessSingleton|already in use|existing browser session/i.test(
      thrownMessage(thrown),
    );
    throw noBrowser(
      `the browser does not start: ${why}`,
      inUse ? 'another browser has the profile open: close that' : undefined,
      thrown,
    );
  }
}

function noBrowser(message: string, hint?: string, cause?: unknown): EffectFailure {
  return new EffectFailure('PV4754', message, {
    ...{ answered: true, mayHaveActed: false, cause },
    hint: hint ?? 'install chromium, or name one: PLANVM_BROWSER, planvm:browser?executable=…',
  });
}

/** What a program with windows needs of the environment, and no keys. */
const environment: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME'],
  ...['SYSTEMROOT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE'],
]);

function ownEnvironment(): Record<string, string> {
  const all = Object.entries(process.env);
  const kept = all.filter(([name]) => environment.has(name.toUpperCase()));
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
}

const programs = [
  ...['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'],
  ...['microsoft-edge-stable', 'microsoft-edge', 'brave-browser'],
];

const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The first browser that the machine has. */
function found(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const named = programs.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...named, ...places].find((path) => existsSync(path));
}
