/** The prompts that write and repair programs, as a model reads them, and how long they may be. */
import { expect, test } from 'vitest';
import { builtInSpecs } from '../../src/effects/built-in-specs.ts';
import { dialectNamed } from '../../src/planner/planner.ts';
import { opening } from '../../src/planner/prompt.ts';
import type { Revision } from '../../src/planner/revision.ts';
import { revisionPrompt, revisionTools } from '../../src/planner/revision-prompt.ts';
import { toldTools } from '../../src/planner/told.ts';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';

const reading = (name: string, description: string, parameter: string, about: string): ToolSpec =>
  toolSpec({
    ...{ name, description, effect: 'read' },
    parameters: {
      type: 'object',
      properties: { [parameter]: { type: 'string', description: about } },
      required: [parameter],
    },
  });

const ownTools = [
  reading('find_city', 'Finds a city by its name.', 'name', 'The name of the city.'),
  reading('population', 'How many people live in a city.', 'id', 'As find_city gives it.'),
  reading('temperature', 'The temperature of a city in Celsius.', 'city', 'The name of the city.'),
  reading('rate', 'How many euros a currency is worth.', 'currency', 'Its ISO code.'),
];

/** With no knowledge base, as most runs are. */
const tools = new Map(
  [...builtInSpecs, ...ownTools].map((spec) => [
    spec.name,
    spec.kind === 'retrieve' ? ({ ...spec, untold: 'all' } as const) : spec,
  ]),
);
const environment = { tools, inputs: [] };
const starlark = dialectNamed('starlark');
const goal = { text: 'How many people live in Oslo and Rome?' };

const textOf = (messages: readonly { readonly content: string }[]): string =>
  messages.map(({ content }) => content).join('\n\n');

test('the prompt for a program in Starlark has at most 8 kB for four tools', async () => {
  const told = { shown: toldTools(tools, 'starlark'), others: '' };
  const text = textOf(
    opening({ goal, dialect: starlark, environment, tools: told, at: 0, takesWords: true }),
  );
  await expect(text).toMatchFileSnapshot('../golden/prompts/plan-starlark.md');
  expect(text.length).toBeLessThanOrEqual(8192);
  // Without a knowledge base nothing is said of one, and internal tools are nobody's business.
  expect(text).not.toMatch(/vector_search|retrieve_|bind_arguments|calculate/);
});

test('the prompt for a repair has at most 3 kB beside program and data', async () => {
  const program =
    'city = find_city(name = "Oslo")\npeople = population(id = city["key"])\nanswer(people)\n';
  const value = JSON.stringify({ id: '17', notes: 'Capital of Norway. '.repeat(10) });
  const revision: Revision = {
    ...{ goal, dialect: 'starlark', program, at: '2', scopes: ['step', 'rest', 'plan'] },
    states: { 1: 'done', 2: 'failed' },
    variables: [{ name: 'city', type: 'dict', text: value }],
    error: 'plan:2:30: error PV3008: there is no key "key"',
    calls: [{ step: '1', tool: 'find_city', request: '{"name":"Oslo"}', outcome: `gave ${value}` }],
    ...{ writes: [], refused: [program], about: 'there is no key' },
  };
  const options = { tokensMax: 3000, signal: new AbortController().signal };
  const shown = await revisionTools(revision, starlark, environment, options);
  const text = textOf(revisionPrompt(revision, starlark, shown, 0));
  await expect(text).toMatchFileSnapshot('../golden/prompts/revise-starlark.md');
  expect(text.length - program.length - value.length).toBeLessThanOrEqual(3072);
  expect(text.split(value)).toHaveLength(2);
});
