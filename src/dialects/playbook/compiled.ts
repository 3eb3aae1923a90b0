/**
 * Compiled playbooks: each line with its number, its code, and what it does. A line is *formal*
 * when the whole of it is one of the forms of `grammar/`; the machine does formal lines. Every
 * other line is *open*: a model does it as its words say. Pure data.
 */
import type { Agent, Metadata, Place, PlaybookHead, Scope } from './source/tree.ts';

/**
 * As printed in `.pbasm`: `EXE` do it, `QUE` a call or something said, `CND` a condition, `ELS` the
 * other case, `LOP` the head of a loop, `CHK` mind a note, `TNK` think, `RET` return, `JMP` go on
 * elsewhere, `YLD` wait.
 */
export type StepCode =
  | 'EXE'
  | 'QUE'
  | 'CND'
  | 'ELS'
  | 'LOP'
  | 'CHK'
  | 'TNK'
  | 'RET'
  | 'JMP'
  | 'YLD';

export interface Variable {
  /** Without the dollar. */
  readonly name: string;
  /** `state` is shared by the playbooks of an agent, `local` belongs to one call. */
  readonly scope: Scope;
}

/** An expression in Starlark. A variable `$x` of the line is the parameter `x_` of the code. */
export interface Expression {
  /** As it is written in the line. */
  readonly source: string;
  /** As Starlark: `len(bikes_) == 0`. */
  readonly code: string;
  /** The variables that it reads, in the order of the parameters. */
  readonly reads: readonly VariableUse[];
  /** Names of playbooks, tools and functions that it calls. */
  readonly calls: readonly string[];
}

export interface VariableUse extends Variable {
  /** The name of the parameter in `code`. */
  readonly as: string;
}

/** A text in quotes; `{$placeholders}` in it are expressions. */
export type Template = readonly (string | Expression)[];

/** To whom something is said, or who is asked: a person or an agent of the file. */
export interface Recipient {
  readonly kind: 'user' | 'person' | 'agent' | 'meeting';
  /** Of a person or an agent: the name as the file has it. */
  readonly name?: string;
  /** The line does not say to whom. */
  readonly isImplicit?: true;
}

export type CalleeKind = 'playbook' | 'tool' | 'function';

export interface Callee {
  readonly kind: CalleeKind;
  /** Of a playbook `Agent.Name`; the name of a tool of the run; the name of a function. */
  readonly name: string;
}

interface Call {
  readonly callee: Callee;
  /** By the names of the callee's parameters. */
  readonly args: Readonly<Record<string, Expression>>;
}

export type Wait =
  | { readonly for: 'user' | 'meeting' }
  | { readonly for: 'agent' | 'person' | 'event'; readonly name: string }
  /** Seconds. */
  | { readonly for: 'time'; readonly seconds: number }
  /** Words for a moment, which the effect `due_time` reads: `17:30`, `tomorrow 9:00`. */
  | { readonly for: 'moment'; readonly text: string };

/** What a line does. `open` lines and slots in words (`words`) are the model's. */
export type Does =
  | {
      readonly is: 'open';
      /** Why a line that looks like a form is open, in words. */
      readonly likely?: string;
      /** It calls, as a form does, what the file and its tools do not have or do not offer. */
      readonly calls?: string;
    }
  | {
      readonly is: 'set';
      readonly to: Variable;
      readonly type?: string;
      /** Absent where the value is in words: the model sets the variable. */
      readonly value?: Expression;
    }
  | (Call & {
      readonly is: 'call';
      /** The whole call. */
      readonly value: Expression;
      readonly into?: Variable;
      readonly type?: string;
    })
  | {
      readonly is: 'say';
      readonly to: Recipient;
      readonly text: Template;
      /** Whether it waits for the reply: said to a person, and the text ends in a question mark. */
      readonly waits: boolean;
    }
  | {
      readonly is: 'ask';
      readonly to: Recipient;
      readonly wants: readonly (Variable & { readonly type?: string })[];
      /** The question in quotes: the machine asks it, and the reply is the value. */
      readonly text?: Template;
    }
  | {
      readonly is: 'test';
      readonly kind: 'if' | 'elif' | 'else' | 'while' | 'until' | 'times';
      /** Absent where the condition is in words, and for `else`. Of `times`: how many rounds. */
      readonly test?: Expression;
      /** `(up to N times)`. */
      readonly most?: number;
    }
  | {
      readonly is: 'each';
      /** Absent where the loop is in words. */
      readonly item?: Variable;
      readonly of?: Expression;
      readonly most?: number;
    }
  | {
      readonly is: 'return';
      readonly value?: Expression;
      readonly inWords?: true;
      /** Where the value is nothing but the call of a playbook. */
      readonly call?: Call;
    }
  | { readonly is: 'go'; readonly to: string | 'break' | 'continue' }
  | { readonly is: 'wait'; readonly wait: Wait /** Seconds. */; readonly most?: number }
  | { readonly is: 'end' }
  /** For the model alone, which is shown it: `Think …`, `CHK N1`. The machine passes it. */
  | { readonly is: 'note'; readonly note?: string };

export interface Line {
  /** Two digits a level, all siblings counted: `03.01`. */
  readonly number: string;
  readonly code: StepCode;
  /** As it is written. */
  readonly text: string;
  readonly does: Does;
  /** Blocks of code under the line, as Markdown. */
  readonly block?: string;
  readonly children: readonly Line[];
  /** Of the line of Markdown that it is made of. */
  readonly place: Place;
  /** Variables that it names, formal or open. */
  readonly names: readonly Variable[];
}

/**
 * Whether the machine does the line by itself. A question whose words are not in quotes is the
 * model's to word; a condition, a loop or a value in words is the model's to decide.
 */
export function isMachines({ does }: Pick<Line, 'does'>): boolean {
  switch (does.is) {
    case 'open':
      return false;
    case 'set':
      return does.value !== undefined;
    case 'ask':
      return does.text !== undefined;
    case 'test':
      return does.kind === 'else' || does.test !== undefined;
    case 'each':
      return does.of !== undefined;
    case 'return':
      return does.inWords !== true;
    default:
      return true;
  }
}

/** Times of days and weeks. */
export interface Moments {
  /** Seconds after midnight, ascending. */
  readonly times: readonly number[];
  /** From 0, Sunday, to 6; every day where there are none. */
  readonly days: readonly number[];
  /** Instead of days, the one day that is meant: `2026-12-24`, or `tomorrow`. */
  readonly date?: string;
  /** Its canonical name; as written where there is no such zone. */
  readonly zone?: string;
}

/** When a trigger is due: once after so long, again and again, at times of days, at the end. */
export type Clock =
  | { readonly kind: 'after' | 'every'; readonly seconds: number }
  | ({ readonly kind: 'at' } & Moments)
  | { readonly kind: 'exit' };

/** `BGN` when the program starts, `CND` when something holds, `EVT` when something happens. */
export type TriggerCode = 'BGN' | 'CND' | 'EVT';

export interface Trigger {
  /** `T1`. */
  readonly id: string;
  readonly code: TriggerCode;
  readonly text: string;
  /** Variables in it. */
  readonly names: readonly Variable[];
  /** Where the condition is an expression. */
  readonly condition?: Expression;
  /** Where it is a time. */
  readonly clock?: Clock;
  /** Where it is for an event: its name. */
  readonly event?: string;
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
  /** The description where placeholders in it are to be filled in; others stay text. */
  readonly about?: Template;
  readonly triggers: readonly Trigger[];
  readonly lines: readonly Line[];
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

export { flatLines } from './source/tree.ts';
