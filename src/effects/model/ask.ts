/**
 * Asks a model for something that has to be read out of its text, and asks once more, in the same
 * conversation, when that fails: with what it wrote and what is wrong with it.
 */
import { type AttemptContext, EffectFailure, refusal } from '../../engine/handler.ts';
import {
  type Model,
  type ModelContext,
  type ModelReply,
  type ModelRequest,
  withMessages,
} from './model.ts';

/** What a text turned out to be. */
export type Reading<T> =
  /** `mended` says what had to be repaired. */
  | { readonly ok: true; readonly value: T; readonly mended: readonly string[] }
  /** `problem` is written for the model: *got X, want Y*. */
  | { readonly ok: false; readonly problem: string };

export interface Question<T> {
  readonly request: ModelRequest;
  /** How to answer, repeated in the second question. */
  readonly instruction: string;
  /** The code of the failure when the second answer cannot be read either. */
  readonly code: string;
  read(text: string, context: ModelContext, reply: ModelReply): Reading<T> | Promise<Reading<T>>;
}

const shownCharactersMax = 500;

/** Throws `EffectFailure`: the question's own code, PV4113, or what the model failed with. */
export async function ask<T>(
  model: Model,
  question: Question<T>,
  context: ModelContext,
): Promise<T> {
  const { request, read } = question;
  const first = await model.complete(request, context);
  const reading = await read(checkedWhole(first, model, request), context, first);
  if (reading.ok) return accept(reading, context);
  context.warn(`${model.name} was asked again: ${reading.problem}`);
  context.progress('\n');
  const second = await model.complete(again(question, first.text, reading.problem), context);
  const reread = await read(checkedWhole(second, model, request), context, second);
  if (reread.ok) return accept(reread, context);
  throw refusal(
    question.code,
    `${model.name} was asked twice: it wrote ${clip(first.text)} (${reading.problem}), ` +
      `then ${clip(second.text)} (${reread.problem})`,
    { hint: 'say in the prompt what form the answer has, or choose another model' },
  );
}

function accept<T>(reading: Reading<T> & { ok: true }, context: ModelContext): T {
  for (const repair of reading.mended) context.warn(repair);
  return reading.value;
}

function checkedWhole(reply: ModelReply, model: Model, request: ModelRequest): string {
  if (reply.finishReason !== 'length' || request.format === undefined) return reply.text;
  const length = `after ${reply.text.length} characters`;
  throw refusal('PV4113', `the reply of ${model.name} was cut off at its token limit ${length}`, {
    hint: 'ask for less, or raise the limit of output tokens',
  });
}

function again<T>(question: Question<T>, text: string, problem: string): ModelRequest {
  const { request, instruction } = question;
  const content = `Your answer could not be used: ${problem}.\n${instruction}`.trim();
  return withMessages(request, (messages) => [
    ...messages,
    { role: 'assistant', content: text },
    { role: 'user', content },
  ]);
}

function clip(text: string): string {
  const shown = text.slice(0, shownCharactersMax);
  return JSON.stringify(shown.length < text.length ? `${shown}…` : shown);
}

/** An empty answer may be chance the first time; the second time it is the model's answer. */
export async function once<T>(call: () => Promise<T>, context: AttemptContext): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const final = error instanceof EffectFailure && error.code === 'PV4112' && context.attempt > 1;
    if (!final) throw error;
    const { code, message, hint } = error;
    throw refusal(code, `${message}, again`, { hint });
  }
}
