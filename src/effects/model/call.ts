/**
 * `llm_call`: a model does something with values. What fits its window is one conversation; what
 * does not is handed on whole, never cut.
 */
import { type AttemptContext, EffectFailure, type Handler } from '../../engine/handler.ts';
import { answerOf } from '../../program/model-text.ts';
import { type CallLayout, callMessages, givenIn, instructionIn } from './call-layout.ts';
import { limitsOf, type ModelSettings, once } from './generate.ts';
import type { Model, ModelRequest } from './model.ts';
import { callSpec } from './specs.ts';
import { wholeText } from './whole-text.ts';
import { inputTokensMax, tokensIn, windowOf } from './window.ts';

export function callHandler(model: Model, settings: ModelSettings = {}): Handler {
  return {
    spec: callSpec,
    model: () => model,
    async perform({ values, instruction, sources }, context) {
      const words = instructionIn(instruction);
      const layout = { given: givenIn(values, sources), instruction: words };
      const all = { ...layout, system: settings.system };
      const most = budgetOf(model, settings);
      refuseLongInstruction(model, all, most);
      const messages = callMessages(all);
      const tokens = tokensIn(messages);
      if (tokens > most) throw tooLong(model, tokens, most);
      const request = { ...limitsOf(settings), messages, prompt: words };
      return await once(() => answer(model, request, context), context);
    },
  };
}

/** Tokens that a call may send. */
export function budgetOf(model: Model, settings: ModelSettings): number {
  const window = windowOf(model.name, settings.contextWindow);
  return inputTokensMax(window, settings.maxOutputTokens);
}

/** Nothing can be done about an instruction that does not fit: it is never cut or left out. */
function refuseLongInstruction(model: Model, layout: CallLayout, most: number): void {
  const tokens = tokensIn(callMessages({ ...layout, given: [] }));
  if (tokens <= most) return;
  const over = tokens - most;
  throw new EffectFailure(
    'PV4160',
    `the instruction is about ${tokens} tokens, ${over} more than the ${most} that may be sent ` +
      `to ${model.name}`,
    {
      hint: 'put the data into values and keep the instruction short, or set contextWindow',
      mayHaveActed: false,
    },
  );
}

const tooLong = (model: Model, tokens: number, most: number): EffectFailure =>
  new EffectFailure(
    'PV4161',
    `the values are about ${tokens} tokens, ${tokens - most} more than the ${most} that may be ` +
      `sent to ${model.name}`,
    { hint: 'give less of them, or set contextWindow', mayHaveActed: false },
  );

/** Throws `EffectFailure`, PV4112 for an answer that is only thought. */
export async function answer(
  model: Model,
  request: ModelRequest,
  context: AttemptContext,
): Promise<string> {
  const { text } = await wholeText(model, request, context);
  if (!/^\s*<think/i.test(text)) return text;
  const said = answerOf(text);
  if (said !== '') return said;
  throw new EffectFailure('PV4112', `${model.name} thought aloud and did not answer`, {
    retryable: true,
    answered: true,
  });
}
