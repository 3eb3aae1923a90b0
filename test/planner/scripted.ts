/** What tests of the planner have in common: tools without bodies, models that read from a list. */
import type { Model, ModelRequest } from '../../src/effects/model/model.ts';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import { scriptedModel } from '../support/scripted-model.ts';

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
  return scriptedModel((_, asked) => {
    const text = replies[asked - 1];
    if (text === undefined) throw new Error('the script is over');
    return text;
  });
}
