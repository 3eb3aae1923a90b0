/**
 * The parts of the stream of a turn: what was asked, then each operation of the reply that can
 * stand by itself. Order and values of variables are the loop's to check.
 */
import type { CalleeKind } from '../../dialects/playbook/compiled.ts';
import type { Entry } from './prompt/session.ts';
import type { Expr } from './reply/expr.ts';
import type { Operation } from './reply/operations.ts';

/** The line of the reply for the session: the operation as JSON. */
interface Written {
  readonly raw: string;
}

/** What has no values is as it was read. */
type PlainOperation = Extract<
  Operation,
  { readonly op: 'at' | 'yield' | 'show' | 'note' | 'unexpected' }
>;

export type OperationPart =
  | PlainOperation
  /** By names without a dollar. */
  | (Written & { readonly op: 'set'; readonly values: Readonly<Record<string, Expr>> })
  | CallPart
  | (Written & { readonly op: 'say'; readonly text: Expr; readonly to?: string })
  | (Written & { readonly op: 'return'; readonly value: Expr });

export interface CallPart extends Written {
  readonly op: 'call';
  /** `Agent.Name` of a playbook, the name of a tool or of a function. */
  readonly callee: string;
  readonly kind: CalleeKind;
  readonly args: Readonly<Record<string, Expr>>;
  /** The variable that takes the result, without a dollar. */
  readonly into?: string;
  /** Of a playbook: whose it is, of several agents that are alike; perhaps a variable has it. */
  readonly on?: string | Expr;
}

export type Part = AskedPart | OperationPart | ProblemPart | EndPart;

/**
 * The first part of every turn: what the session gets of what was asked, also where the reply is
 * cut off, and what the prompt consists of.
 */
export interface AskedPart {
  readonly op: 'asked';
  /** They follow the session. */
  readonly entries: readonly Entry[];
  /** Whether they replace the session, which was left out of the prompt. */
  readonly isFresh: boolean;
  /** Estimated, by what they are for. */
  readonly tokens: PromptTokens;
  readonly chat: ChatNote;
}

/** What the tokens of a prompt are for: estimated, as before any call. */
export interface PromptTokens {
  readonly instructions: number;
  readonly examples: number;
  readonly agent: number;
  readonly callees: number;
  readonly playbook: number;
  readonly variables: number;
  readonly session: number;
  readonly instruction: number;
}

/** In which conversation the turn was taken, and why. */
export interface ChatNote {
  /** The effect that began the conversation. */
  readonly session: string;
  readonly how: 'new' | 'kept' | 'restarted' | 'shortened';
  /** In words, with numbers. */
  readonly why: string;
}

/** An operation that cannot stand. The reader goes on after it; the loop may stop there. */
export interface ProblemPart {
  readonly op: 'problem';
  readonly code: string;
  /** For the model: *got X, want Y*. */
  readonly text: string;
  /** The operation, where it could be read as JSON. */
  readonly raw?: string;
  /** Of a reply without operations: what it says instead. */
  readonly words?: string;
}

/** The last part of every turn. */
export interface EndPart {
  readonly op: 'end';
  /** False where the reply was cut off: by a limit, by the connection, by a restart. */
  readonly isWhole: boolean;
}
