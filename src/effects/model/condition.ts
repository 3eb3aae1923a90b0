/** `llm_condition`: yes or no, with the reason. */
import type { Handler } from '../../engine/handler.ts';
import { stringify, toJson } from '../../program/json.ts';
import { memberLike } from '../../text/json-node.ts';
import { valueOfNode } from '../../text/json-text.ts';
import { readObject, readVerdict, type Verdict } from '../../text/model-text.ts';
import type { LongValues } from '../digest/digester.ts';
import { ask, once, type Reading } from './ask.ts';
import { fittedPrompts } from './fitted-prompt.ts';
import type { Format, Model } from './model.ts';
import { limitsOf, type ModelSettings } from './model-settings.ts';
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

export const instruction: string =
  'Decide by what is given above only. Answer with one JSON object and nothing else: ' +
  '{"result": true or false, "explanation": "the reason, in one or two sentences"}';

export function conditionHandler(
  model: Model,
  settings: ModelSettings = {},
  long: LongValues = {},
): Handler {
  const prompts = fittedPrompts(model, settings, long);
  return {
    spec: conditionSpec,
    model: () => model,
    async perform({ prompt, context: data }, context) {
      const laid = await prompts.fit({ prompt, context: data, instruction }, context);
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
  return { ok: false, problem: problemIn(text) };
}

function problemIn(text: string): string {
  const { node, error } = readObject(text, ['result']);
  if (!node)
    return `${error?.message ?? 'got no JSON object'}, with a result that is true or false`;
  const found = memberLike(node, 'result');
  if (found) return `result: got ${clip(toJson(valueOfNode(found)))}, want true or false`;
  const keys = node.members.map(({ key }) => JSON.stringify(key)).join(', ') || 'no keys';
  return `got an object with ${keys}, want the key "result"`;
}

const clip = (data: unknown): string => {
  const text = stringify(data);
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
};

const shownMax = 80;
