/**
 * The calls of function tools that are under way. They run in this process, so one that never
 * awaits anything keeps all else from happening; whoever finds that out asks here whose code it is.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AttemptContext } from '../../engine/handler.ts';

export interface Call {
  readonly tool: string;
  /** Effect id, `0#7`. */
  readonly effect: string;
  /** Milliseconds it may take. */
  readonly timeoutMs: number;
  /** By `performance.now()`. */
  readonly startedAt: number;
  over: boolean;
}

const current = new AsyncLocalStorage<Call>();

let underWay = 0;

/** What stands in `patienceMs` for calls that may take for ever. */
const noEnd: number = 2 ** 31 - 1;

/**
 * The longest that any call under way may take, in milliseconds: memory that another thread can
 * read while this one does nothing but compute.
 */
export const patienceMs: Int32Array = new Int32Array(new SharedArrayBuffer(4));

/** Performs a call; what it starts belongs to it, also what comes after an `await`. */
export function during<Result>(
  tool: string,
  { effect, timeoutMs }: AttemptContext,
  perform: (call: Call) => Promise<Result>,
): Promise<Result> {
  const call: Call = { tool, effect, timeoutMs, startedAt: performance.now(), over: false };
  const before = underWay++ === 0 ? 0 : Atomics.load(patienceMs, 0);
  Atomics.store(patienceMs, 0, Math.max(before, Math.min(timeoutMs, noEnd)));
  return current.run(call, perform, call);
}

/** To be called once the tool has answered, or failed. */
export function end(call: Call): void {
  call.over = true;
  underWay--;
  if (underWay === 0) Atomics.store(patienceMs, 0, 0);
  returned?.();
}

let returned: (() => void) | undefined;

/** `listener` hears of each call that is over, before anything comes of it. There is one. */
export function onReturn(listener: () => void): void {
  returned = listener;
}

/** The call whose code asks, from within or from an interruption of it. */
export function callHere(): Call | undefined {
  const call = current.getStore();
  return call === undefined || call.over ? undefined : call;
}
