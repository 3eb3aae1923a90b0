/**
 * How a process ends well. Errors that are thrown where nobody can catch them, by what a tool or a
 * configuration has left running, end it with one sentence unless somebody listens; what has to be
 * closed before its end is closed then.
 */
import { reasonOf } from '../../agent/port/errors.ts';
import { exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { NotWritten } from '../view/output.ts';

type Listener = (error: CliError) => void;

let listener: Listener | undefined;

/** From here on no such error ends the process with a stack. */
export function catchStrays(report: (error: CliError) => void): void {
  process.on('uncaughtException', (thrown) => {
    const error = strayError(thrown);
    if (listener) listener(error);
    else report(error);
  });
}

/** Gives the function that ends it. */
export function onStray(hear: Listener): () => void {
  listener = hear;
  return () => {
    if (listener === hear) listener = undefined;
  };
}

function strayError(thrown: unknown): CliError {
  if (thrown instanceof NotWritten) {
    return new CliError('PV6029', `cannot write to ${thrown.stream}: ${thrown.message}`, {
      hint: 'make room there; what a run has done is in its journal: see planvm show last',
      exit: exit.failed,
      cause: thrown,
    });
  }
  const message = `something that nobody waits for has failed: ${reasonOf(thrown)}`;
  const hint = 'a tool has to await what it starts; a run that was under way can be resumed';
  return new CliError('PV6019', message, { hint, exit: exit.failed, cause: thrown });
}

const closing = new Set<() => Promise<void>>();

/** Calls `close` at the end of the command; gives what takes that back. */
export function atEnd(close: () => Promise<void>): () => void {
  closing.add(close);
  return () => void closing.delete(close);
}

export async function closeAll(): Promise<void> {
  const all = [...closing];
  closing.clear();
  await Promise.allSettled(all.map((close) => close()));
}
