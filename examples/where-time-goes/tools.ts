/** A warehouse that answers at once, one that takes its time, and a choice. */
import { setTimeout } from 'node:timers/promises';

const stocks: Readonly<Record<string, number>> = { Oslo: 42, Turku: 7 };

export default [
  {
    name: 'stock',
    description: 'How many of them a warehouse has.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
    effect: 'read',
    async run({ city }: { city: string }): Promise<number> {
      await setTimeout(city === 'Turku' ? 200 : 10);
      return stocks[city] ?? 0;
    },
  },
  {
    name: 'choose',
    description: 'The place with more in stock.',
    parameters: {
      type: 'object',
      properties: { oslo: { type: 'number' }, turku: { type: 'number' } },
      required: ['oslo', 'turku'],
    },
    effect: 'pure',
    run: ({ oslo, turku }: { oslo: number; turku: number }): string =>
      oslo >= turku ? 'Oslo' : 'Turku',
  },
];
