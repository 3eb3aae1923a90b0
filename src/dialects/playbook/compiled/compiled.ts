/**
 * Playbooks whose lines are numbered steps with codes: what `planvm compile` prints as `.pbasm` and
 * reads back. Pure data; what follows from it is in `linked.ts`.
 */
import type { Agent, Metadata, Place, PlaybookHead, Scope } from '../source/tree.ts';

/**
 * `EXE` do it, `QUE` queue a call, `CND` a condition and `ELS` what else, `LOP` the head of a loop,
 * `CHK` mind a note, `RET` return, `JMP` go on elsewhere, `YLD` give control back, `TNK` think.
 */
export type StepCode =
  | 'EXE'
  | 'QUE'
  | 'CND'
  | 'ELS'
  | 'LOP'
  | 'CHK'
  | 'RET'
  | 'JMP'
  | 'YLD'
  | 'TNK';

/** What a `YLD` waits for; `exit` ends the program. */
export type YieldReason =
  | 'call'
  | 'user'
  | 'agent'
  | 'meeting'
  | 'event'
  | 'timer'
  | 'return'
  | 'exit';

/** A variable as a text names it: `$x` is of the agent, `x` of the call. */
export interface Variable {
  /** Without the dollar. */
  readonly name: string;
  readonly scope: Scope;
}

export interface Step {
  /** Two digits a level, all siblings counted: `03.01`. */
  readonly number: string;
  readonly code: StepCode;
  readonly text: string;
  /** What stands in blocks of code under its line, as Markdown. */
  readonly block?: string;
  readonly children: readonly Step[];
  /** Of the line of Markdown that it is made of; several steps may be made of one. */
  readonly place: Place;
  /** Whether only a model can say what is meant; read as `EXE` where none is asked. */
  readonly isAmbiguous?: true;
  /** Names of variables, as written: `$day` or `day`. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  readonly call?: StepCall;
  /** What a Say says: a text in quotes as it is, else an instruction. */
  readonly say?: SaidText;
  /**
   * Of every question to a person: the variables that it is for, as written. In linked playbooks
   * only of one that need not be asked where all of them are set.
   */
  readonly asks?: readonly string[];
  /** In linked playbooks, of another question: the variables that it is for. */
  readonly wants?: readonly string[];
  /** In linked playbooks, of one that may be left out then: those that the playbook has set. */
  readonly mayHave?: readonly string[];
  /** Of a `YLD`. */
  readonly waits?: YieldReason;
  /** Of a `YLD` for an agent, a meeting, an event: which; of others: a time, `within 5 minutes`. */
  readonly whom?: string;
  /** Of a `JMP`: the number of a step. */
  readonly jump?: string;
  /** Of a `CHK`: `N1`. */
  readonly note?: string;
  /** Of a `RET`, or of an assignment: the text of the value, which may be that of its block. */
  readonly value?: string;
}

export interface StepCall {
  /** `FreeBikes`, `Weather.Forecast`: a playbook, a function of a block, or a tool. */
  readonly callee: string;
  /** What stands between the brackets. */
  readonly args: string;
  /** The variable that its result goes to, as written. */
  readonly into?: string;
}

export interface SaidText {
  readonly text: string;
  /** Whether it is to be said as it is, with `{$placeholders}` filled in. */
  readonly isLiteral: boolean;
  /** `user` where nobody is named. */
  readonly to: string;
  /** Whether nobody is: in a meeting, whoever attends says that to all. */
  readonly isUnaddressed?: true;
}

/** `BGN` when the program starts, `CND` when something holds, `EVT` when something happens. */
export type TriggerCode = 'BGN' | 'CND' | 'EVT';

export interface Trigger {
  /** `T1`. */
  readonly id: string;
  readonly code: TriggerCode;
  readonly text: string;
  /** Variables in it, as written: `$x`. */
  readonly names: readonly string[];
  /** The same in Starlark where it is an expression: `x > 15`, names without dollars. */
  readonly condition?: string;
  readonly place: Place;
}

export interface Note {
  /** `N1`. */
  readonly id: string;
  readonly text: string;
  readonly block?: string;
  readonly place: Place;
}

export interface CompiledPlaybook extends PlaybookHead {
  readonly triggers: readonly Trigger[];
  readonly steps: readonly Step[];
  readonly notes: readonly Note[];
}

export interface CompiledAgent extends Omit<Agent, 'playbooks'> {
  readonly playbooks: readonly CompiledPlaybook[];
}

export interface CompiledFile {
  readonly title?: string;
  readonly metadata: Metadata;
  readonly agents: readonly CompiledAgent[];
}
