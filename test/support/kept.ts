/**
 * Has commands done by a process that stays (`kept-planvm.ts`), one after another. It ends with the
 * process of the tests; where a command has ended it, the next one gets another.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command, as that process is told of it. */
export interface Order {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What stands on stdin. */
  readonly input: string;
}

/** The last thing on both of its streams when it can be given a command. */
export const endMark = (code: number): string => `\0planvm has ended with ${code}\0`;

const endPattern = /\0planvm has ended with (\d+)\0$/;

interface Kept {
  perform(order: Order): Promise<Ended>;
  isThere(): boolean;
  end(): void;
}

let idle: Kept | undefined;

/** A command that runs beside another one has a process to itself. */
export async function performKept(order: Order): Promise<Ended> {
  const kept = idle?.isThere() ? idle : start(order.env);
  idle = undefined;
  const ended = await kept.perform(order);
  if (idle) kept.end();
  else idle = kept;
  return ended;
}

function start(env: Order['env']): Kept {
  const file = fileURLToPath(new URL('kept-planvm.ts', import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'pipe', 'ipc'], env });
  child.stdin?.end();
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      child.emit('written');
    });
  }
  const closed = once(child, 'close').then(([code, signal]) => ({ code, signal, ...written }));
  const whole = async (): Promise<Ended> => {
    for (;;) {
      const [out, err] = [endPattern.exec(written.stdout), endPattern.exec(written.stderr)];
      if (out && err) {
        const stdout = written.stdout.slice(0, out.index);
        const stderr = written.stderr.slice(0, err.index);
        Object.assign(written, { stdout: '', stderr: '' });
        return { code: Number(out[1]), signal: null, stdout, stderr };
      }
      const ended = await Promise.race([once(child, 'written').then(() => undefined), closed]);
      if (ended) return ended;
    }
  };
  const ready = whole();
  // Nobody waits for it when the tests are over.
  for (const one of [child, child.channel, child.stdout, child.stderr]) {
    (one as { unref?(): void } | null | undefined)?.unref?.();
  }
  return {
    async perform(order) {
      await ready;
      child.send(order);
      return await whole();
    },
    isThere: () => child.connected && child.exitCode === null && child.signalCode === null,
    end: () => child.disconnect(),
  };
}
