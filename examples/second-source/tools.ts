/** A source that is down and one that is not. */
const key = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] };

export default [
  {
    name: 'archive',
    description: 'Looks a key up in the archive.',
    parameters: key,
    effect: 'read',
    idempotent: false,
    run(): string {
      throw new Error('the archive is closed on Saturdays');
    },
  },
  {
    name: 'library',
    description: 'Looks a key up in the library.',
    parameters: key,
    effect: 'read',
    run: ({ key }: { key: string }): string => `${key}: shelf 12`,
  },
];
