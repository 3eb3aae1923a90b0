/** Two readings and a write. The readings run at the same time; the write waits for both. */
import { appendFileSync } from 'node:fs';

const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};

const temperatures: Readonly<Record<string, number>> = { Oslo: 4, Rome: 19 };

export default [
  {
    name: 'temperature',
    description: 'The temperature of a city in degrees Celsius.',
    parameters: city,
    effect: 'read',
    run({ city }: { city: string }): number {
      const found = temperatures[city];
      if (found === undefined) throw new Error(`there is no station in ${city}`);
      return found;
    },
  },
  {
    name: 'log',
    description: 'Writes a line to the log book.',
    parameters: { type: 'object', properties: { line: { type: 'string' } }, required: ['line'] },
    effect: 'write',
    run({ line }: { line: string }): string {
      appendFileSync('log.txt', `${line}\n`);
      return 'written';
    },
  },
];
