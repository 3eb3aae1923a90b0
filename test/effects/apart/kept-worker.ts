/** A thread for tests of `keptThreads`: says who it is, fails, never ends, or dies. */
import { threadId } from 'node:worker_threads';
import { serveAll } from '../../../src/effects/apart/serve.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';

serveAll<string>((order) => {
  if (order === 'fail') throw new EffectFailure('PV4901', 'as told', {});
  if (order === 'die') process.exit(3);
  while (order === 'hang');
  return threadId;
});
