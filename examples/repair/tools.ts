/** A library: a desk that reserves books, an archive that is closed, shelves that are not. */
import { appendFileSync } from 'node:fs';

const parameters = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
};

export default [
  {
    name: 'reserve',
    description: 'Reserves a book. Returns the number of the reservation.',
    parameters,
    effect: 'write',
    run({ title }: { title: string }): number {
      appendFileSync('desk.txt', `reserved: ${title}\n`);
      return 70;
    },
  },
  {
    name: 'archive',
    description: 'Says where in the archive a book is.',
    parameters,
    effect: 'read',
    idempotent: false,
    run(): string {
      throw new Error('the archive is closed on Saturdays; ask the shelves');
    },
  },
  {
    name: 'shelves',
    description: 'Says on which shelf a book is.',
    parameters,
    effect: 'read',
    run: ({ title }: { title: string }): string =>
      title === 'Tide tables' ? 'shelf 12' : 'nowhere',
  },
];
