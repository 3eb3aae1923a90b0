/**
 * Apart from `open.ts`, whose types are public: those of a provider would bring the types of its
 * packages along.
 */
import type { Endpoint } from './endpoint.ts';
import type { Model } from './model.ts';
import { priceOf } from './prices.ts';
import type { ProviderOptions } from './provider-model.ts';

/** A model whose provider is spoken to from its first call on: what does so is loaded then. */
export function lateModel(endpoint: Endpoint, options: ProviderOptions): Model {
  let loading: Promise<Model> | undefined;
  const load = async (): Promise<Model> =>
    (await import('./provider-model.ts')).providerModel(endpoint, options);
  const price = priceOf(endpoint.reference, options.prices);
  return {
    name: endpoint.reference,
    ...(price && { price }),
    async complete(request, context) {
      loading ??= load();
      const model = await loading;
      return await model.complete(request, context);
    },
  };
}
