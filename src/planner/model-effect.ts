/** The effect `model`: one reply to a conversation, for control loops. */
import type { Message, Model, RequestForm } from '../effects/model/model.ts';
import { EffectFailure, type Handler } from '../engine/handler.ts';
import type { JsonSchema } from '../program/effect.ts';
import { modelSpec } from './specs.ts';

/** `nativeForm` gives a conversation in the form for models that can be held to a schema. */
export function modelHandler(
  model: () => Model,
  nativeForm?: (messages: readonly Message[]) => RequestForm | undefined,
): Handler {
  return {
    spec: modelSpec,
    model,
    async perform({ messages, about, schema }, context) {
      const conversation = readMessages(messages);
      const native = nativeForm?.(conversation);
      const request = {
        messages: conversation,
        ...(native && { native }),
        ...(typeof about === 'string' && { prompt: about }),
        ...(isObject(schema) && { format: { kind: 'json', schema } as const }),
      };
      const { text } = await model().complete(request, context);
      return text;
    },
  };
}

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant']);

function readMessages(messages: unknown): Message[] {
  const read = Array.isArray(messages) ? messages : [];
  if (read.length > 0 && read.every(isMessage)) return read;
  throw new EffectFailure(
    'PV7003',
    'got messages of another form, want a list of {"role": …, "content": text}',
    { hint: 'the roles are system, user and assistant', mayHaveActed: false },
  );
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  return 'role' in value && roles.has(value.role) && 'content' in value && isText(value.content);
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
