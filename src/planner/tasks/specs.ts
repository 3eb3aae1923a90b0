/** The effects of the loops over tasks, as a program that replaces one of them sees them. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { loopEffect, modelEffect } from '../specs.ts';

const goal = {
  description:
    'The question: a text, or the input variable goal, {"text", "language"?, "format"?, "given"?}.',
};

const tasks = {
  type: 'array',
  items: { type: 'object' },
  description:
    'What was called: dicts of id, thought, action (its text), and observation or error; or ' +
    'result, the struct that task() gives.',
};

export const joinSpec: ToolSpec = modelEffect(
  'join',
  'Lets a model look at what tasks came to. Returns {"action": "finish", "answer", ' +
    '"thought"} or {"action": "replan", "reason", "thought"}.',
  {
    question: goal,
    tasks,
    final: {
      type: 'boolean',
      description: 'Whether no other plan can follow: the model is then offered none.',
    },
  },
  ['question', 'tasks'],
);

/** Of a task of a plan for which another plan is made; the loop carries it out, and no tool. */
export const subPlanSpec: ToolSpec = toolSpec({
  name: 'plan',
  description: 'Makes a plan for a goal of its own, carries it out, and gives its answer.',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: { goal: { type: 'string', description: 'The goal, with all that it needs.' } },
    required: ['goal'],
  },
});

export const planTasksSpec: ToolSpec = modelEffect(
  'plan_tasks',
  'Lets a model write a plan of tasks; to be read with stream(). Parts are {"kind": "task", ' +
    '"id", "number", "thought", "action", "tool", "args", "needs", "writes", "isPlan", ' +
    '"problem"}, each as soon as its text is there, and at last {"kind": "end", "ok", "sound", ' +
    '"problem", "said", "answer"}.',
  {
    goal,
    done: { ...tasks, description: `Of earlier plans: ${tasks.description}` },
    reason: { type: 'string', description: 'Why another plan is needed.' },
    refused: {
      type: ['object', 'null'],
      description: 'What the model wrote and why it was no plan: {"reply", "problem"}.',
    },
    deeper: { type: 'integer', description: 'How many plans may stand within each other in it.' },
    writes: { type: 'boolean', description: 'Whether its tasks may write.' },
  },
  ['goal'],
);

export const giveSpec: ToolSpec = loopEffect(
  'give',
  'Gives its value back: with task(), a value that is made of results.',
  { value: {} },
);

export const giveUpSpec: ToolSpec = loopEffect('give_up', 'Ends the run as failed, and says why.', {
  over: {
    type: 'string',
    enum: ['plan', 'replan', 'task', 'repeats', 'rounds'],
    description:
      'What it fails over: no plan came about, another is needed and none may follow, a task ' +
      'failed, the model repeats itself, it has no replies left.',
  },
  why: { type: 'string' },
});

export const nextActionSpec: ToolSpec = modelEffect(
  'next_action',
  'Lets a model say what to call next, or answer. Returns {"thought", "calls", "answer"}: ' +
    'calls are {"action", "tool", "args", "needs", "key", "reads", "native", "problem", ' +
    '"shown"}, ' +
    'with equal keys for equal calls; answer is None where there are any, else {"value"}.',
  {
    goal,
    done: {
      type: 'array',
      items: { type: 'object' },
      description:
        'What was done: dicts of thought and calls; a call has action, native and result, the ' +
        'struct that task() gives.',
    },
    left: { type: 'integer', description: 'How many replies the model has behind this one.' },
  },
);
