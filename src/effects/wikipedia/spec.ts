/** The declaration of `Search`, apart from what performs it: `check` loads no more. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';

export const searchSpec: ToolSpec = toolSpec({
  name: 'Search',
  description:
    'Looks an article of Wikipedia up by its title and returns its first sentences. Where there ' +
    'is none, it fails and names similar titles.',
  kind: 'retrieve',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        description: 'A title, such as a person, a place or a work: "Mount Everest".',
      },
    },
    required: ['query'],
  },
  returns: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The first sentences.' },
      title: { type: 'string' },
      url: { type: 'string' },
      revision: { type: 'integer' },
      redirectedFrom: { type: 'string' },
    },
    required: ['text', 'title', 'url'],
  },
  limits: { timeoutMs: 20_000, concurrency: 8 },
});
