/**
 * How long the prompts that plan are, in kB: each dialect with the built-in tools, and the parts of
 * the one for Starlark. `test/planner/prompt-sizes.test.ts` holds the bar.
 */
import { dialects } from '../src/dialects/index.ts';
import { builtInSpecs } from '../src/effects/built-in-specs.ts';
import { opening } from '../src/planner/prompt.ts';
import { plannersOf, toldTools } from '../src/planner/told.ts';
import { report } from './report.ts';

/** With no knowledge base, as most runs are. */
const tools = new Map(
  builtInSpecs.map((spec) => [
    spec.name,
    spec.kind === 'retrieve' ? ({ ...spec, untold: 'all' } as const) : spec,
  ]),
);
const goal = { text: 'How many people live in Oslo and Rome?' };
const kB = (text: string): number => text.length / 1000;

const prompts = dialects
  .filter((dialect) => dialect.interpretedBy === undefined)
  .map((dialect) => {
    const shown = toldTools(tools, plannersOf(dialect.name), goal.text);
    const environment = { tools, inputs: [] };
    const messages = opening({
      ...{ goal, dialect, environment, at: 0, takesWords: true },
      tools: { shown, others: '' },
    });
    return { name: dialect.name, text: messages.map(({ content }) => content).join('\n\n') };
  });

const parts = (prompts.find(({ name }) => name === 'starlark')?.text ?? '')
  .split(/^(?=## )/m)
  .map((text) => ({ name: text.split('\n', 1)[0]?.replace(/^#+ /, '') ?? '', text }));

report([
  ...prompts.map(({ name, text }) => ({
    ...{ name, value: kB(text), unit: 'kB' },
    ...(name === 'starlark' && { bar: 8 }),
  })),
  ...parts.map(({ name, text }) => ({
    ...{ name: `starlark: ${name.slice(0, 40)}`, value: kB(text), unit: 'kB' },
  })),
]);
