/** `llm_generate`: a text, or data, from a prompt. */
import { type AttemptContext, attemptWith, type Handler } from '../../engine/handler.ts';
import { hasLateThought } from '../../text/thoughts.ts';
import type { LongValues } from '../digest/digester.ts';
import { ask, once } from './ask.ts';
import { fittedPrompts } from './fitted-prompt.ts';
import { lineParts } from './line-parts.ts';
import type { Model, ModelRequest } from './model.ts';
import { limitsOf, type ModelSettings } from './model-settings.ts';
import { replyReader } from './read-reply.ts';
import { wantedFormat } from './response-format.ts';
import { generateSpec } from './specs.ts';
import { withoutThoughts } from './thoughts.ts';

export function generateHandler(
  model: Model,
  settings: ModelSettings = {},
  long: LongValues = {},
): Handler {
  const prompts = fittedPrompts(model, settings, long);
  return {
    spec: generateSpec,
    model: () => model,
    async perform({ prompt, context: data, response_format }, context) {
      const { format, instruction } = wantedFormat(response_format);
      const layout = { prompt, context: data, instruction };
      if (format === undefined) {
        const laid = await prompts.fitOrDigest(layout, context);
        if (typeof laid === 'string') return laid;
        const request = { ...limitsOf(settings), ...laid };
        return await once(() => text(model, request, context), context);
      }
      const laid = await prompts.fit(layout, context);
      const request = { ...limitsOf(settings), ...laid, format };
      const read = await replyReader(format);
      const question = { request, instruction, code: 'PV4114', read };
      return await once(() => ask(model, question, context), context);
    },
  };
}

async function text(model: Model, request: ModelRequest, context: AttemptContext): Promise<string> {
  const lines = lineParts((line) => context.part(line));
  const heard = attemptWith(context, {
    progress(piece) {
      context.progress(piece);
      lines.add(piece);
    },
  });
  const { text } = await model.complete(request, heard);
  const answer = withoutThoughts(text, model);
  if (hasLateThought(text)) {
    context.warn(`${model.name} thought aloud before a mark said so: a stream has these lines too`);
  }
  lines.end(answer);
  return answer;
}
