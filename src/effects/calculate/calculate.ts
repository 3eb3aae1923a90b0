/** `calculate`: arithmetic as a tool, for plans whose own form has none. */
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { evaluate } from '../../program/arithmetic.ts';
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { toJson } from '../../program/json.ts';
import { arithmeticText } from '../../program/json-schema.ts';

export const calculateSpec: ToolSpec = toolSpec({
  name: 'calculate',
  description:
    'Computes an arithmetic expression exactly: + - * / // % **, parentheses, ' +
    'abs min max sum round sqrt floor ceil. Returns a number.',
  parameters: {
    type: 'object',
    properties: {
      expression: {
        type: ['string', 'number'],
        contentMediaType: arithmeticText,
        description: 'Numbers and operators only, such as "(3 + 4) * 2.5".',
      },
    },
    required: ['expression'],
  },
  effect: 'pure',
});

export const calculateHandler: Handler = {
  spec: calculateSpec,
  async perform({ expression }, { warn }) {
    const text = String(expression);
    const notes: string[] = [];
    const result = evaluate(text, [], notes);
    for (const note of notes) warn(note);
    if ('value' in result) return toJson(result.value);
    const { message, column } = result.error;
    throw new EffectFailure(
      'PV4205',
      `cannot compute ${shown(text)}, column ${column}: ${message}`,
      {
        answered: true,
        hint: 'write one expression of numbers and operators, and put values in with references',
      },
    );
  },
};

const shown = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
