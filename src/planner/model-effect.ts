/** The effect `model`: one reply to a conversation, for control loops. */
import { z } from 'zod';
import type { Environment } from '../dialects/dialect.ts';
import type { Embedder } from '../effects/digest/rank.ts';
import type { Message, Model, RequestForm } from '../effects/model/model.ts';
import type { Handler } from '../engine/handler.ts';
import type { JsonSchema } from '../program/effect.ts';
import { readData } from './loop-data.ts';
import type { Round } from './plan-failure.ts';
import { modelSpec } from './specs.ts';

/** What the effects of every loop have in which a model writes a program. */
export interface WriterOptions {
  /** What the program may name. */
  readonly environment: Environment;
  /** Asked for when the loop first calls it. */
  readonly model: () => Model;
  /** Helps to find the tools that fit a goal, where there are many. */
  readonly embedder?: (() => Embedder | undefined) | undefined;
  /** Told of each reply as it comes, with what the checker says of it. */
  readonly onRound?: ((round: Round) => void) | undefined;
}

/** `nativeForm` gives a conversation in the form for models that can be held to a schema. */
export function modelHandler(
  model: () => Model,
  nativeForm?: (messages: readonly Message[]) => RequestForm | undefined,
): Handler {
  return {
    spec: modelSpec,
    model,
    async perform({ messages, about, schema }, context) {
      const asked = readData(conversation, messages, 'messages', form);
      const native = nativeForm?.(asked);
      const request = {
        messages: asked,
        ...(native && { native }),
        ...(typeof about === 'string' && { prompt: about }),
        ...(isObject(schema) && { format: { kind: 'json', schema } as const }),
      };
      const { text } = await model().complete(request, context);
      return text;
    },
  };
}

const conversation: z.ZodType<Message[]> = z
  .array(z.looseObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
  .min(1);

const form = 'want a list of {"role": system, user or assistant, "content": text}';

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
