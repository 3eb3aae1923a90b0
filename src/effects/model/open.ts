/**
 * Opens a model by its reference: `openai/…` (any server that speaks the same format, by
 * OPENAI_BASE_URL), `anthropic/…`, `google/…`, `ollama/…` or `replay/FILE`.
 */
import {
  type Environment,
  endpointOf,
  type Fetch,
  redact,
  secretsOf,
  splitReference,
} from './endpoint.ts';
import { lateModel } from './late-model.ts';
import { type Message, type Model, withMessages } from './model.ts';
import type { PriceTable } from './prices.ts';
import { recordingModel } from './record.ts';
import { type ReplayOptions, replayModel } from './replay.ts';

export interface OpenOptions extends ReplayOptions {
  /** Where addresses and keys come from; nothing else is looked at. */
  readonly env: Environment;
  readonly fetch?: Fetch;
  /** A transcript that every reply is appended to. */
  readonly record?: string;
  readonly prices?: PriceTable;
}

/**
 * Does no I/O to a provider: a wrong key shows at the first call. Throws `EffectFailure` PV4100
 * for a reference that leads nowhere, PV4101 for a key that is not set, PV4400 and PV4401 for a
 * transcript.
 */
export function openModel(reference: string, options: OpenOptions): Model {
  const { provider, model: file } = splitReference(reference);
  const model =
    provider === 'replay'
      ? replayModel(file, options)
      : lateModel(endpointOf(reference, options.env), options);
  if (options.record === undefined) return model;
  const secrets = secretsOf(options.env);
  return recordingModel(model, options.record, (text) => redact(text, secrets));
}

// A model whose conversations all begin with the same system message.

/** Callers that put the message there themselves, since they fit texts to the window, keep it. */
export function withSystem(model: Model, system: string | undefined): Model {
  if (system === undefined) return model;
  const first: Message = { role: 'system', content: system };
  const withFirst = (messages: readonly Message[]): readonly Message[] => {
    const [message] = messages;
    const hasIt = message?.role === 'system' && message.content === system;
    return hasIt ? messages : [first, ...messages];
  };
  return {
    name: model.name,
    price: model.price,
    complete: (request, context) => model.complete(withMessages(request, withFirst), context),
  };
}
