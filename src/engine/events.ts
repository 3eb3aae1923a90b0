/**
 * What those who watch a run see: every journaled event, after it is in the journal, and what is
 * not worth keeping, in between. In order: nothing is shown before what led to it.
 */
import type { RunEvent } from './journal/journal.ts';
import type { Warning } from './result.ts';

export type WatchEvent = RunEvent | Passing;

/** Shown as it happens and never journaled. */
export type Passing =
  /** What those who watch should know before the run goes on; it is in the result as well. */
  | { readonly type: 'run.warned'; readonly warning: Warning }
  | { readonly type: 'effect.progress'; readonly effect: string; readonly text: string }
  | {
      /** An attempt has failed, and the next one has to wait. */
      readonly type: 'effect.retries';
      readonly effect: string;
      readonly tool: string;
      readonly step: string;
      /** The one that has failed, from 1. */
      readonly attempt: number;
      readonly message: string;
      readonly waitMs: number;
    }
  | {
      readonly type: 'step.entered';
      /** Index into the program's steps. */
      readonly index: number;
      /** `4@2`. */
      readonly step: string;
      /** Who does it, where that is one of several. */
      readonly by?: string;
    };

/** Called synchronously; must not throw: an exception stops the run, which can be resumed. */
export type Listener = (event: WatchEvent) => void;
