/** What tests of the planner have in common: tools without bodies, models that read from a list. */
import type { Model, ModelRequest } from '../../src/effects/model/model.ts';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';

/** A tool that reads; its first parameter is required. */
export const named = (name: string, ...parameters: string[]): readonly [string, ToolSpec] => [
  name,
  toolSpec({
    name,
    description: `Does ${name}.`,
    effect: 'read',
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((parameter) => [parameter, {}])),
      required: parameters.slice(0, 1),
    },
  }),
];

/** A model that gives these replies in turn and keeps what it was asked. */
export function scripted(...replies: string[]): { model: Model; requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const model: Model = {
    name: 'scripted',
    async complete(request) {
      requests.push({ ...request, messages: [...request.messages] });
      const text = replies[requests.length - 1];
      if (text === undefined) throw new Error('the script is over');
      const usage = { modelCalls: 1, inputTokens: 0, outputTokens: 0 };
      return { text, finishReason: 'stop', usage };
    },
  };
  return { model, requests };
}
