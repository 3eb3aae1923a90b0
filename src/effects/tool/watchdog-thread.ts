/**
 * The thread that notices when the main one is heard of no more: a call that computes without a
 * pause, or waits in a way that keeps the event loop from turning. It asks what is going on by
 * evaluating a function in the main thread, which V8 allows in the midst of any JavaScript. Where
 * not even that is answered (a process that is waited for, `Atomics.wait`), and for longer than any
 * call may take, it ends the process as a crash would.
 *
 * Time is counted in its own ticks: a process that was stopped, or a machine that slept, has not
 * been blocked.
 */
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';

export interface WatchdogData {
  /** Counts up as long as the main thread turns. */
  readonly beat: Int32Array;
  /** Milliseconds that the call with the longest time may take; 0 where none is under way. */
  readonly patienceMs: Int32Array;
  /** How the main thread's function is called. */
  readonly question: string;
  /** What is said before the process is ended. */
  readonly lastWords: string;
  readonly tickMs: number;
  /** How long no beat is no reason to ask. */
  readonly calmMs: number;
  /** How much longer than it may a call has to take to be ended. */
  readonly graceMs: number;
}

const { beat, patienceMs, question, lastWords, ...times }: WatchdogData = workerData;

let seen = 0;
let blockedMs = 0;
/** Open while a question waits for its answer. */
let session: Session | undefined;
let unansweredMs = 0;

setInterval(() => {
  const now = Atomics.load(beat, 0);
  if (now !== seen) {
    seen = now;
    blockedMs = 0;
    hangUp();
    return;
  }
  blockedMs += times.tickMs;
  if (blockedMs < times.calmMs) return;
  if (!session) ask();
  else unansweredMs += times.tickMs;
  const patience = Atomics.load(patienceMs, 0);
  const isOver = patience > 0 && blockedMs > patience + times.graceMs;
  if (isOver && unansweredMs >= times.graceMs) {
    writeSync(2, lastWords);
    process.kill(process.pid, 'SIGKILL');
  }
}, times.tickMs);

function ask(): void {
  const asked = new Session();
  session = asked;
  unansweredMs = 0;
  asked.connectToMainThread();
  // A session that is still open when the process ends makes Node say that it waits for a debugger.
  asked.post('Runtime.evaluate', { expression: question }, hangUp);
}

function hangUp(): void {
  session?.disconnect();
  session = undefined;
}
