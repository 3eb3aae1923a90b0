/**
 * Opens a model by its reference: `openai/…` (any server that speaks the same format, by
 * OPENAI_BASE_URL), `anthropic/…`, `google/…`, `ollama/…` or `replay/FILE`.
 */

import { type Environment, endpointOf } from './endpoint.ts';
import type { Model } from './model.ts';
import type { PriceTable } from './prices.ts';
import type { Fetch } from './provider.ts';
import { providerModel } from './provider-model.ts';

export interface OpenOptions {
  /** Where addresses and keys come from; nothing else is looked at. */
  readonly env: Environment;
  readonly fetch?: Fetch;
  readonly prices?: PriceTable;
}

/**
 * Does no I/O to a provider: a wrong key shows at the first call. Throws `EffectFailure` PV4100
 * for a reference that leads nowhere, PV4101 for a key that is not set.
 */
export function openModel(reference: string, options: OpenOptions): Model {
  return providerModel(endpointOf(reference, options.env), options);
}
