/** The effects that control loops have, as a program that replaces one of them sees them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../program/effect.ts';

/** An effect that changes nothing; of its parameters all are required unless some are named. */
export function loopEffect(
  name: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): ToolSpec {
  const parameters = { type: 'object', properties, required };
  return toolSpec({ name, description, effect: 'pure', parameters });
}

/** The same of one that asks a model. */
export const modelEffect = (...of: Parameters<typeof loopEffect>): ToolSpec => ({
  ...loopEffect(...of),
  kind: 'model',
  effect: 'read',
});

const text = (description: string): JsonSchema => ({ type: 'string', description });

export const promptSpec: ToolSpec = loopEffect(
  'prompt',
  'Makes the conversation that asks a model for a program: a list of {"role", "content"}. It ' +
    'describes the notation and the tools, with examples.',
  {
    goal: {
      type: 'object',
      description: 'The input variable goal: {"text", "language"?, "format"?}.',
    },
  },
);

export const modelSpec: ToolSpec = modelEffect(
  'model',
  'Continues a conversation. Returns the text that the model replies.',
  {
    messages: {
      type: 'array',
      items: { type: 'object' },
      description: 'A list of {"role": "system", "user" or "assistant", "content": text}.',
    },
    about: text('What it is about in short, for transcripts that are written by hand.'),
    schema: {
      type: 'object',
      description: 'A JSON Schema of the reply, for models that can be held to one.',
    },
  },
  ['messages'],
);

export const checkSpec: ToolSpec = loopEffect(
  'check',
  'Finds the program in a reply and checks it. Returns {"ok", "program", "errors", "final", ' +
    '"said", "report"}: whether it is valid, the program or None, how many errors it has, if ' +
    'the model says that there is none, the reply cut where it is long, what is wrong as text.',
  {
    reply: text('What the model wrote.'),
    told: { type: 'boolean', description: 'Whether it was told of a reply without a program.' },
  },
  ['reply'],
);

const task = {
  type: 'object',
  description: 'The input variable task, as it is.',
};

export const briefSpec: ToolSpec = loopEffect(
  'brief',
  'Makes the conversation that asks a model to change a program, a list of dicts with role and ' +
    'content. It has the notation, the tools, the program step by step, and what is wanted.',
  { task },
);

export const fitSpec: ToolSpec = loopEffect(
  'fit',
  'Puts what a reply holds in the place of what it rewrites, and checks the whole program. ' +
    'Returns {"ok", "wrote", "program", "scope", "errors", "final", "said", "report", "looked", ' +
    '"tools"}: ' +
    'whether the whole is valid and new, whether there is anything that may be a program, the ' +
    'whole or None, what was rewritten (step, rest or plan), how many errors it has, whether the ' +
    'model says that there is no program, the reply cut where it is long, what is wrong as text, ' +
    'and the values, or the tools, that the reply asks to see, empty texts where it asks for none.',
  {
    task,
    reply: text('What the model wrote.'),
    looks: {
      type: 'integer',
      minimum: 0,
      description: 'How often it may still ask to see values.',
    },
  },
  ['task', 'reply'],
);

export const hearingSpec: ToolSpec = loopEffect(
  'hearing',
  'Makes the conversation that asks a model whether an answer will do. Returns {"messages", ' +
    '"schema"}: a list of dicts with role and content, and the form of a verdict.',
  { case: { type: 'object', description: 'The input variable case, as it is.' } },
);

export const verdictSpec: ToolSpec = loopEffect(
  'verdict',
  'Reads the verdict in a reply. Returns {"ok", "accept", "outcome", "reason", "suggestion", ' +
    '"rewritten", "report"}: whether there is one, the verdict, what is wrong with the reply.',
  { reply: text('What the model wrote.') },
);

export const dialogueSpec: ToolSpec = loopEffect(
  'dialogue',
  'Makes the conversation that asks a model for the next statements of a program, a list of ' +
    'dicts with role and content. It has the notation, the tools, and what each turn gave.',
  { task },
);

export const growSpec: ToolSpec = loopEffect(
  'grow',
  'Puts what a reply holds behind the program so far, and checks the whole. Returns {"ok", ' +
    '"wrote", "program", "block", "kind", "report"}: whether the whole is valid and the ' +
    'statements are new, whether there is anything in the reply, the whole, the statements ' +
    'alone, whether they are statements or words, what is wrong as text.',
  { task, reply: text('What the model wrote.') },
);
