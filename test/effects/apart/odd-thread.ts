/** A thread that does as badly as its input says. */
import { DatabaseSync } from 'node:sqlite';
import { threadId } from 'node:worker_threads';
import { serve } from '../../../src/effects/apart/serve.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';

const counted = ' SELECT count(*) FROM c';
const many = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 100000)';

const query = (sql: string): void => new DatabaseSync(':memory:').exec(sql);

/** Of an earlier piece of work. */
const kept: Uint8Array[] = [];

serve<string>(async (what) => {
  const held: unknown[] = [];
  switch (what) {
    case 'spin':
      for (;;) held[0] = what;
    case 'native spin':
      return query(`WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)${counted}`);
    case 'native memory':
      return query(`CREATE TABLE t AS ${many} SELECT zeroblob(100000) FROM c`);
    case 'fill the heap':
      for (;;) held.push(Array(1_000).fill(held.length));
    case 'fill buffers':
      for (;;) {
        held.push(new Uint8Array(2 ** 20).fill(1));
        // A moment for what looks at it from outside, as real work has many.
        await new Promise((resolve) => setImmediate(resolve));
      }
    case 'one huge buffer':
      return new Uint8Array(2 ** 52);
    case 'exit':
      return process.exit(3);
    case 'fail':
      throw new EffectFailure('PV4910', 'no good', { hint: 'another' });
    case 'throw':
      throw new TypeError('a mistake');
    case 'who':
      return threadId;
    case 'hold':
      kept.push(new Uint8Array(40 * 2 ** 20));
      return threadId;
    case 'look':
      console.log('seen by nobody');
      return Object.keys(process.env);
    default:
      return [what];
  }
});
