/** The declaration of `ask`, apart from what checks answers: `check` loads no more. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';

export const askSpec: ToolSpec = toolSpec({
  name: 'ask',
  description:
    'Asks a person and returns the answer: a text, one of the choices, or data as the schema ' +
    'says. Ask only for what no tool can find out.',
  kind: 'person',
  effect: 'read',
  ordered: true,
  parameters: {
    type: 'object',
    properties: {
      question: { type: 'string', minLength: 1 },
      to: {
        type: 'string',
        minLength: 1,
        description: 'Who is asked, where that is not the user.',
      },
      choices: { type: 'array' },
      schema: { type: 'object' },
      default: { description: 'The answer after timeout seconds.' },
      timeout: {
        type: 'number',
        minimum: 0,
      },
    },
    required: ['question'],
  },
});
