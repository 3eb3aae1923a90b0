/** `llm_condition`: yes or no, with the reason. */

import type { Handler } from '../../engine/handler.ts';
import { readVerdict, type Verdict } from '../../program/model-text.ts';
import { ask, type Reading } from './ask.ts';
import { limitsOf, type ModelSettings, once } from './generate.ts';
import type { Format, Model } from './model.ts';
import { layOut } from './prompt.ts';
import { conditionSpec } from './specs.ts';

const format: Format = {
  kind: 'json',
  schema: {
    type: 'object',
    properties: { result: { type: 'boolean' }, explanation: { type: 'string' } },
    required: ['result', 'explanation'],
    additionalProperties: false,
  },
};

const instruction =
  'Decide by what is given above only. Answer with one JSON object and nothing else: ' +
  '{"result": true or false, "explanation": "the reason, in one or two sentences"}';

export function conditionHandler(model: Model, settings: ModelSettings = {}): Handler {
  return {
    spec: conditionSpec,
    async perform({ prompt, context: data }, context) {
      const laid = layOut({ prompt, context: data, instruction, system: settings.system });
      const request = { ...limitsOf(settings), ...laid, format };
      const question = { request, instruction, code: 'PV4115', read };
      return await once(() => ask(model, question, context), context);
    },
  };
}

function read(text: string): Reading<Required<Verdict>> {
  const verdict = readVerdict(text);
  if (verdict !== undefined) {
    return { ok: true, value: { explanation: '', ...verdict }, mended: [] };
  }
  return { ok: false, problem: 'it does not say whether the result is true or false' };
}
