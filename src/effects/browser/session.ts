/**
 * A browser for one call: started, used, and gone. It is one that is on the machine already. All
 * its connections go through a proxy that looks where they lead; it has none of the environment's
 * keys, takes no files, and answers no dialog.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { BrowserContext, BrowserType, LaunchOptions, Page } from 'playwright-core';
import { type AttemptContext, EffectFailure } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/thrown.ts';
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
  context: Pick<AttemptContext, 'signal' | 'warn'>,
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

async function inBrowser<Result>(
  options: BrowserOptions,
  { signal, warn }: Pick<AttemptContext, 'signal' | 'warn'>,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const { chromium } = await importOptional('playwright-core', () => import('playwright-core'));
  await using proxy = await startProxy(options.inside);
  const { context, close } = await launched(chromium, options, proxy.url);
  const end = (): void => void close().catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    // It may have been given up while the browser started.
    signal.throwIfAborted();
    context.setDefaultTimeout(actionTimeoutMs);
    context.setDefaultNavigationTimeout(2 * actionTimeoutMs);
    const page = context.pages()[0] ?? (await context.newPage());
    page.on('dialog', (dialog) => {
      warn(`the page asks, and was not answered: ${dialog.message().slice(0, 200)}`);
      dialog.dismiss().catch(() => undefined);
    });
    page.on('download', (download) => {
      const name = download.suggestedFilename().slice(0, 200);
      warn(`the page offers a file, which was not taken: ${name}; download reads files`);
    });
    context.on('page', (other) => {
      warn('the page opened another window, which was closed');
      other.close().catch(() => undefined);
    });
    return await work({ page, refusals: proxy.refusals });
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', end);
    await close().catch(() => undefined);
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
