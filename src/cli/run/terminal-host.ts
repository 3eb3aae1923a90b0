/**
 * The terminal as the host of an agent: shows each run while it goes on, hears Ctrl-C, and prints
 * what an agent has to say in between. The first interrupt suspends the run, so that it can be
 * resumed; the second ends the process at once, and the journal has what was done until then.
 */

import type { Host, LiveRun, RunEnd } from '../../agent/port/host.ts';
import { eventLine } from '../../agent/view/event-line.ts';
import { watchOf } from '../../agent/view/watch.ts';
import type { WatchEvent } from '../../engine/events.ts';
import type { RunHandle } from '../../engine/run.ts';
import { type ExitCode, exit } from '../exit.ts';
import { failureText } from '../failure.ts';
import { onEndSignal } from '../process/signals.ts';
import { onStray } from '../process/stray.ts';
import { observe } from '../process/telemetry.ts';
import { personHere, type TerminalPerson } from '../process/terminal-person.ts';
import { watch } from '../process/watchdog.ts';
import type { Aloud } from '../view/aloud.ts';
import { saidIn, sayAloud } from '../view/aloud.ts';
import { liveView } from '../view/live.ts';
import { loopView } from '../view/loop-view.ts';
import { sayNotice } from '../view/notice-lines.ts';
import { print, say } from '../view/output.ts';
import { plainView, quietView } from '../view/plain.ts';
import { ourName } from '../view/result.ts';
import type { View } from '../view/view.ts';
import { tellWarning } from '../view/warnings.ts';

export interface TerminalFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly events?: boolean;
  readonly json?: boolean;
  /** False: nobody is asked here. */
  readonly prompts?: boolean;
}

export interface TerminalOptions {
  readonly flags: TerminalFlags;
  /** Prints the end of a session that the process ends with, from within a call of a function. */
  report(end: RunEnd): ExitCode;
  /** Says what is said while it is still written; absent where it is said once it is whole. */
  readonly aloud?: Aloud | undefined;
  /** In place of whoever is at the terminal. */
  readonly person?: TerminalPerson | undefined;
  readonly review?: Host['review'];
  readonly goThrough?: Host['goThrough'];
}

/** `lastSaid`: what was said last of what runs have said; the same is not printed again. */
export interface TerminalHost extends Host {
  lastSaid(): string | undefined;
}

export function terminalHost(options: TerminalOptions): TerminalHost {
  const { flags, aloud, review, goThrough } = options;
  const person = 'person' in options ? options.person : personHere(flags);
  let shown: View | undefined;
  let said: string | undefined;
  return {
    person,
    lastSaid: () => said,
    ...(review && { review }),
    ...(goThrough && { goThrough }),
    ...(aloud && { saying: (piece) => aloud.piece(piece) }),
    notice: (notice) => sayNotice(notice, flags, shown),
    watch: (run) => {
      const view = run.loop ? loopView(run.loop, flags) : viewOf(run, flags);
      shown = view;
      const stop = show(run, view, { ...options, person });
      const unsubscribe = run.handle.subscribe((event) => {
        said = saidIn(event) ?? said;
      });
      return () => {
        unsubscribe();
        stop();
        shown = undefined;
      };
    },
  };
}

/** Gives the function that ends it. */
function show(run: LiveRun, view: View, options: TerminalOptions): () => void {
  const { handle, program, title, past } = run;
  const { flags, aloud, person, report } = options;
  person?.before(view);
  observe(handle, { title, dialect: program.dialect, resumed: past !== undefined });
  const stop = [handle.subscribe((event) => view.show(event))];
  if (!run.loop) {
    if (aloud) aloud.screen = view;
    stop.push(
      handle.subscribe((event) => {
        const said = sayAloud(event, view, flags, aloud);
        if (said !== undefined) person?.heard?.(said);
      }),
    );
    if (flags.events) stop.push(handle.subscribe((event) => print(eventLine(event))));
  }
  const warn = (event: WatchEvent): void => {
    if (event.type === 'run.warned') tellWarning(event.warning, view.note);
  };
  stop.push(handle.subscribe(warn));
  const interrupts = onInterrupt(handle, view);
  stop.push(interrupts.stop);
  if (run.callsFunctions) stop.push(guardCalls(run, view, interrupts, report));
  // The run can go on in a process in which nothing has gone astray.
  stop.push(
    onStray((error) => {
      const text = failureText(error, flags.verbose === true);
      if (flags.quiet) say(text);
      else view.note(text);
      handle.cancel('interrupted');
    }),
  );
  return () => {
    for (const end of stop) end();
    aloud?.end();
    view.end();
  };
}

/** A live view where a person looks on; lines where something else reads. */
function viewOf({ handle, program, title, past = [] }: LiveRun, flags: TerminalFlags): View {
  if (flags.quiet) return quietView;
  const watch = watchOf(program, title, Date.now(), { run: handle.id, past: [...past] });
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
  { handle, isDurable, endWith }: LiveRun,
  view: View,
  interrupts: Interrupts,
  report: (end: RunEnd) => ExitCode,
): () => void {
  return watch({
    overdue({ effect }) {
      const result = handle.breakOff(effect);
      view.end();
      return result ? report(endWith(result)) : exit.failed;
    },
    blocked(call) {
      interrupts.release();
      const next = isDurable ? `, ${ourName} resume ${handle.id} goes on` : '';
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
  let release = onEndSignal(interrupt);
  const hear = (): void => {
    release();
    release = onEndSignal(interrupt);
  };
  const stop = (): void => {
    // Once interrupted, the process is about to end: a second signal must find its handler.
    if (!asked) release();
  };
  return { release: () => release(), hear, stop };
}
