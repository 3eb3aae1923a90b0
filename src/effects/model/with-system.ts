/** A model whose conversations all begin with the same system message. */
import type { Message, Model } from './model.ts';

/** Callers that put the message there themselves, since they fit texts to the window, keep it. */
export function withSystem(model: Model, system: string | undefined): Model {
  if (system === undefined) return model;
  const first: Message = { role: 'system', content: system };
  const hasIt = ([message]: readonly Message[]): boolean =>
    message?.role === 'system' && message.content === system;
  return {
    name: model.name,
    price: model.price,
    complete: (request, context) =>
      model.complete(
        hasIt(request.messages) ? request : { ...request, messages: [first, ...request.messages] },
        context,
      ),
  };
}
