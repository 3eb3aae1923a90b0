/**
 * A model's text to its end. One that stops at its token limit is asked to go on, in the same
 * conversation and a bounded number of times; what is still cut off then says so in a warning.
 */
import { type AttemptContext, attemptWith } from '../../engine/handler.ts';
import {
  type Model,
  type ModelContext,
  type ModelReply,
  type ModelRequest,
  withMessages,
} from './model.ts';
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
}

/**
 * Without what a model says to itself before it answers. Throws what the model throws, also for a
 * continuation, and PV4112 where it has only thought.
 */
export async function finishedText(
  model: Model,
  request: ModelRequest,
  context: AttemptContext,
): Promise<WholeText> {
  const { text, finishReason } = await finishedReply(model, request, context);
  return { text: withoutThoughts(text, model), isCut: finishReason === 'length' };
}

/**
 * The same with all that it has written, and with the calls that it asks for: it goes on behind
 * what came of those, so they end it.
 */
export async function finishedReply(
  model: Model,
  request: ModelRequest,
  context: AttemptContext,
): Promise<ModelReply> {
  let text = '';
  // What is to be said of its limit is said here, once it is known what came of it.
  const quiet: ModelContext = attemptWith(context, { goesOn: true as const });
  for (let continuations = 0; ; continuations++) {
    const reply = await model.complete(continued(request, text), quiet);
    text += reply.text;
    const isCut = reply.finishReason === 'length';
    const asks = (reply.calls ?? []).length > 0;
    if (isCut && !asks && continuations < continuationsMax) continue;
    const times = continuations === 1 ? 'once' : `${continuations} times`;
    if (continuations > 0) context.warn(`${model.name} met its token limit and went on ${times}`);
    const what = asks ? 'a call may be missing' : 'the answer is cut off';
    if (isCut) context.warn(`${model.name} stopped at its token limit: ${what}`);
    return { ...reply, text };
  }
}

function continued(request: ModelRequest, text: string): ModelRequest {
  if (text === '') return request;
  const more = [
    { role: 'assistant', content: text },
    { role: 'user', content: goOn },
  ] as const;
  return withMessages(request, (messages) => [...messages, ...more]);
}
