/** The effects of the loops over tasks, as a program that replaces one of them sees them. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';

const goal = {
  description:
    'The question: a text, or the input variable goal, {"text", "language"?, "format"?}.',
};

const tasks = {
  type: 'array',
  items: { type: 'object' },
  description:
    'What was called: dicts of id, thought, action (its text), and observation or error; or ' +
    'result, the struct that task() gives.',
};

export const joinSpec: ToolSpec = toolSpec({
  name: 'join',
  description:
    'Lets a model look at what tasks came to. Returns {"action": "finish", "answer", ' +
    '"thought"} or {"action": "replan", "reason", "thought"}.',
  kind: 'model',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      question: goal,
      tasks,
      final: {
        type: 'boolean',
        description: 'Whether no other plan can follow: the model is then offered none.',
      },
    },
    required: ['question', 'tasks'],
  },
});
