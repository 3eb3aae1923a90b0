/**
 * What an agent says of its work, as plain JSON: one line of `--events`, one message of a server,
 * one row of a page. Codes and facts, no sentences: a face makes the words.
 *
 * An event of a run that is in the journal carries a cursor, `run:seq`; any process rebuilds the
 * stream of a session from there. Events without a cursor are progress: nothing depends on them.
 */
import type { WatchEvent } from '../../engine/events.ts';
import type { ForkPreview } from '../../engine/fork/fork-preview.ts';
import type { Usage } from '../../engine/handler.ts';
import type { Verdict } from '../../engine/journal/verdict.ts';
import type { OpenWait } from '../../engine/perform/person.ts';
import type { ResultError, RunResult, Warning } from '../../engine/result.ts';
import type { MetLimit } from '../../engine/spent.ts';
import type { LoopName } from '../../planner/loop-source.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';

export type AgentEvent = RunBegan | RunEvents | Notice | Ended;

/** A run of the session has started, or goes on. */
export interface RunBegan {
  readonly type: 'run.began';
  readonly run: string;
  readonly title: string;
  readonly dialect: string;
  /** The control loop that it is a run of, and what the model does there: `planning`. */
  readonly loop?: { readonly name: LoopName; readonly doing: string; readonly model: string };
  /** The run that it was forked from. */
  readonly base?: string;
}

export interface RunEvents {
  readonly type: 'run.event';
  readonly run: string;
  /** `run:seq`; absent for progress, which is in no journal. */
  readonly cursor?: string;
  /** With its `type`; values as `encodeValue` gives them. */
  readonly event: RunEventDocument;
}

export interface RunEventDocument {
  readonly type: WatchEvent['type'];
  readonly [member: string]: unknown;
}

/** What happens between the runs of a session. */
export type Notice =
  /** What was to be started under an id was started before: this is its last run. */
  | { readonly type: 'session.found'; readonly run: string; readonly status: RunResult['status'] }
  /** A model has replied; `diagnostics` say what is wrong with its program. */
  | {
      readonly type: 'plan.checked';
      readonly round: number;
      readonly ok: boolean;
      readonly isProgram: boolean;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly type: 'plan.written'; readonly text: string; readonly dialect: string }
  /** A saved plan answers the goal: no model has planned. */
  | { readonly type: 'plan.reused'; readonly id: string; readonly label: string }
  /** A guard of a saved plan does not hold; `keeps`: what it has changed stays. */
  | {
      readonly type: 'guard.failed';
      readonly run: string;
      readonly reason: string;
      readonly keeps: boolean;
    }
  /** A conversation was compiled into a plan with a name. */
  | { readonly type: 'plan.saved'; readonly id: string; readonly label: string }
  /** A run has failed and a model repairs its program; `attempt` counts from 1. */
  | {
      readonly type: 'repair.began';
      readonly run: string;
      readonly attempt: number;
      readonly error?: ResultError;
      /** The failure with the lines of the program, as the model is told it. */
      readonly text: string;
    }
  /** Statements of a turn have failed; the model is told and goes on. */
  | { readonly type: 'turn.failed'; readonly run: string; readonly text: string }
  /** A model did not do its part; the run that is there is the end. */
  | {
      readonly type: 'step.skipped';
      readonly code: string;
      readonly message: string;
      readonly hint: string | undefined;
    }
  | { readonly type: 'fork.previewed'; readonly preview: ForkPreview }
  | { readonly type: 'verdict.given'; readonly run: string; readonly verdict: Verdict }
  /** What a person should know before a run goes on; in its result as well. */
  | { readonly type: 'warned'; readonly warning: Warning };

export interface Ended {
  readonly type: 'ended';
  readonly end: SessionEnd;
}

/** How a session ended: all of its runs together. */
export interface SessionEnd extends RunResult {
  /** The session's runs in the order in which they came. */
  readonly runs: readonly string[];
  /** The part of `usage` that went into planning, repairing and judging. */
  readonly planning: Usage;
  /** What can be done next. */
  readonly next: readonly NextStep[];
}

export type NextStep =
  | { readonly do: 'resume'; readonly run: string; readonly needs?: MetLimit }
  | { readonly do: 'reply'; readonly run: string; readonly wait: OpenWait }
  /** An effect is in doubt: `assume` decides what has become of it. */
  | { readonly do: 'assume'; readonly run: string }
  | { readonly do: 'fork'; readonly run: string };
