/**
 * Hears on behalf of a process that hears nothing: a function tool that computes without a pause
 * keeps timers and signals waiting. A thread beside it notices (`watchdog-thread.ts`) and lets the
 * main thread look at itself, in the midst of that call.
 *
 * The thread starts with the first run that calls functions and stays for the rest of the process.
 */
import { url as debuggerUrl } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { type Call, callHere, onReturn, patienceMs } from './call.ts';
import type { WatchdogData } from './watchdog-thread.ts';

export interface Guard {
  /** A call has had its time and more: nothing but the end of the process ends it. */
  overdue(call: Call): void;
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

/**
 * Gives the function that ends it. `lastWords`: what stands on stderr where the main thread cannot
 * even be interrupted, for longer than a call may take, and the process is killed.
 */
export function watchCalls(by: Guard, lastWords: string): () => void {
  guard = by;
  if (!isStarted) start(lastWords);
  isStarted = true;
  return () => {
    if (guard === by) guard = undefined;
  };
}

function start(lastWords: string): void {
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
    lastWords,
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
    guard.overdue(call);
    return;
  }
  if (!isBlocked) guard.blocked(call);
  isBlocked = true;
}
