/** `planvm:browser`: the set of the tools that use a browser that is on the machine. */
import { resolve } from 'node:path';
import type { SetOption, SetReader, ToolSet } from '../tool-set.ts';
import { insideOf, privateOption } from '../web/fetch-options.ts';
import { secretsIn } from './secrets.ts';
import type { BrowserOptions } from './session.ts';
import { browseSpec, openPageSpec } from './specs.ts';

/** What a set has that uses a browser: `browserOptionsOf` reads them. */
export const browserSetOptions: Readonly<
  Record<'private' | 'executable' | 'profile' | 'window' | 'sandbox', SetOption>
> = {
  private: privateOption,
  executable: {
    about: 'The browser: chromium, or one of its kind. Default: the first that is found.',
    variable: 'PLANVM_BROWSER',
  },
  profile: {
    about:
      'A folder with sessions of your own, which a browser has as its data directory where you ' +
      'sign in. Default: a new one each time.',
    variable: 'PLANVM_BROWSER_PROFILE',
  },
  window: { about: 'true: its window is shown.', default: 'false' },
  sandbox: {
    about: 'Whether the system keeps it apart: true, false, or auto, not for root.',
    default: 'auto',
  },
};

export const browserSet: ToolSet = {
  name: 'browser',
  about: 'Pages by a browser that is on the machine: with scripts, and signed in.',
  options: {
    ...browserSetOptions,
    secrets: {
      about:
        'Variables that steps may fill in, each with its site: SHOP_PASSWORD@shop.example.com.',
      variable: 'PLANVM_BROWSER_SECRETS',
    },
  },
  specs: [openPageSpec, browseSpec],
  async open(read) {
    const { browserHandlers } = await import('./handlers.ts');
    return browserHandlers({
      ...browserOptionsOf(read),
      ...{ secrets: secretsIn(read.text('secrets')), env: read.env },
    });
  },
};

/** How a set that has `browserSetOptions` starts its browser. Throws `BadToolSet`. */
export function browserOptionsOf(read: SetReader): BrowserOptions {
  const sandbox = read.text('sandbox', /^(true|false|auto)$/, 'true, false or auto');
  const [executable, profile] = [read.text('executable'), read.text('profile')];
  return {
    inside: insideOf(read),
    window: read.flag('window'),
    sandbox: sandbox === 'auto' ? process.getuid?.() !== 0 : sandbox === 'true',
    ...(executable !== '' && { executable }),
    ...(profile !== '' && { profile: resolve(profile) }),
  };
}
