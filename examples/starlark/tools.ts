/** Populations of cities, as a register would give them. */
const inhabitants: Readonly<Record<string, number>> = {
  Bern: 134_794,
  Oslo: 709_037,
  Rome: 2_749_031,
};

export default [
  {
    name: 'population',
    description: 'How many people live in a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
    effect: 'read',
    run({ city }: { city: string }): number {
      const found = inhabitants[city];
      if (found === undefined) throw new Error(`there is no register of ${city}`);
      return found;
    },
  },
];
