/** Rain gauges of three sites, as a weather service would answer for them. */
const days: Readonly<Record<string, readonly number[]>> = {
  harbour: [3.5, 0, 12.25],
  hill: [7, 1.5, 16],
  airfield: [0.5, 0, 4],
};

export default [
  {
    name: 'sites',
    description: 'Lists the sites that have a rain gauge. Returns a list of names.',
    parameters: { type: 'object', properties: {} },
    effect: 'read',
    run: (): string[] => Object.keys(days),
  },
  {
    name: 'rain',
    description: 'Returns the rain of each day of last week at a site: a list of millimetres.',
    parameters: {
      type: 'object',
      properties: { site: { type: 'string', description: 'The name of the site.' } },
      required: ['site'],
    },
    effect: 'read',
    run({ site }: { site: string }): readonly number[] {
      const found = days[site];
      if (found === undefined) throw new Error(`there is no gauge at ${site}`);
      return found;
    },
  },
];
