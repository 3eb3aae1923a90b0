/** A model without a provider: a test says what it replies, and sees what it was asked. */
import type { Model, ModelRequest } from '../../src/effects/model/model.ts';

/** `reply` gives a text, or what is written as JSON, now or later; `asked` counts from 1. */
export function scriptedModel(
  reply: (request: ModelRequest, asked: number) => unknown,
  name = 'scripted',
): { readonly model: Model; readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const model: Model = {
    name,
    async complete(request, context) {
      requests.push({ ...request, messages: [...request.messages] });
      const said = await reply(request, requests.length);
      const usage = { modelCalls: 1, inputTokens: 10, outputTokens: 5, cost: 0 };
      context.use(usage);
      const text = typeof said === 'string' ? said : JSON.stringify(said);
      return { text, finishReason: 'stop', usage };
    },
  };
  return { model, requests };
}
