/** A harbour: a session has to be open before anything is asked, and the weather station is down. */
const port = { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] };
const seats: Readonly<Record<string, number>> = { Alma: 120, Brise: 80, Corail: 240 };

export default [
  {
    name: 'open_session',
    description: 'Opens a session with the harbour.',
    effect: 'read',
    run: (): string => 'open',
  },
  {
    name: 'timetable',
    description: 'The ferries of a port.',
    parameters: port,
    effect: 'read',
    after: ['open_session'],
    run: (): object => ({ ferries: ['Alma', 'Brise', 'Corail'] }),
  },
  {
    name: 'seats',
    description: 'How many seats a ferry has.',
    parameters: {
      type: 'object',
      properties: { ferry: { type: 'string' } },
      required: ['ferry'],
    },
    effect: 'read',
    after: ['open_session'],
    run: ({ ferry }: { ferry: string }): number => seats[ferry] ?? 0,
  },
  {
    name: 'total',
    description: 'Adds numbers up.',
    parameters: {
      type: 'object',
      properties: { numbers: { type: 'array', items: { type: 'number' } } },
      required: ['numbers'],
    },
    effect: 'pure',
    run: ({ numbers }: { numbers: number[] }): number => numbers.reduce((a, b) => a + b, 0),
  },
  {
    name: 'weather',
    description: 'The weather at a port.',
    parameters: port,
    effect: 'read',
    idempotent: false,
    run(): string {
      throw new Error('the station does not answer');
    },
  },
  {
    name: 'warning',
    description: 'A warning for passengers.',
    parameters: { type: 'object', properties: { weather: {} }, required: ['weather'] },
    effect: 'pure',
    run: ({ weather }: { weather: string }): string => `Mind the ${weather}.`,
  },
];
