/** A tool that gives too much away, one that makes a code, and one that takes it. */
export default [
  {
    name: 'connection',
    description: 'Says how the shop is reached.',
    effect: 'read',
    run: (): string => 'connected with ghp_0123456789',
  },
  {
    name: 'door_code',
    description: 'The code of the day.',
    effect: 'read',
    run: (): string => '7714-29',
  },
  {
    name: 'open_door',
    description: 'Opens the door.',
    parameters: {
      type: 'object',
      properties: { code: { type: 'string', 'x-secret': true } },
      required: ['code'],
    },
    effect: 'write',
    run: ({ code }: { code: string }): string => `opened with ${code}`,
  },
];
