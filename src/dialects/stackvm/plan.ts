/**
 * The tree of a stackvm plan, the same for both dialects: what parse makes, what check looks at and
 * what lower turns into code.
 */
import { type Site, siteOf } from '../../program/effect.ts';
import type { Value } from '../../program/value.ts';
import type { NoReference, Path, TextForm } from './template.ts';

export type DialectName = 'stackvm-1' | 'stackvm-2';

export interface Plan {
  readonly dialect: DialectName;
  /** In the order of their numbers, which is the order of execution. */
  readonly instructions: readonly Instruction[];
  /** Whether calls are written with `tool_name`: only such plans know arithmetic in assign. */
  readonly arithmetic: boolean;
  /** What only the knowledge of all variables can judge. */
  readonly suspects: readonly Suspect[];
}

/** Text that may have been meant as a reference. */
export interface Suspect extends Site {
  readonly kind: NoReference['kind'] | 'extra keys';
  readonly form: Form;
  /** The variable it would name. */
  readonly name: string;
  readonly text: string;
  readonly step: string;
}

export type Instruction = Assign | Call | Jump | Condition | Foreach | Reasoning | Broken;

interface Common extends Site {
  /** As written. */
  readonly type: string;
  /** The number, behind those of the conditions around it: `3.true.4`. */
  readonly label: string;
  /** Undefined where it could not be read. */
  readonly number: number | undefined;
  /** From 0, in the order of the text. */
  readonly position: number;
  readonly source: string;
  /** Where its type stands: what is said about the instruction as a whole points there. */
  readonly head: Site;
  readonly objective?: string;
  readonly onError?: Target;
}

export interface Assign extends Common {
  readonly kind: 'assign';
  readonly entries: readonly Entry[];
}

/** A name and what it gets: a variable of an assign, a parameter of a tool. */
export interface Entry extends Site {
  readonly name: string;
  readonly value: Expression;
}

export interface Call extends Common {
  readonly kind: 'call';
  readonly tool: Named;
  readonly arguments: readonly Entry[];
  readonly outputs: Outputs;
  /** `calling`: the tool is a parameter. `own`: the dialect has this type. `type`: neither. */
  readonly by: 'calling' | 'own' | 'type';
}

export interface Named extends Site {
  readonly name: string;
}

/** Where a result goes: as a whole to one variable, by keys to several, nowhere. */
export type Outputs =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly name: Named }
  | { readonly kind: 'keys'; readonly names: readonly Named[] };

export interface Jump extends Common {
  readonly kind: 'jump';
  /** Absent: always to `target`. */
  readonly question?: Question;
  readonly target: Target;
  /** Absent: the next step. */
  readonly otherwise?: Target;
}

/** What a model is asked to decide. */
export interface Question extends Site {
  readonly prompt: Expression;
  readonly context?: Expression;
}

export interface Target extends Site {
  readonly number: number;
}

export interface Condition extends Common {
  readonly kind: 'condition';
  readonly question: Question;
  readonly whenTrue: readonly Instruction[];
  readonly whenFalse: readonly Instruction[];
}

/** Executes its body once for each item; no pass waits for what another one has asked for. */
export interface Foreach extends Common {
  readonly kind: 'foreach';
  readonly items: Expression;
  readonly item: Named;
  /** Holds the position of the item, from 0. */
  readonly index?: Named;
  readonly body: readonly Instruction[];
  /** Gets a list of the last output of each pass. */
  readonly output?: Named;
}

export interface Reasoning extends Common {
  readonly kind: 'reasoning';
  readonly thoughts?: string;
}

/** An instruction with errors; it still counts as the target of jumps. */
export interface Broken extends Common {
  readonly kind: 'broken';
  /** Variables it would have written, as far as that could be read. */
  readonly writes: readonly string[];
}

export type Expression = Literal | Reference | Template | ListExpression | ObjectExpression;

export interface Literal extends Site {
  readonly kind: 'literal';
  /** A scalar. */
  readonly value: Value;
}

export interface Reference extends Site, Path {
  readonly kind: 'reference';
  readonly form: Form;
  /** As written; for an object, the text of its `var`. */
  readonly text: string;
  /** It stands within the brackets of another one. */
  readonly isIndex?: true;
}

/** `${x}`, `{{x}}`, `{"var": "x"}`. */
export type Form = TextForm | 'object';

/** How the dialect writes a reference inside text. */
export const formOf = (dialect: DialectName): TextForm =>
  dialect === 'stackvm-1' ? 'braces' : 'dollar';

export interface Template extends Site {
  readonly kind: 'template';
  readonly parts: readonly (string | Reference)[];
}

export interface ListExpression extends Site {
  readonly kind: 'list';
  readonly items: readonly Expression[];
}

export interface ObjectExpression extends Site {
  readonly kind: 'object';
  readonly entries: readonly Entry[];
}

export const answerName = 'final_answer';

/** The tool that answers the question of a condition with a dict of `result` and `explanation`. */
export const conditionTool = 'llm_condition';

/** The lists of instructions within one, in the order of the code. */
export function listsIn(instruction: Instruction): readonly (readonly Instruction[])[] {
  if (instruction.kind === 'condition') return [instruction.whenTrue, instruction.whenFalse];
  return instruction.kind === 'foreach' ? [instruction.body] : [];
}

/** All instructions, each before those within it, the true branch of a condition first. */
export function* everyInstruction(list: readonly Instruction[]): Generator<Instruction> {
  for (const instruction of list) {
    yield instruction;
    for (const inner of listsIn(instruction)) yield* everyInstruction(inner);
  }
}

/** The references of an expression in the order in which they are evaluated. */
export function* referencesIn(expression: Expression): Generator<Reference> {
  switch (expression.kind) {
    case 'literal':
      return;
    case 'reference':
      yield expression;
      for (const key of expression.path) {
        if (typeof key === 'object') yield { ...expression, ...key, isIndex: true };
      }
      return;
    case 'template':
      for (const part of expression.parts) {
        if (typeof part !== 'string') yield* referencesIn(part);
      }
      return;
    case 'list':
      for (const item of expression.items) yield* referencesIn(item);
      return;
    case 'object':
      for (const { value } of expression.entries) yield* referencesIn(value);
      return;
  }
}

/** The expressions of an instruction itself, without those of its branches. */
export function expressionsOf(instruction: Instruction): readonly Expression[] {
  switch (instruction.kind) {
    case 'assign':
      return instruction.entries.map(({ value }) => value);
    case 'call':
      return instruction.arguments.map(({ value }) => value);
    case 'jump':
    case 'condition': {
      const { question } = instruction;
      if (!question) return [];
      return question.context ? [question.prompt, question.context] : [question.prompt];
    }
    case 'foreach':
      return [instruction.items];
    case 'reasoning':
    case 'broken':
      return [];
  }
}

/** The variables that an instruction itself writes, in order. */
export function writesOf(instruction: Instruction): readonly Named[] {
  switch (instruction.kind) {
    case 'assign':
      return instruction.entries;
    case 'call': {
      const { outputs } = instruction;
      if (outputs.kind === 'none') return [];
      return outputs.kind === 'whole' ? [outputs.name] : outputs.names;
    }
    case 'foreach': {
      const { item, index, output } = instruction;
      return [item, index, output].filter((name) => name !== undefined);
    }
    case 'broken':
      return instruction.writes.map((name) => ({ ...siteOf(instruction), name }));
    case 'jump':
    case 'condition':
    case 'reasoning':
      return [];
  }
}

export const answers = (instruction: Instruction): boolean =>
  writesOf(instruction).some(({ name }) => name === answerName);
