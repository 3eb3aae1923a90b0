/**
 * A model's text to its end. One that stops at its token limit is asked to go on, in the same
 * conversation and a bounded number of times; what is still cut off then says so in a warning.
 */
import type { Model, ModelContext, ModelRequest } from './model.ts';
import { withoutThoughts } from './thoughts.ts';

/** How often a reply is continued. */
export const continuationsMax = 3;

const goOn =
  'Your answer was cut off at the limit of its length. Go on exactly where it stopped, in the ' +
  'middle of the word if need be. Repeat nothing, and write nothing before it.';

export interface WholeText {
  readonly text: string;
  /** Whether it still ends at the limit. */
  readonly isCut: boolean;
  readonly continuations: number;
}

/** Throws what the model throws; a failure of a continuation is one of the whole. */
export async function wholeText(
  model: Model,
  request: ModelRequest,
  context: ModelContext,
): Promise<WholeText> {
  let text = '';
  for (let continuations = 0; ; continuations++) {
    const reply = await model.complete(continued(request, text), quietly(context));
    text += reply.text;
    const isCut = reply.finishReason === 'length';
    if (isCut && continuations < continuationsMax) continue;
    const times = continuations === 1 ? 'once' : `${continuations} times`;
    if (continuations > 0) context.warn(`${model.name} met its token limit and went on ${times}`);
    if (isCut) context.warn(`${model.name} stopped at its token limit: the answer is cut off`);
    return { text, isCut, continuations };
  }
}

/** The same without what a model says to itself before it answers. Throws PV4112 too. */
export async function finishedText(
  model: Model,
  request: ModelRequest,
  context: ModelContext,
): Promise<WholeText> {
  const whole = await wholeText(model, request, context);
  return { ...whole, text: withoutThoughts(whole.text, model) };
}

function continued(request: ModelRequest, text: string): ModelRequest {
  if (text === '') return request;
  const more = [
    { role: 'assistant', content: text },
    { role: 'user', content: goOn },
  ] as const;
  return { ...request, messages: [...request.messages, ...more] };
}

/** What a model says of its limit is said here, once it is known what came of it. */
const quietly = (context: ModelContext): ModelContext => ({
  get signal() {
    return context.signal;
  },
  ...(context.effect !== undefined && { effect: context.effect }),
  use: (usage) => context.use(usage),
  progress: (text) => context.progress(text),
  warn: (message) => {
    if (!/\bcut off$/.test(message)) context.warn(message);
  },
  ...(context.headers && { headers: context.headers }),
  finish: (reason) => context.finish?.(reason),
});
