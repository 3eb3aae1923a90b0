/** Starts `worker.ts` in a process of its own and speaks with it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { inOneFile } from '../../support/one-file.ts';

const script = await inOneFile(fileURLToPath(new URL('./worker.ts', import.meta.url)));

export interface Worker {
  /** Its name as an owner of leases. */
  readonly owner: string;
  /** Sends a command and returns the answer. */
  ask(command: string): Promise<string>;
  send(command: string): void;
  /** The next line of its output; undefined when it has ended. */
  next(): Promise<string | undefined>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends it at once and waits until it has ended. */
  kill(): Promise<void>;
}

/** Ended with the test, if it has not been before. */
export async function startWorker(path: string): Promise<Worker> {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [script, path]);
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => (await lines.next()).value;
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  child.stderr.pipe(process.stderr);
  const send = (command: string): void => {
    child.stdin.write(`${command}\n`);
  };
  return {
    owner: (await next()) ?? '',
    ask: async (command) => {
      send(command);
      return (await next()) ?? 'ended';
    },
    send,
    next,
    signal: (name) => child.kill(name),
    kill,
  };
}
