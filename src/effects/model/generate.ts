/** `llm_generate`: a text, or data, from a prompt. */
import {
  type AttemptContext,
  attemptWith,
  EffectFailure,
  type Handler,
} from '../../engine/handler.ts';
import { hasLateThought } from '../../text/thoughts.ts';
import type { Unbound } from '../bind/specs.ts';
import type { Fit } from '../digest/fit.ts';
import { ask } from './ask.ts';
import { lineParts } from './line-parts.ts';
import type { Model, ModelRequest } from './model.ts';
import { layOut } from './prompt.ts';
import { replyReader } from './read-reply.ts';
import { wantedFormat } from './response-format.ts';
import { generateSpec } from './specs.ts';
import { withoutThoughts } from './thoughts.ts';
import type { ContextWindow } from './window.ts';

/** What a run tells all its model calls. */
export interface ModelSettings {
  /** The first message of every conversation. */
  readonly system?: string;
  /** 0 to 2. */
  readonly temperature?: number;
  /** Per model call. */
  readonly maxOutputTokens?: number;
  /** Tokens that models take at once, where it is not those of the table in `window.ts`. */
  readonly contextWindow?: ContextWindow;
  /** What becomes of values that do not fit, where the call does not say. Default: `auto`. */
  readonly fit?: Fit;
  /** What becomes of arguments that cannot be found, where the call does not say. */
  readonly unbound?: Unbound;
}

export function generateHandler(model: Model, settings: ModelSettings = {}): Handler {
  return {
    spec: generateSpec,
    model: () => model,
    async perform({ prompt, context: data, response_format }, context) {
      const { format, instruction } = wantedFormat(response_format);
      const laid = layOut({ prompt, context: data, instruction, system: settings.system });
      const request: ModelRequest = { ...limitsOf(settings), ...laid, ...(format && { format }) };
      if (format === undefined) return await once(() => text(model, request, context), context);
      const read = await replyReader(format);
      const question = { request, instruction, code: 'PV4114', read };
      return await once(() => ask(model, question, context), context);
    },
  };
}

export function limitsOf(settings: ModelSettings): Partial<ModelRequest> {
  const { temperature, maxOutputTokens } = settings;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
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

/** An empty answer may be chance the first time; the second time it is the model's answer. */
export async function once<T>(call: () => Promise<T>, context: AttemptContext): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const final = error instanceof EffectFailure && error.code === 'PV4112' && context.attempt > 1;
    if (!final) throw error;
    const { code, message, hint } = error;
    throw new EffectFailure(code, `${message}, again`, { hint, answered: true });
  }
}
