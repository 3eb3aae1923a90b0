/** The declarations of `delegate` and of the effects of its control loop. */
import { type EffectClass, type ToolSpec, toolSpec } from '../program/effect.ts';

const text = (description: string) => ({ type: 'string', description, minLength: 1 }) as const;

const budget = {
  type: 'object',
  description: 'What it may use at most, of what the run has left.',
  properties: {
    tokens: { type: 'integer', minimum: 1, description: 'Of all its model calls.' },
    cost: { type: 'number', exclusiveMinimum: 0, description: 'USD.' },
    effects: { type: 'integer', minimum: 1, description: 'Calls that its program may make.' },
    seconds: { type: 'number', exclusiveMinimum: 0, description: 'Time, while it runs.' },
  },
  additionalProperties: false,
} as const;

export const delegateName = 'delegate';

/** In a run of which any other tool writes. */
export const delegateSpec: ToolSpec = toolSpec({
  name: delegateName,
  description:
    'Hands a task to a sub-agent: a model writes a program for it, with the tools of this run ' +
    'or only those named in helpers, and its answer is the result. For a part whose steps ' +
    'depend on what is found; what can be written as calls here needs none.',
  kind: 'model',
  effect: 'write',
  // There a goal within a goal is a plan.
  untold: 'tasks',
  // What its runs have done is in their journals, and not done again.
  idempotent: true,
  parameters: {
    type: 'object',
    properties: {
      task: text('What is to be done, with all that has to be known for it.'),
      helpers: {
        type: 'array',
        items: text('The name of a tool.'),
        description: 'The tools that it may call; all of the run where it is left out.',
      },
      budget,
    },
    required: ['task'],
  },
});

/** What is delegated does what these tools do, and no more. */
export const classAmong = (tools: Iterable<ToolSpec>): EffectClass => {
  for (const { name, effect } of tools) {
    if (effect === 'write' && name !== delegateName) return 'write';
  }
  return 'read';
};

export const delegatePlanSpec: ToolSpec = toolSpec({
  name: 'delegate_plan',
  description: 'Lets a model write a program for a task. Returns its text, which passes the check.',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: { task: text('What is to be done.'), rounds: { type: 'integer', minimum: 1 } },
    required: ['task', 'rounds'],
  },
});

export const delegateRunSpec = (tools: Iterable<ToolSpec>): ToolSpec =>
  toolSpec({
    name: 'delegate_run',
    description: 'Runs a program with the tools that were handed on. Returns its answer.',
    effect: classAmong(tools),
    idempotent: true,
    parameters: {
      type: 'object',
      properties: { program: text('Its text.') },
      required: ['program'],
    },
  });
