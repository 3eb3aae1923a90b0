/** Declarations of the model's tools, apart from what performs them: `check` loads no more. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { fits } from '../digest/fit.ts';
import { arrayOf, optional, record, text } from '../tool/fields.ts';

export const generateSpec: ToolSpec = toolSpec({
  name: 'llm_generate',
  description:
    'Asks a language model. Returns its text; with response_format "json", {"keys": ["a", "b"]}, ' +
    'an example or a JSON Schema, JSON data of that form. The model sees the prompt and the ' +
    'context, and nothing else.',
  kind: 'model',
  effect: 'read',
  parameters: record({
    prompt: { minLength: 1 },
    context: optional({}),
    response_format: optional({}),
  }),
});

export const conditionSpec: ToolSpec = toolSpec({
  name: 'llm_condition',
  description:
    'Asks a language model whether a condition holds. Returns {"result": true or false, ' +
    '"explanation": text}. The model sees the prompt and the context, and nothing else.',
  kind: 'model',
  effect: 'read',
  // Nothing branches there.
  untold: 'tasks',
  parameters: record({
    prompt: { minLength: 1, description: 'The condition, in words.' },
    context: optional({}),
  }),
});

export const callSpec: ToolSpec = toolSpec({
  name: 'llm_call',
  description:
    'Asks a language model to do something with values: texts, or anything else as JSON. Each is ' +
    'a message of its own, then comes the instruction. Returns the text of the model, which sees ' +
    'the values and the instruction and nothing else. Values may be longer than its window.',
  kind: 'model',
  effect: 'read',
  parameters: record({
    values: { description: 'What to work on: a list of values, or a single one.' },
    instruction: text('What the model shall do.', { minLength: 1 }),
    sources: optional(
      arrayOf(
        text(),
        'Where each of the values came from. Programs in Starlark say it themselves.',
      ),
    ),
    fit: optional(
      text(
        'For values that do not fit the window of the model: "map" reads all of them in parts, ' +
          '"top" the passages that matter most, "auto" (default) finds out which of both is ' +
          'needed, "fail" refuses them.',
        { enum: fits },
      ),
    ),
  }),
});

export const modelSpecs: readonly ToolSpec[] = [generateSpec, conditionSpec, callSpec];
