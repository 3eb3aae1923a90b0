/**
 * What is asked of people: questions of the program, approvals of what it is about to do. Answers
 * come by a post from any process, or in place, from a `Person` who is there.
 */
import type { Request } from '../../program/effect.ts';
import type { Question } from '../handler.ts';

/** One thing that a run waits for, as results and people see it. */
export type OpenWait = OpenQuestion | OpenApproval | OpenPause;

export interface Issued {
  /** Effect id. */
  readonly effect: string;
  readonly step: string;
  readonly tool: string;
  /** Left with the run and not taken yet; only in what is shown of it. */
  readonly reply?: LeftReply;
}

/** A reply that waits for the process that takes the run up. */
export interface LeftReply {
  readonly kind: 'answer' | 'approve' | 'deny';
  readonly by: string;
  readonly note?: string;
}

export interface OpenQuestion extends Issued {
  readonly kind: 'question';
  readonly question: string;
  /** Who is asked, by name; absent for whoever the program talks with. */
  readonly to?: string;
  readonly choices?: readonly unknown[];
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Present where it decides what is in doubt, which only a person may. */
  readonly decides?: 'doubt';
  readonly default?: unknown;
  /** Epoch milliseconds; until then it can be answered. */
  readonly until?: number;
}

export interface OpenApproval extends Issued {
  readonly kind: 'approval';
  /** The arguments, as ordinary JSON data. */
  readonly request: unknown;
  readonly why: string;
}

export interface OpenPause extends Issued {
  readonly kind: 'pause';
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Somebody who is there while the run goes on. Asked one thing at a time, in order. */
export interface Person {
  /**
   * Settles with JSON-like data; with undefined where nobody answers now, so that the question
   * stays open. `problem` says what was wrong with the answer before.
   */
  answer(
    question: OpenQuestion,
    problem: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly value: unknown; readonly by: string } | undefined>;
  /** Whether an effect may be performed; undefined where nobody decides now. */
  decide(approval: OpenApproval, signal: AbortSignal): Promise<Decision | undefined>;
}

export interface Decision {
  readonly approved: boolean;
  readonly by: string;
  readonly note?: string;
}

/** Where in its program an effect was issued, for what is shown of it. */
export const issuedBy = ({ id, step, tool }: Pick<Request, 'id' | 'step' | 'tool'>): Issued => ({
  effect: id,
  step,
  tool,
});

/** What a question is for people: one to answer, or an approval to give. */
export function openQuestion(
  issued: Issued,
  { text, to, choices, schema, approval, decides, default: value }: Question,
  until: number | undefined,
): OpenQuestion | OpenApproval {
  if (approval) return { kind: 'approval', ...issued, ...approval };
  return {
    kind: 'question',
    ...issued,
    question: text,
    ...(to !== undefined && { to }),
    ...(choices && { choices }),
    ...(schema && { schema }),
    ...(decides && { decides }),
    ...(value && { default: value.value }),
    ...(until === undefined ? {} : { until }),
  };
}
