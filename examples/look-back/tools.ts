/** A price list. */
const prices: Readonly<Record<string, number>> = { rope: 15, anchor: 120, lamp: 40 };

export default [
  {
    name: 'price_of',
    description: 'The price of an item.',
    parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
    effect: 'read',
    run: ({ item }: { item: string }): number => prices[item] ?? 0,
  },
];
