/**
 * `llm_call`: a model does something with values. What fits its window is one conversation; what
 * does not is digested by a run within the effect, and is never cut.
 */
import type { Handler } from '../../engine/handler.ts';
import { digester, type LongValues } from '../digest/digester.ts';
import type { Fit } from '../digest/fit.ts';
import { once } from './ask.ts';
import { callMessages, givenIn, instructionIn } from './call-layout.ts';
import { refuseLongPrompt } from './fitted-prompt.ts';
import type { Model } from './model.ts';
import { limitsOf, type ModelSettings } from './model-settings.ts';
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
      refuseLongPrompt(model, callMessages({ ...all, given: [] }), most, 'values');
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
