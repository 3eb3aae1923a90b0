/**
 * Hears on behalf of a process that hears nothing: a function tool that computes without a pause
 * keeps timers and signals waiting. A thread beside it notices (`watchdog-thread.ts`) and lets the
 * main thread look at itself, in the midst of that call.
 *
 * The thread starts with the first run that calls functions and stays for the rest of the process.
 */
import { closeSync } from 'node:fs';
import { url as debuggerUrl } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { type Call, callHere, onReturn, patienceMs } from '../../effects/tool/call.ts';
import type { ExitCode } from '../exit.ts';
import { CliError, failureText } from '../failure.ts';
import type { WatchdogData } from './watchdog-thread.ts';

export interface Guard {
  /** A call has had its time and more. What there is to say is said; the process ends. */
  overdue(call: Call): ExitCode;
  /** For a second nothing could be heard, by the fault of a call where one is given. */
  blocked(call: Call | undefined): void;
  /** What kept it from hearing has returned, or the event loop turns again. */
  free(): void;
}

const tickMs = 250;
const calmMs = 1_000;
const graceMs = 1_000;

let guard: Guard | undefined;
let isBlocked = false;
let isStarted = false;

/** Gives the function that ends it. */
export function watch(by: Guard): () => void {
  guard = by;
  if (!isStarted) start();
  isStarted = true;
  return () => {
    if (guard === by) guard = undefined;
  };
}

/** What the thread says where the main one cannot even be interrupted. */
const mute = new CliError(
  'PV6023',
  'a tool keeps planvm from doing anything, for longer than a call may take: the process ends',
  { hint: 'planvm resume last goes on, once the tool is mended or has more time' },
);

function start(): void {
  const beat = new Int32Array(new SharedArrayBuffer(4));
  const turn = (): void => {
    Atomics.add(beat, 0, 1);
    if (isBlocked) guard?.free();
    isBlocked = false;
  };
  setInterval(turn, tickMs).unref();
  // What comes next may begin before the event loop turns.
  onReturn(() => {
    if (isBlocked) turn();
  });
  const door = 'planvm.blocked';
  Object.defineProperty(globalThis, Symbol.for(door), { value: look });
  const workerData: WatchdogData = {
    ...{ beat, patienceMs, tickMs, calmMs, graceMs },
    question: `globalThis[Symbol.for('${door}')]()`,
    lastWords: `${failureText(mute, false)}\n`,
  };
  const file = fileURLToPath(import.meta.url).replace(/(\.[jt]s)$/, '-thread$1');
  new Worker(file, { workerData, env: SHARE_ENV }).unref();
}

/** Runs in the midst of what the main thread is doing. */
function look(): void {
  // At a breakpoint nothing turns either.
  if (guard === undefined || debuggerUrl() !== undefined) return;
  const call = callHere();
  if (call && performance.now() - call.startedAt > call.timeoutMs + graceMs) {
    const code = guard.overdue(call);
    // Node would say that it waits for a debugger: the session that asks is still open.
    closeSync(process.stderr.fd);
    process.exit(code);
  }
  if (!isBlocked) guard.blocked(call);
  isBlocked = true;
}
