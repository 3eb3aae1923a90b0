/** A reading, and a computation whose first attempt takes the whole process with it. */
import { appendFileSync, existsSync } from 'node:fs';

export default [
  {
    name: 'measure',
    description: 'Measures something at sea.',
    parameters: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    effect: 'read',
    run({ what }: { what: string }): number {
      appendFileSync('log.txt', `measured ${what}\n`);
      return 12;
    },
  },
  {
    name: 'model_tide',
    description: 'Computes the tide at a depth.',
    parameters: { type: 'object', properties: { depth: { type: 'number' } }, required: ['depth'] },
    effect: 'read',
    run({ depth }: { depth: number }): string {
      const again = existsSync('started.txt');
      appendFileSync('started.txt', 'started\n');
      if (!again) process.kill(process.pid, 'SIGKILL');
      return depth > 10 ? 'high' : 'low';
    },
  },
];
