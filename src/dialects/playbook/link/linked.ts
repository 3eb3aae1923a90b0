/**
 * Compiled playbooks with what follows from them: what was inlined, the graph of their lines, tail
 * calls, and the variables that are needed from each line on.
 */
import type { CompiledAgent, CompiledPlaybook, Line } from '../compiled.ts';
import type { Metadata } from '../source/tree.ts';

/**
 * `next` to the line after it; `true` and `false` of a condition; `loop` into a body, and from
 * its end back to its head; `exit` out of a loop; `jump`; `return` and `end` to the end of the
 * playbook.
 */
export type EdgeKind = 'next' | 'true' | 'false' | 'loop' | 'exit' | 'jump' | 'return' | 'end';

export interface Edge {
  /** The number of a line; empty for the end of the playbook. */
  readonly to: string;
  readonly kind: EdgeKind;
}

export interface LinkedLine extends Omit<Line, 'children'> {
  readonly edges: readonly Edge[];
  /** Whether lines stand under it. */
  readonly isHead: boolean;
  /** Variables, as written, that some way from here reads or names; absent where all may be. */
  readonly live?: readonly string[];
  /** Its call is the last thing that the playbook does. */
  readonly tail?: true;
}

export interface LinkedPlaybook extends Omit<CompiledPlaybook, 'lines'> {
  /** `Agent.Name`. */
  readonly id: string;
  /** By their numbers, in the order of the text. */
  readonly lines: ReadonlyMap<string, LinkedLine>;
  /** Where it begins; empty where it has no lines. */
  readonly first: string;
}

export interface LinkedAgent extends Omit<CompiledAgent, 'playbooks'> {
  readonly playbooks: readonly LinkedPlaybook[];
  /** Names, without the dollar, of the variables that its playbooks share. */
  readonly state: readonly string[];
}

export interface LinkedFile {
  readonly title?: string;
  readonly metadata: Metadata;
  readonly agents: readonly LinkedAgent[];
  readonly inlining: readonly Inlining[];
}

/** A formal call of a playbook, and whether the callee's lines stand in its place. */
export interface Inlining {
  /** `Agent.Caller:03`. */
  readonly at: string;
  readonly callee: string;
  readonly lines: number;
  readonly isInlined: boolean;
  /** In words: why, or why not. */
  readonly why: string;
}
