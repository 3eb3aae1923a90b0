/** Depths of harbours, as a service would give them. */
const depths: Readonly<Record<string, number>> = { Brest: 17, Dover: 8.5, Cuxhaven: 15.8 };

export default [
  {
    name: 'harbours',
    description: 'Names of the harbours that there are.',
    effect: 'read',
    parameters: { type: 'object', properties: {} },
    run: () => Object.keys(depths),
  },
  {
    name: 'depth',
    description: 'Depth of a harbour, in metres.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: { harbour: { type: 'string' } },
      required: ['harbour'],
    },
    run({ harbour }: { harbour: string }) {
      const found = depths[harbour];
      if (found === undefined) throw new Error(`there is no harbour ${harbour}`);
      return found;
    },
  },
];
