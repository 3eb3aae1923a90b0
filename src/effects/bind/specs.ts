/** The declarations of the tools that make typed values of free ones. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { bindingTool } from '../../program/tool-names.ts';
import { arrayOf, flag, optional, record, text } from '../tool/fields.ts';

/** What happens where an argument cannot be found. */
export const ways = ['ask', 'unresolved', 'fail'] as const;

export type Unbound = (typeof ways)[number];

export const bindSpec: ToolSpec = toolSpec({
  name: bindingTool,
  description:
    'Finds the arguments of a call in a value, by a model: in the value itself, then in where it ' +
    'came from, the goal, the program and its variables. Gives {args}, or {unresolved} ' +
    'with the question. Programs in Starlark call llm_bind, which also makes the call.',
  kind: 'model',
  effect: 'read',
  untold: 'all',
  parameters: record({
    expr: { description: 'The value in which the arguments are.' },
    helper: text('The tool that is to be called.'),
    parameters: { type: 'object', description: 'JSON Schema of its parameters.' },
    wanted: arrayOf(text(), 'Those that have to be found.'),
    about: optional(text('What the tool does.')),
    unbound: optional({
      ...{ type: 'string', enum: ways },
      description:
        'What happens where one cannot be found: a person is asked, the result is unresolved, ' +
        'or it fails. Default: what the run is set to, else a person is asked.',
    }),
    source: optional(text('Where the value came from: the text of the program.')),
    whole: optional(flag('Whether a list is one value, taken as it is.')),
    barrier: optional({
      type: 'object',
      description: 'What it has come to before, where it is called again to look further.',
    }),
  }),
});

export const types = ['string', 'int', 'float', 'bool', 'date'] as const;

export const listBindSpec: ToolSpec = toolSpec({
  name: 'llm_list_bind',
  aliases: ['llm_loop_bind'],
  description:
    'Finds a list in a value, by a model: llm_list_bind(page, "the names of all people").',
  kind: 'model',
  effect: 'read',
  parameters: record({
    expr: {},
    instruction: { type: 'string', minLength: 1 },
    count: optional({ type: ['integer', 'null'], minimum: 1, description: 'At most.' }),
    type: optional({ type: 'string', enum: types, default: 'string' }),
  }),
});

export const coerceSpec: ToolSpec = toolSpec({
  name: 'coerce',
  description: 'Makes a value of a type, by a model where needed: coerce("305 billion", "int").',
  kind: 'model',
  effect: 'read',
  parameters: record({
    expr: {},
    type: text('string, int, float, bool, date, or list[…] of these.'),
  }),
});

export const bindSpecs: readonly ToolSpec[] = [bindSpec, listBindSpec, coerceSpec];
