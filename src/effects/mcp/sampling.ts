/**
 * Completions that a server wants of a model while it performs a call. The model is the run's; what
 * it is asked is the server's own text, so it comes to the model without secrets, and a person is
 * asked first, once for each call, unless the settings say otherwise. What is said goes back to the
 * server alone: the program sees what the server makes of it.
 */
import {
  type CreateMessageRequest,
  type CreateMessageResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { AnswerNeeded, attemptWith, type Question, refusal } from '../../engine/handler.ts';
import type { Message, Model } from '../model/model.ts';
import type { Redactor } from '../redaction.ts';
import { oneOf } from './elicitation.ts';
import { said } from './failure.ts';
import type { Flight } from './flight.ts';
import type { Sampling } from './policy.ts';

export interface SamplingParts {
  readonly mode: Exclude<Sampling, 'deny'>;
  /** Completions within one call. */
  readonly most: number;
  readonly model: () => Model;
  readonly redact: Redactor;
}

type Wanted = CreateMessageRequest['params'];

/** By the specification: a person does not want it. */
const rejected = -1;
const promptShown = 400;

/** Throws `ProtocolError`, which the server is told. */
export async function sample(
  server: string,
  wanted: Wanted,
  flight: Flight,
  parts: SamplingParts,
): Promise<CreateMessageResult> {
  const { context } = flight;
  const messages = messagesOf(wanted, parts.redact);
  flight.samples++;
  if (flight.samples > parts.most) {
    throw refuse(flight, `${server} has asked a model ${parts.most} times in one call`, {
      hint: `"mcp": { "${server}": { "samplesMax": … } } allows more`,
    });
  }
  await allow(server, messages, flight, parts);
  const tokens = Math.ceil(textOf(messages).length / 4) + wanted.maxTokens;
  const lacking = context.lacks(tokens);
  if (lacking !== undefined) {
    throw refuse(flight, `${server} wants a model, and the limit ${lacking} has no room`, {
      hint: `resume the run with a larger limit ${lacking}`,
    });
  }
  const reply = await completed(wanted, messages, flight, parts);
  const { name } = parts.model();
  const request = JSON.stringify(messages);
  context.sampled({ model: name, request, reply: reply.text });
  return {
    ...{ role: 'assistant', content: { type: 'text', text: reply.text }, model: name },
    stopReason: reply.finishReason === 'length' ? 'maxTokens' : 'endTurn',
  };
}

async function completed(
  { temperature, maxTokens, stopSequences }: Wanted,
  messages: readonly Message[],
  { context }: Flight,
  { model }: SamplingParts,
): ReturnType<Model['complete']> {
  context.extend();
  try {
    return await model().complete(
      {
        ...{ messages, maxOutputTokens: maxTokens },
        ...(temperature !== undefined && { temperature }),
        ...(stopSequences && stopSequences.length > 0 && { stop: stopSequences }),
      },
      attemptWith(context, { progress: () => {}, finish: () => {} }),
    );
  } catch (thrown) {
    context.signal.throwIfAborted();
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ProtocolError(ProtocolErrorCode.InternalError, said(`the model failed: ${why}`));
  } finally {
    context.extend();
  }
}

/** Asks a person, once for each call. */
async function allow(
  server: string,
  messages: readonly Message[],
  flight: Flight,
  { mode, model }: SamplingParts,
): Promise<void> {
  if (mode === 'allow' || flight.allowed) return;
  const { context } = flight;
  const question = questionOf(server, model().name, messages);
  const answer = await context.ask?.(question);
  if (!answer) {
    flight.failure = context.ask
      ? new AnswerNeeded(question)
      : refusal('PV4813', `${question.text}: nobody is there to allow it`, {
          hint: `call it in a run, or set "mcp": { "${server}": { "sampling": "allow" } }`,
        });
    throw new ProtocolError(rejected, 'nobody has allowed it yet');
  }
  if (answer.value !== 'allow') throw new ProtocolError(rejected, 'a person does not allow it');
  flight.allowed = true;
}

const choices = ['allow', 'deny'];

function questionOf(server: string, model: string, messages: readonly Message[]): Question {
  const prompt = said(textOf(messages)).replace(/\s+/g, ' ');
  const shown = prompt.length > promptShown ? `${prompt.slice(0, promptShown)}…` : prompt;
  const text = `MCP server ${server} wants ${model} to answer, within this call: ${shown}`;
  return { text, choices, check: oneOf(choices) };
}

function messagesOf({ messages, systemPrompt }: Wanted, redact: Redactor): readonly Message[] {
  const made = messages.map(({ role, content }): Message => {
    const blocks = Array.isArray(content) ? content : [content];
    const texts = blocks.map((block) => {
      if (block.type === 'text') return redact(block.text);
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `got a part of the type ${block.type}, want text`,
      );
    });
    return { role, content: texts.join('\n') };
  });
  if (systemPrompt === undefined) return made;
  return [{ role: 'system', content: redact(systemPrompt) }, ...made];
}

const textOf = (messages: readonly Message[]): string =>
  messages.map(({ content }) => content).join('\n');

/** The call fails with it, whatever the server makes of being refused. */
function refuse(flight: Flight, what: string, { hint }: { hint: string }): ProtocolError {
  const message = `MCP server ${what}`;
  flight.failure = refusal('PV4813', message, { hint });
  return new ProtocolError(rejected, message);
}
