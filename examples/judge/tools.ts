/** How long rivers are. */
const kilometres: Readonly<Record<string, number>> = { Loire: 1006, Rhône: 813 };

export default [
  {
    name: 'length',
    description: 'The length of a river in kilometres.',
    parameters: {
      type: 'object',
      properties: { river: { type: 'string' } },
      required: ['river'],
    },
    effect: 'read',
    run: ({ river }: { river: string }): number => kilometres[river] ?? 0,
  },
];
