/**
 * The parts of the stream of a turn: what was asked, then what of the reply stands, as the loop
 * carries it out.
 */
import type { Moments } from '../../dialects/playbook/text/moments.ts';
import type { CalleeKind } from './check/values/directory.ts';
import type { PromptTokens } from './prompt/prompt-tokens.ts';
import type { Entry, Used } from './prompt/session.ts';
import type { YieldFor } from './reply/said.ts';
import type { Expr, Scope } from './reply/term.ts';

export interface Variable {
  readonly name: string;
  readonly scope: Scope;
}

export type Part =
  | AskedPart
  | StepPart
  | SetPart
  | CallPart
  | SayPart
  | YieldPart
  | { readonly op: 'return'; readonly value: Expr; readonly line: string }
  | { readonly op: 'show'; readonly names: readonly Variable[]; readonly from?: number }
  | { readonly op: 'think' | 'note' | 'unexpected'; readonly text: string }
  | ProblemPart
  | EndPart;

/**
 * The first part of every turn: what the session gets of what was asked, also where the reply is
 * cut off, and what the prompt was made of.
 */
export interface AskedPart {
  readonly op: 'asked';
  /** They go behind the session. */
  readonly entries: readonly Entry[];
  /** Whether they stand in place of the session, which was left out of the prompt. */
  readonly isFresh: boolean;
  /** What the conversation has no more since it was told in short, at length. */
  readonly left?: string;
  /** Estimated, by what they are for. */
  readonly tokens: PromptTokens;
  readonly chat: ChatNote;
}

/** In which conversation the turn was taken, and why in that one. */
export interface ChatNote {
  /** Of the conversation: the effect that began it. */
  readonly session: string;
  readonly how: 'new' | 'kept' | 'anew' | 'in short';
  /** In words, with numbers. */
  readonly why: string;
}

/** What an act was done with, by the names in its key. */
export type ActedWith = Readonly<Record<string, Expr>>;

/** An act of an earlier reply: its key, with what that names and was not known then. */
export type MadeAct = string | { readonly key: string; readonly with: ActedWith };

export interface StepPart {
  readonly op: 'step';
  readonly line: string;
  /** Whether it goes back to a question that the answer has left open, or names its line anew. */
  readonly isAgain?: true;
}

export interface SetPart extends Variable {
  readonly op: 'set';
  readonly value: Expr;
  readonly line: string;
  /** Whether it is what was answered, told before any line has come. */
  readonly isAnswer?: true;
}

export interface SayPart {
  readonly op: 'say';
  /** Whether it puts a question once more that the answer has left open. */
  readonly isAgain?: true;
  readonly to?: string;
  readonly text: Expr;
  readonly line: string;
  /** Equal for texts that are. */
  readonly key: string;
  /** Of a reply that is over, where its key names what was not known then: what was said. */
  readonly with?: ActedWith;
  /** The line behind it, which says that itself. */
  readonly ahead?: string;
  /** What of it was heard while it was written: that stands, whatever becomes of it. */
  readonly begun?: string;
  /** Whether it is no message, but what was heard of one that does not stand. */
  readonly isHalf?: true;
  /** What of it was heard before, as such a half: only the rest is said now. */
  readonly half?: string;
}

export interface CallPart {
  readonly op: 'call';
  /** In the turn: `1`, `2`, … */
  readonly id: string;
  readonly callee: string;
  readonly kind: CalleeKind;
  /** Of a playbook: whose it is, of several agents that are alike; perhaps as a variable has it. */
  readonly on?: string | Expr;
  readonly args: Readonly<Record<string, Expr>>;
  /** The variable that takes the result; null where none does. */
  readonly into: string | null;
  readonly scope: Scope | null;
  readonly line: string;
  /** Equal for calls that are. */
  readonly key: string;
  /** Of a reply that is over, where its key names what was not known then: the arguments. */
  readonly with?: ActedWith;
  /** The line behind it, which calls that itself. */
  readonly ahead?: string;
}

export interface YieldPart {
  readonly op: 'yield';
  readonly for: YieldFor;
  readonly line: string;
  /** Of `user`: variables, as written, that the question is for. */
  readonly asks: readonly string[];
  /** Of `agent` and `event`: which; of `timer`: how long, of `user`: how long at most, in words. */
  readonly whom: string;
  /** The person that was waited for need not be asked: what the question is for is known. */
  readonly isAnswered?: true;
  /** The same time in seconds, where one is named. */
  readonly seconds?: number;
  /** In place of these: times of the day, the first of which ends the wait. */
  readonly due?: Moments;
  /** In place of all of them: words for the time, with variables that are read as it begins. */
  readonly time?: Expr;
}

/** What cannot stand. Nothing comes behind it but the end, unless all that can be done shall be. */
export interface ProblemPart {
  readonly op: 'problem';
  readonly code: string;
  /** For the model: *got X, want Y*. */
  readonly text: string;
  readonly line: string;
  /** Whether the model is not to blame: it is asked again however often that happens. */
  readonly isFromOutside?: true;
}

/** The last part of every turn whose reply is not cut off. */
export interface EndPart {
  readonly op: 'end';
  /** Where the playbook goes on; empty at its end. */
  readonly line: string;
  /** Of a reply that broke off: a line before that one of which something may be left to do. */
  readonly begun?: string;
  /** The reply, up to where it was read. */
  readonly said: string;
  /** What the reply took, by the provider's count, where it has come to one. */
  readonly used?: Used;
  /** Whether it ended in one of the ways in which a turn may end. */
  readonly isWhole: boolean;
}
