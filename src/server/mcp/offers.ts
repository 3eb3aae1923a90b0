/** What the server of planvm offers: the tools, with what goes in. */
import type { JsonSchema } from '../../program/effect.ts';

/** A tool as a client lists it. */
export interface Offer {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export type OwnTool = 'check' | 'run' | 'ask' | 'resume' | 'answer' | 'show' | 'runs';

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description });
const run = text('The beginning of a run id, or last.');
const dialect = text('What the program is written in; found out where absent.');
const program = text('The whole text of the program: a plan in JSON, Starlark, a list of tasks.');
const inputs: JsonSchema = { type: 'object', description: 'Input variables by name.' };

const reading = {
  ...{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
} as const;
/**
 * What cannot be undone waits for a person's approval, which no tool of this server gives; unless
 * the settings of the folder say that nothing is to be asked about.
 */
const acting = (asks: boolean): Offer['annotations'] => ({
  ...{ readOnlyHint: false, destructiveHint: !asks, idempotentHint: false, openWorldHint: true },
});

const schema = (
  properties: Readonly<Record<string, JsonSchema>>,
  ...required: string[]
): Offer['inputSchema'] => ({
  ...{ type: 'object', properties, required, additionalProperties: false },
});

/** `asks`: whether what cannot be undone is asked about. */
export function ownOffers(asks: boolean): readonly (Offer & { readonly name: OwnTool })[] {
  return [
    {
      name: 'check',
      title: 'Check a program',
      description:
        'Says everything that is wrong with a program, without running it or anything else: ' +
        '{ ok, dialect, diagnostics }.',
      inputSchema: schema(
        {
          program,
          dialect,
          inputs: { type: 'array', items: { type: 'string' }, description: 'Names of inputs.' },
        },
        'program',
      ),
      annotations: reading,
    },
    {
      name: 'run',
      title: 'Run a program',
      description:
        'Runs a program to its end, journaled, independent calls side by side. A result with ' +
        'the status waiting has questions in waits: answer gives the answers. One that is ' +
        'suspended or cancelled goes on with resume.',
      inputSchema: schema({ program, dialect, inputs }, 'program'),
      annotations: acting(asks),
    },
    {
      name: 'ask',
      title: 'Ask for something',
      description:
        'Lets the configured model write a program for a goal, and runs it; what fails is ' +
        'repaired. The result is that of run.',
      inputSchema: schema(
        {
          goal: text('What is wanted, in words.'),
          inputs,
          dialect: text('What the model is to write: stackvm-2, starlark, llmcompiler, react.'),
          language: text('The language of the answer.'),
          format: text('The form of the answer, in words.'),
        },
        'goal',
      ),
      annotations: acting(asks),
    },
    {
      name: 'resume',
      title: 'Go on with a run',
      description: 'Goes on with a run that was interrupted, has failed, or waits for a moment.',
      inputSchema: schema({ run }, 'run'),
      annotations: acting(asks),
    },
    {
      name: 'answer',
      title: 'Answer a question of a run',
      description:
        'Gives the answer to a question that a waiting run asks, and goes on with it. It gives ' +
        'no approvals: only a person gives these.',
      inputSchema: schema(
        {
          run,
          answer: { description: 'The answer: a text, or data where the question has a schema.' },
          effect: text('The effect that asks, from waits, where several are open.'),
        },
        'run',
        'answer',
      ),
      annotations: acting(asks),
    },
    {
      name: 'show',
      title: 'Show a run',
      description: 'What a run has done: steps, effects with their outcomes, and the result.',
      inputSchema: schema({ run }, 'run'),
      annotations: reading,
    },
    {
      name: 'runs',
      title: 'List runs',
      description: 'The runs of this folder, newest first.',
      inputSchema: schema({
        status: { type: 'string', enum: ['running', 'done', 'failed', 'waiting', 'suspended'] },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many; 20.' },
      }),
      annotations: reading,
    },
  ];
}

/** A saved plan as a tool of its own. */
export const planOffer = (
  plan: {
    readonly tool: string;
    readonly goal: string;
    readonly inputs: readonly string[];
    readonly run: string;
  },
  asks: boolean,
): Offer => ({
  name: plan.tool,
  title: plan.goal.slice(0, 120),
  description: `Runs the saved plan for: ${plan.goal}`,
  inputSchema: schema(
    Object.fromEntries(plan.inputs.map((name) => [name, { description: `The input ${name}.` }])),
    ...plan.inputs,
  ),
  annotations: acting(asks),
});
