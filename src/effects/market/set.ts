/** `planvm:market`: prices of stocks and what companies are worth. */
import type { ToolSet } from '../tool-set.ts';
import { BadToolSet } from '../tool-set-names.ts';
import { type ProviderName, providerNames } from './provider.ts';
import { marketSpecs } from './specs.ts';

export const marketSet: ToolSet = {
  name: 'market',
  about:
    'get_stock_price, get_market_capitalization: by Finnhub (FINNHUB_API_KEY); without a key by ' +
    'Yahoo, which has prices only.',
  options: {
    provider: {
      about: 'finnhub or yahoo. Default: finnhub where its key is set, else yahoo.',
      variable: 'PLANVM_MARKET_PROVIDER',
    },
    url: {
      about: 'Another address of the provider, such as a mirror.',
      variable: 'PLANVM_MARKET_URL',
    },
  },
  specs: marketSpecs,
  async open({ text, address, env }) {
    const { marketHandlers } = await import('./handlers.ts');
    const name = text('provider');
    const provider = providerNames.find((one): one is ProviderName => one === name);
    if (name !== '' && !provider) {
      throw new BadToolSet(`provider: got ${name}, want one of ${providerNames.join(', ')}`);
    }
    return marketHandlers({
      env,
      ...(provider && { provider }),
      ...(text('url') !== '' && { url: address('url') }),
    });
  },
};
