/** Models of the `ai` package, as whoever embeds planvm has them already. */
import type { Endpoint, ProviderName } from './endpoint.ts';
import { lateModel } from './late-model.ts';
import type { Model } from './model.ts';
import type { ProviderModel } from './provider.ts';

/**
 * `openai('gpt-5-mini')` of `@ai-sdk/openai`, and the like. Only what all versions of such a model
 * have: the types of the package itself would have to be installed by everybody who checks types.
 */
export interface LanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<unknown>;
}

export const isLanguageModel = (given: unknown): given is LanguageModel =>
  typeof given === 'object' && given !== null && 'doStream' in given && 'modelId' in given;

/** Its name is that of its provider and its own: `openai/gpt-5-mini`, by which it has a price. */
export function fromLanguageModel(model: LanguageModel): Model {
  const [provider = ''] = model.provider.split('.');
  const endpoint: Endpoint = {
    reference: `${provider}/${model.modelId}`,
    provider: kinds.find((kind) => kind === provider) ?? 'openai',
    model: model.modelId,
    ...{ baseUrl: 'its address', baseVariable: 'its address' },
    ...{ key: undefined, keyVariable: undefined },
  };
  return lateModel(endpoint, { connect: () => Promise.resolve(model as ProviderModel) });
}

const kinds: readonly ProviderName[] = ['openai', 'anthropic', 'google', 'ollama'];
