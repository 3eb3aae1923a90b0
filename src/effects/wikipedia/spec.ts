/** The declaration of `Search`, apart from what performs it: `check` loads no more. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { integer, optional, record, text } from '../tool/fields.ts';

export const searchSpec: ToolSpec = toolSpec({
  name: 'Search',
  description:
    'Looks an article of Wikipedia up by its title and returns its first sentences. Where there ' +
    'is none, it fails and names similar titles.',
  kind: 'retrieve',
  effect: 'read',
  parameters: record({
    query: text('A title, such as a person, a place or a work: "Mount Everest".', { minLength: 1 }),
  }),
  returns: record({
    text: text('The first sentences.'),
    title: text(),
    url: text(),
    revision: optional(integer()),
    redirectedFrom: optional(text()),
  }),
  limits: { timeoutMs: 20_000, concurrency: 8 },
});
