/** Two cities, and a calculator that rounds. */
const cities: Readonly<Record<string, { people: number; km2: number }>> = {
  Lyon: { people: 522_250, km2: 47.87 },
  Nice: { people: 353_701, km2: 71.92 },
};

export default [
  {
    name: 'City',
    description: 'How many people live in a city, and on how many square kilometres.',
    parameters: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    },
    effect: 'read',
    run({ name }: { name: string }): object {
      const found = cities[name];
      if (!found) throw new Error(`there is no city ${name} in this example`);
      return found;
    },
  },
  {
    name: 'Round',
    description: 'A number without its fraction.',
    parameters: {
      type: 'object',
      properties: { value: { type: 'number' } },
      required: ['value'],
    },
    effect: 'pure',
    run: ({ value }: { value: number }): number => Math.round(value),
  },
];
