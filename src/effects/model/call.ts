/**
 * `llm_call`: a model does something with values. What fits its window is one conversation; what
 * does not is digested by a run within the effect, and is never cut.
 */
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { digester, type LongValues } from '../digest/digester.ts';
import type { Fit } from '../digest/fit.ts';
import { type CallLayout, callMessages, givenIn, instructionIn } from './call-layout.ts';
import { limitsOf, type ModelSettings, once } from './generate.ts';
import type { Model } from './model.ts';
import { callSpec } from './specs.ts';
import { finishedText } from './whole-text.ts';
import { inputTokensMax, tokensIn } from './window.ts';

export function callHandler(
  model: Model,
  settings: ModelSettings = {},
  long: LongValues = {},
): Handler {
  const { digest, tagged } = digester(model, settings, long);
  return {
    spec: callSpec,
    model: () => model,
    async perform({ values, instruction, sources, fit }, context) {
      const words = instructionIn(instruction);
      const given = tagged(givenIn(values, sources), context);
      const layout = { given, instruction: words };
      const all = { ...layout, system: settings.system };
      const most = inputTokensMax(model.name, settings);
      refuseLongInstruction(model, all, most);
      const messages = callMessages(all);
      const tokens = tokensIn(messages);
      if (tokens <= most) {
        const request = { ...limitsOf(settings), messages, prompt: words };
        const whole = await once(() => finishedText(model, request, context), context);
        return whole.text;
      }
      const pictures = layout.given.flatMap((one) => one.pictures ?? []).length;
      if (pictures > 0) {
        context.warn(`pictures left out: ${pictures}, as the values are read in parts, as texts`);
      }
      const wanted = {
        given: layout.given,
        instruction: words,
        tokens,
        fit: fit as Fit | undefined,
      };
      return await digest(wanted, context);
    },
  };
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
