/**
 * Drives a run from a terminal: shows what happens, hears Ctrl-C, and waits for its end. The first
 * interrupt suspends the run, so that it can be resumed; the second ends the process at once, and
 * the journal has what was done until then.
 */
import { RunStopped } from '../../agent/errors.ts';
import { eventLine } from '../../agent/view/event-line.ts';
import { watchOf } from '../../agent/view/watch.ts';
import type { Listener, WatchEvent } from '../../engine/events.ts';
import type { RunResult } from '../../engine/result.ts';
import type { RunHandle } from '../../engine/run.ts';
import type { Program } from '../../program/program.ts';
import { type ExitCode, exit } from '../exit.ts';
import { failureText } from '../failure.ts';
import { onStray } from '../process/stray.ts';
import { observe } from '../process/telemetry.ts';
import type { TerminalPerson } from '../process/terminal-person.ts';
import { watch } from '../process/watchdog.ts';
import type { Aloud } from '../view/aloud.ts';
import { liveView } from '../view/live.ts';
import { print, say } from '../view/output.ts';
import { plainView, quietView } from '../view/plain.ts';
import { ourName, tellWarning } from '../view/result.ts';
import { sayAloud } from '../view/said.ts';
import type { View } from '../view/view.ts';
import type { Remote } from './run-options.ts';

export interface ViewFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly events?: boolean;
  readonly json?: boolean;
  /** No option: who looks on, and may stop it, from elsewhere than a terminal. */
  readonly remote?: Remote;
}

export interface Shown {
  readonly program: Program;
  readonly title: string;
  /** What happened before, when the run is resumed: not shown again, but counted. */
  readonly past?: readonly Parameters<Listener>[0][];
  /** Given where the program calls functions: these may keep the process from all else. */
  readonly functions?: FunctionCalls | undefined;
  /** In place of the view that the flags ask for. */
  readonly view?: View;
  /** Says what is said while it is still written; absent where it is said once it is whole. */
  readonly aloud?: Aloud | undefined;
  /** Who is asked here; the view makes room for that. */
  readonly person?: TerminalPerson | undefined;
}

export interface FunctionCalls {
  /** Whether the run can be resumed by another process. */
  readonly kept: boolean;
  /** Prints the result, where the process has to end in the midst of a call. */
  report(result: RunResult): ExitCode;
}

/** Settles with the run's result. Rejects where the engine itself cannot go on. */
export async function drive(handle: RunHandle, shown: Shown, flags: ViewFlags): Promise<RunResult> {
  const { remote } = flags;
  const view = shown.view ?? remote?.view ?? viewOf(shown, flags, handle.id);
  shown.person?.before(view);
  const { program, title, past } = shown;
  observe(handle, { title, dialect: program.dialect, resumed: past !== undefined });
  const unsubscribe = [handle.subscribe((event) => view.show(event))];
  if (!shown.view && !remote) {
    if (shown.aloud) shown.aloud.screen = view;
    const aloud = (event: WatchEvent): void => {
      const said = sayAloud(event, view, flags, shown.aloud);
      if (said !== undefined) shown.person?.heard?.(said);
    };
    unsubscribe.push(handle.subscribe(aloud));
  }
  const warn = (event: WatchEvent): void => {
    if (event.type === 'run.warned') tellWarning(event.warning, view.note);
  };
  unsubscribe.push(handle.subscribe(warn));
  if (flags.events) unsubscribe.push(handle.subscribe((event) => print(eventLine(event))));
  // A run may wait for something that does not keep Node alive.
  const alive = setInterval(() => {}, 2 ** 30);
  const interrupts = onInterrupt(handle, view);
  const leave = (): void => handle.cancel('interrupted');
  if (remote?.signal.aborted) leave();
  remote?.signal.addEventListener('abort', leave, { once: true });
  const stopListening = [
    interrupts.stop,
    () => remote?.signal.removeEventListener('abort', leave),
    shown.functions ? guardCalls(handle, view, interrupts, shown.functions) : () => {},
    // The run can go on in a process in which nothing has gone astray.
    onStray((error) => {
      const text = failureText(error, flags.verbose === true);
      if (flags.quiet) say(text);
      else view.note(text);
      handle.cancel('interrupted');
    }),
  ];
  try {
    return await handle.result;
  } catch (error) {
    throw new RunStopped(error, handle.id);
  } finally {
    for (const stop of stopListening) stop();
    clearInterval(alive);
    for (const end of unsubscribe) end();
    shown.aloud?.end();
    view.end();
  }
}

/** A live view where a person looks on; lines where something else reads. */
function viewOf({ program, title, past = [] }: Shown, flags: ViewFlags, run: string): View {
  if (flags.quiet) return quietView;
  const watch = watchOf(program, title, Date.now(), { run, past });
  const live = process.stderr.isTTY && process.env.TERM !== 'dumb' && !isCi() && !flags.verbose;
  // Events on the same terminal would be drawn over.
  const clash = flags.events === true && process.stdout.isTTY;
  return live && !clash ? liveView(watch) : plainView(watch, { verbose: flags.verbose === true });
}

const isCi = (): boolean => !['', '0', 'false', undefined].includes(process.env.CI);

interface Interrupts {
  /** Leaves signals to the system, which ends the process at once. */
  release(): void;
  hear(): void;
  stop(): void;
}

/** Sees to it that a call which lets nothing else happen can be ended all the same. */
function guardCalls(
  handle: RunHandle,
  view: View,
  interrupts: Interrupts,
  { kept, report }: FunctionCalls,
): () => void {
  return watch({
    overdue({ effect }) {
      const result = handle.breakOff(effect);
      view.end();
      return result ? report(result) : exit.failed;
    },
    blocked(call) {
      interrupts.release();
      const next = kept ? `, ${ourName} resume ${handle.id} goes on` : '';
      // Without a call it may be that the machine is busy: nothing that a person has to know.
      if (call) {
        const who = `${call.tool} (effect ${call.effect}) computes`;
        view.note(`${who} without a pause and hears nothing: Ctrl-C ends it at once${next}`);
      }
      view.rest?.();
    },
    free: interrupts.hear,
  });
}

function onInterrupt(handle: RunHandle, view: View): Interrupts {
  let asked = false;
  const interrupt = (): void => {
    if (asked) {
      view.end();
      process.exit(exit.interrupted);
    }
    asked = true;
    view.note('interrupted: ending the run so that it can be resumed; once more to end at once');
    handle.cancel('interrupted');
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const release = (): void => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  const hear = (): void => {
    release();
    for (const signal of signals) process.on(signal, interrupt);
  };
  hear();
  const stop = (): void => {
    // Once interrupted, the process is about to end: a second signal must find its handler.
    if (!asked) release();
  };
  return { release, hear, stop };
}
