/** A thread that puts a link out of the folder in the place of a folder within, and back. */
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';

const { inside, outside }: { inside: string; outside: string } = workerData;
const at = (name: string): string => join(inside, name);

symlinkSync(outside, at('link'));
for (;;) {
  renameSync(at('folder'), at('aside'));
  renameSync(at('link'), at('folder'));
  renameSync(at('folder'), at('link'));
  renameSync(at('aside'), at('folder'));
}
