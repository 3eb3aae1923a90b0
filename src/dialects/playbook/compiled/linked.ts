/**
 * Compiled playbooks with everything that follows from them: the graph of their steps, what was
 * inlined, tail calls, and which variables are needed from where on.
 */
import type { Metadata } from '../source/tree.ts';
import type { CompiledAgent, CompiledPlaybook, Step } from './compiled.ts';

/**
 * `next` to the step behind; `true` and `false` of a condition; `loop` into a body and from its end
 * back to its head; `exit` out of a loop; `jump`; `return` and `end` to the end of the playbook.
 */
export type EdgeKind = 'next' | 'true' | 'false' | 'loop' | 'exit' | 'jump' | 'return' | 'end';

export interface Edge {
  /** The number of a step; empty for the end of the playbook. */
  readonly to: string;
  readonly kind: EdgeKind;
}

export interface LinkedLine {
  readonly step: Step;
  readonly edges: readonly Edge[];
  /** Variables, as written, that are read on some way that begins with this line. */
  readonly live: readonly string[];
  /** Its call is the last thing that the playbook does. */
  readonly tail?: true;
  /** `Name:03`: the line of another playbook that stands here. */
  readonly inlinedFrom?: string;
}

export interface LinkedPlaybook extends CompiledPlaybook {
  /** `Agent.Name`. */
  readonly id: string;
  /** By the numbers of steps, in the order of the text. */
  readonly lines: ReadonlyMap<string, LinkedLine>;
  /** Where it begins; empty where it has no steps. */
  readonly first: string;
  /** No Say, no question, no waiting, nothing of the agent changed: may run beside others. */
  readonly isQuiet?: true;
  /** The variables of the agent, `$x`, that it, or what it calls, reads before it sets them. */
  readonly needs: ReadonlySet<string>;
}

export interface LinkedAgent extends Omit<CompiledAgent, 'playbooks'> {
  readonly playbooks: readonly LinkedPlaybook[];
  /** Functions of its blocks that may run beside others. */
  readonly quiet: ReadonlySet<string>;
  /** What may set a variable that a trigger is about: ids of playbooks, names of functions. */
  readonly setting: ReadonlySet<string>;
  /**
   * Variables of the agent, as written, that what it calls may set, `*` for any: by ids of
   * playbooks, and names of functions.
   */
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface LinkedFile {
  readonly title?: string;
  readonly metadata: Metadata;
  readonly agents: readonly LinkedAgent[];
  readonly inlining: readonly Inlining[];
  readonly bodies: Bodies;
  /** Whether nothing is asked for before its line has come. */
  readonly isOneByOne?: true;
}

/** By ids of playbooks, and `Agent#name` of functions. */
export type Bodies = ReadonlyMap<string, Body>;

/** What a playbook or a function may do by itself; what it calls is its own. */
export interface Body {
  /** The name of its agent. */
  readonly owner: string;
  /** Variables, as written, that its arguments set. */
  readonly given: readonly string[];
  /**
   * Variables, as written, that it sets, or may as its lines name them: once for each line that
   * does; `*` for any.
   */
  readonly sets: readonly string[];
  /** The keys of what it may call. */
  readonly calls: readonly string[];
  /** Whether it waits, or speaks to other agents: what is done meanwhile is anybody's. */
  readonly isAnybodys: boolean;
  /** Whether a model decides what is called, and set. */
  readonly isFree: boolean;
}

/** A call of a playbook by another one, and whether the callee stands in its place. */
export interface Inlining {
  /** `Agent.Caller:03`. */
  readonly at: string;
  readonly callee: string;
  readonly steps: number;
  readonly isInlined: boolean;
  /** In words: why, or why not. */
  readonly why: string;
}
