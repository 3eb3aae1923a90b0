/** A carrier that knows where parcels are, the numbers of customs offices, and a way to tell people. */
const parcels: Readonly<Record<string, { state: string; country: string }>> = {
  A1: { state: 'delivered', country: 'NO' },
  B2: { state: 'held', country: 'CH' },
  D4: { state: 'held', country: 'GB' },
};

const text = { type: 'string' };

export default [
  {
    name: 'track',
    description: 'Where a parcel is.',
    parameters: { type: 'object', properties: { parcel: text }, required: ['parcel'] },
    effect: 'read',
    idempotent: false,
    run({ parcel }: { parcel: string }): { state: string; country: string } {
      const found = parcels[parcel];
      if (!found) throw new Error(`nobody has scanned ${parcel} yet`);
      return found;
    },
  },
  {
    name: 'customs',
    description: 'The telephone number of the customs office of a country.',
    parameters: { type: 'object', properties: { country: text }, required: ['country'] },
    effect: 'read',
    run: ({ country }: { country: string }): string => (country === 'CH' ? '+41 58' : '+44 300'),
  },
  {
    name: 'notify',
    description: 'Tells the owner of a parcel.',
    parameters: {
      type: 'object',
      properties: { parcel: text, text },
      required: ['parcel', 'text'],
    },
    effect: 'write',
    run: ({ parcel }: { parcel: string }): string => `the owner of ${parcel} knows`,
  },
];
