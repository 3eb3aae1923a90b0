/** A hotel and a weather service; bookings are written down, so that a second one would show. */
import { appendFileSync } from 'node:fs';

const city = { type: 'string' };
const skies: Readonly<Record<string, string>> = { Lisbon: 'sunny', Porto: 'windy' };

export default [
  {
    name: 'price',
    description: 'What a room costs, in euros.',
    parameters: { type: 'object', properties: { city }, required: ['city'] },
    effect: 'read',
    run: (args: { city: string }): number => 15 * args.city.length,
  },
  {
    name: 'book',
    description: 'Books a room. Returns its number.',
    parameters: { type: 'object', properties: { city }, required: ['city'] },
    effect: 'write',
    run(args: { city: string }): number {
      appendFileSync('bookings.txt', `${args.city}\n`);
      return 100 + args.city.length;
    },
  },
  {
    name: 'weather',
    description: 'How the weather will be, in some days or today.',
    parameters: {
      type: 'object',
      properties: { city, days: { type: 'integer' } },
      required: ['city'],
    },
    effect: 'read',
    run: (args: { city: string; days?: number }): string =>
      args.days === undefined ? (skies[args.city] ?? 'fine') : `better in ${args.days} days`,
  },
];
