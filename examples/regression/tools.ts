/** Lengths of rivers. */
const lengths: Record<string, number> = { Tagus: 1007, Danube: 2850 };

export default [
  {
    name: 'length_of',
    description: 'The length of a river in kilometres.',
    parameters: { type: 'object', properties: { river: { type: 'string' } }, required: ['river'] },
    effect: 'read',
    run: ({ river }: { river: string }): number => lengths[river] ?? 0,
  },
];
