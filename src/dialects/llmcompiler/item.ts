/** What a list of actions consists of, as its reader gives it, one after the other. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import type { ReadCall } from './call.ts';

/** Where something stands: its place, and offsets in the whole text. */
export interface Place extends Site {
  readonly start: number;
  readonly end: number;
}

/**
 * How a call is introduced: `1. tool[…]`, `$1 = tool(…)`, `Action: tool[…]`, or not at all, which
 * only an end may be.
 */
export type CallForm = 'numbered' | 'assigned' | 'action' | 'alone';

/** An action, or the end of the list: `join()`, `Finish[answer]`. */
export interface CallItem extends Place, ReadCall {
  readonly kind: 'task' | 'join';
  /** As written, without zeros in front; the next number where there is none. */
  readonly id: string;
  readonly form: CallForm;
  /** As written. */
  readonly name: string;
  readonly nameAt: Site;
  /** All thoughts since the call before; empty where there is none. */
  readonly thought: string;
}

/** Text that stands for itself and is never executed. */
export interface TextItem extends Place {
  readonly kind: 'question' | 'thought' | 'observation' | 'comment' | 'prose' | 'answer';
  readonly text: string;
  /** The number of the task that an observation, or a thought without a label, is of; or empty. */
  readonly of: string;
}

/** A numbered line that calls nothing. Whether a step is lost shows at the end. */
export interface WordsItem extends Place {
  readonly kind: 'words';
  readonly id: string;
  readonly text: string;
  /** Whether it stands in a thought. */
  readonly inThought: boolean;
}

/** The mark of the end. */
export interface EndItem extends Place {
  readonly kind: 'end';
}

export interface DiagnosticItem {
  readonly kind: 'diagnostic';
  readonly diagnostic: Diagnostic;
}

export type Item = CallItem | TextItem | WordsItem | EndItem | DiagnosticItem;
