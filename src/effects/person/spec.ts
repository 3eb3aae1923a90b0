/** The declaration of `ask`, apart from what checks answers: `check` loads no more. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';

export const askSpec: ToolSpec = toolSpec({
  name: 'ask',
  description:
    'Asks a person and returns the answer: a text, one of the choices, or data as the schema ' +
    'says. The run waits for it, days if need be. Ask only for what no tool can find out.',
  kind: 'person',
  effect: 'read',
  ordered: true,
  parameters: {
    type: 'object',
    properties: {
      question: { type: 'string', minLength: 1, description: 'What to ask, in a sentence.' },
      to: {
        type: 'string',
        minLength: 1,
        description: 'Who is asked, by name. Default: whoever the program talks with.',
      },
      choices: { type: 'array', description: 'The possible answers, where there are but a few.' },
      schema: { type: 'object', description: 'JSON Schema of the answer. Default: any text.' },
      default: { description: 'The answer where nobody gives one within timeout.' },
      timeout: {
        type: 'number',
        minimum: 0,
        description: 'Seconds; without it, it waits for ever.',
      },
    },
    required: ['question'],
  },
});
