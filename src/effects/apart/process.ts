/**
 * Work that native code does, a query of a database, in a process of its own: while such code runs,
 * its thread hears nothing, and a process that has such a thread cannot even end.
 *
 * - A1 and A2 of `apart.ts` hold here, too. Memory of native code is seen on Linux only.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  type Answer,
  type ApartOptions,
  answered,
  deathOf,
  lookMs,
  memoryBytesDefault,
  memoryFailure,
  reasonOf,
} from './apart.ts';
import type { Order } from './supervisor.ts';

/** What a process of Node has before it does anything, about. */
const ownBytes = 128 * 2 ** 20;

/** As `apart`, for threads that call native code. */
export async function apartProcess<Input, Output>(
  file: URL,
  input: Input,
  options: ApartOptions,
): Promise<Output> {
  const { signal, what, memoryBytes = memoryBytesDefault } = options;
  signal.throwIfAborted();
  const supervisor = new URL(import.meta.url.replace(/process(\.[jt]s)$/, 'supervisor$1'));
  const child = fork(supervisor, {
    serialization: 'advanced',
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return await new Promise<Output>((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearInterval(watch);
      signal.removeEventListener('abort', abort);
      child.kill('SIGKILL');
      settle();
    };
    const abort = (): void => end(() => reject(reasonOf(signal)));
    const watch = setInterval(() => {
      if (residentBytes(child.pid) > memoryBytes + ownBytes) {
        end(() => reject(memoryFailure(what, memoryBytes)));
      }
    }, lookMs);
    signal.addEventListener('abort', abort, { once: true });
    child.once('message', (answer: Answer) =>
      end(() => {
        try {
          resolve(answered<Output>(answer, { what, memoryBytes }));
        } catch (thrown) {
          reject(thrown);
        }
      }),
    );
    child.once('error', (error) => end(() => reject(deathOf(what, error.message))));
    child.once('exit', (code, by) =>
      end(() => reject(deathOf(what, by === null ? `it exited with ${code}` : `it got ${by}`))),
    );
    const order: Order = { file: file.href, input, memoryBytes };
    // Where it is gone already, its exit says so.
    child.send(order, () => {});
  });
}

/** Pages of 4096 bytes, the second number of what Linux says. 0 elsewhere. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}
