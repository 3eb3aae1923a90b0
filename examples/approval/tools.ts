/** Reports in a file: one tool looks, the other does what cannot be undone. */
import { readFileSync, writeFileSync } from 'node:fs';

const lines = (): string[] => readFileSync('reports.txt', 'utf8').trim().split('\n');

export default [
  {
    name: 'report_years',
    description: 'The years of which there are reports, as a list of texts.',
    effect: 'read',
    run: (): string[] => [...new Set(lines().map((line) => line.slice(0, 4)))],
  },
  {
    name: 'delete_reports',
    description: 'Deletes all reports of a year. Returns how many there were.',
    parameters: {
      type: 'object',
      properties: { year: { type: 'string' } },
      required: ['year'],
    },
    effect: 'write',
    destructive: true,
    run({ year }: { year: string }): number {
      const kept = lines().filter((line) => !line.startsWith(year));
      const deleted = lines().length - kept.length;
      writeFileSync('reports.txt', `${kept.join('\n')}\n`);
      return deleted;
    },
  },
];
