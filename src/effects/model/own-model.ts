/** Models that whoever embeds planvm has written: the smallest gives a text for messages. */
import { fromLanguageModel, isLanguageModel, type LanguageModel } from './language-model.ts';
import {
  estimate,
  type Model,
  type ModelContext,
  type ModelReply,
  type ModelRequest,
} from './model.ts';

export interface OwnModel {
  /** By which it is shown, and has a price; `own` where absent. */
  readonly name?: string;
  readonly price?: Model['price'];
  /** A text alone is a whole reply; its tokens are estimated. */
  complete(request: ModelRequest, context: ModelContext): Promise<ModelReply | string>;
}

export function modelOf(given: OwnModel | LanguageModel): Model {
  if (isLanguageModel(given)) return fromLanguageModel(given);
  const { name = 'own', price } = given;
  return {
    name,
    ...(price && { price }),
    async complete(request, context) {
      const reply = await given.complete(request, context);
      if (typeof reply !== 'string') return reply;
      const usage = {
        ...{ modelCalls: 1, inputTokens: estimate(request.messages), estimated: 1 },
        outputTokens: estimate([{ content: reply }]),
      };
      context.use(usage);
      return { text: reply, finishReason: 'stop', usage };
    },
  };
}
