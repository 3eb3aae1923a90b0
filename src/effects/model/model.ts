/**
 * What a language model is to the rest of planvm: something that completes a conversation once.
 * No tools, no loop and no retry in here: those are the machine's and the engine's. The handlers
 * and the planner see this interface only, so that a provider, a transcript and a test's own model
 * are interchangeable.
 */

import type { AttemptContext, Price, Usage } from '../../engine/handler.ts';
import type { JsonSchema } from '../../program/effect.ts';

export interface Model {
  /** The reference it was opened by: `openai/gpt-5-mini`, `replay/tour.ndjson`. */
  readonly name: string;
  /** Absent where it is not known. */
  readonly price?: Price | undefined;
  /**
   * Performs one call and says through `context` what it used, also when it fails. The text is
   * never empty and never cut off without a word. Throws `EffectFailure` (codes in `codes.ts`), or
   * the signal's reason when it was aborted.
   */
  complete(request: ModelRequest, context: ModelContext): Promise<ModelReply>;
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  /** What the text has to be; plain text where absent. */
  readonly format?: Format;
  /** 0 to 2; the provider's default where absent. */
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Texts at which the model stops; they are not part of the reply. */
  readonly stop?: readonly string[];
  /**
   * The author's own words, where `messages` wrap them in context and instructions. Not sent:
   * hand-written transcripts are matched against it.
   */
  readonly prompt?: string;
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A JSON reply, as providers can be asked for natively; the messages have to ask for it too. */
export interface Format {
  readonly kind: 'json';
  readonly schema?: JsonSchema;
  /** Keys that the reply, an object, has at least. */
  readonly keys?: readonly string[];
}

export interface ModelReply {
  readonly text: string;
  /** `length`: the text is cut off at the token limit, and a warning has said so. */
  readonly finishReason: 'stop' | 'length' | 'other';
  /** Already counted through `context.use`. */
  readonly usage: Usage;
}

/** What a call needs of an attempt; a handler passes its own `AttemptContext`. */
export type ModelContext = Pick<
  AttemptContext,
  'signal' | 'use' | 'progress' | 'warn' | 'headers' | 'finish'
> & {
  /** The effect it is made for; transcripts keep equal requests of a run apart by it. */
  readonly effect?: string;
};
