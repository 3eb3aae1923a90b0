/** A lake by its full name alone: what a first plan does not know, a second one does. */
const depths: Record<string, number> = { 'Lake Baikal': 1642, 'Lake Tanganyika': 1470 };

export default [
  {
    name: 'depth',
    description: 'The greatest depth of a lake, in metres.',
    parameters: {
      type: 'object',
      properties: { lake: { type: 'string', description: 'Its name.' } },
      required: ['lake'],
    },
    returns: { type: 'integer' },
    effect: 'read',
    idempotent: false,
    run({ lake }: { lake: string }): number {
      const depth = depths[lake];
      if (depth !== undefined) return depth;
      throw new Error(`there is no ${lake}; the lakes are ${Object.keys(depths).join(', ')}`);
    },
  },
];
