/** `calculate`: arithmetic as a tool, for plans whose own form has none. */
import { type AttemptContext, type Handler, refusal } from '../../engine/handler.ts';
import { numberInSentence } from '../../program/arithmetic/number-text.ts';
import { valueOfNumber } from '../../program/arithmetic/numbers.ts';
import { evaluate } from '../../program/arithmetic.ts';
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { toJson } from '../../program/json.ts';
import { arithmeticText } from '../../program/json-schema.ts';
import type { Value } from '../../program/value.ts';
import { record } from '../tool/fields.ts';

export const calculateSpec: ToolSpec = toolSpec({
  name: 'calculate',
  description:
    'Computes an arithmetic expression exactly: + - * / // % **, parentheses, ' +
    'abs min max sum round sqrt floor ceil. Returns a number.',
  parameters: record({
    expression: {
      type: ['string', 'number'],
      contentMediaType: arithmeticText,
      description: 'Numbers and operators only, such as "(3 + 4) * 2.5".',
    },
  }),
  effect: 'pure',
  untold: 'starlark',
});

export const calculateHandler: Handler = {
  spec: calculateSpec,
  async perform({ expression }, context) {
    const text = String(expression);
    const notes: string[] = [];
    const result = evaluate(text, [], notes);
    if ('value' in result) return computed(result.value, notes, context);
    const { message, column, syntax } = result.error;
    const read = syntax ? numberInSentence(text) : undefined;
    if (read && 'value' in read) {
      return computed(
        valueOfNumber(read.value),
        read.note === undefined ? [] : [read.note],
        context,
      );
    }
    throw refusal(
      'PV4205',
      `cannot compute ${shown(text)}, column ${column}: ${read?.doubt ?? message}`,
      { hint: 'write one expression of numbers and operators, and put values in with references' },
    );
  },
};

function computed(value: Value, notes: readonly string[], context: AttemptContext): unknown {
  for (const note of notes) context.warn(note);
  return toJson(value);
}

const shown = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
