/** What a program says, once it is known what its calls mean. */
import type { Site } from '../../program/effect.ts';
import type { Expression } from '../stackvm/plan.ts';
import type { HoleSyntax, LiteralSyntax, StatementSyntax } from './syntax.ts';

/** What gives values: one, but for `take` and `foreach`, which give any number of them. */
export type Operand =
  | LiteralSyntax
  | HoleSyntax
  | ListOperand
  | ObjectOperand
  | Take
  | Get
  | ModelCall
  | HelperCall
  | Data
  | Foreach
  | Use;

export interface ListOperand extends Site {
  readonly kind: 'list';
  readonly items: readonly Operand[];
}

export interface ObjectOperand extends Site {
  readonly kind: 'object';
  readonly entries: readonly (Site & { readonly name: string; readonly value: Operand })[];
}

/** `stack()`, which takes all values off the stack, and `stack_pop(n)`. */
export interface Take extends Site {
  readonly kind: 'take';
  readonly count: number | 'all';
}

export interface Get extends Site {
  readonly kind: 'get';
  readonly name: string;
}

export interface ModelCall extends Site {
  readonly kind: 'model';
  /** What the model is to look at; undefined where the program does not say. */
  readonly operands: readonly Operand[] | undefined;
  readonly instruction: Operand;
  readonly source: string;
}

export interface HelperCall extends Site {
  readonly kind: 'helper';
  readonly name: string;
  readonly args: readonly HelperArgument[];
  /** The call of the helper as it is written. */
  readonly source: string;
  /** Whether function_call around it is missing. */
  readonly isBare: boolean;
}

export interface HelperArgument extends Site {
  readonly name?: string;
  readonly value: Operand;
}

export interface Data extends Site {
  readonly kind: 'data';
  readonly value: Operand;
  readonly source: string;
}

/** The results of another program. */
export interface Use extends Site {
  readonly kind: 'use';
  readonly name: string;
  readonly source: string;
}

export interface Foreach extends Site {
  readonly kind: 'foreach';
  readonly over: Operand;
  readonly body: Action;
  readonly bodySource: string;
  readonly source: string;
  /** What becomes of an element whose statement fails; absent: the run fails. */
  readonly onError?: OnError;
}

export interface OnError {
  /** How often the statement is done again. */
  readonly retries: number;
  /** What is done last: the run fails, the element is passed over, or a statement stands in. */
  readonly last: 'fail' | 'skip' | Action;
}

/** What a statement does; one that pushes leaves its values on the stack. */
export type Action =
  | (Site & { readonly kind: 'push'; readonly value: Operand })
  | (Site & { readonly kind: 'answer'; readonly value: Operand })
  | Setting
  | GivingUp;

export interface Setting extends Site {
  readonly kind: 'set';
  readonly name: string;
  /** What people and models are told that it is. */
  readonly title?: string;
  readonly value: Operand;
}

/** `uncertain_or_error`: the program ends with what it says. */
export interface GivingUp extends Site {
  readonly kind: 'give up';
  readonly reason: Operand | undefined;
}

export interface Statement {
  /** Its number among the statements, from 1. */
  readonly label: string;
  readonly action: Action;
  readonly syntax: StatementSyntax;
}

/** The global variable that holds the stack where only the run knows how many values it has. */
export const stackName = 'stack';

/** A statement and those inside of it. */
export function everyAction(action: Action): Action[] {
  const inner = action.kind === 'give up' ? action.reason : action.value;
  return [action, ...(inner ? actionsIn(inner) : [])];
}

/** Statements are only in what foreach does. */
function actionsIn(operand: Operand): Action[] {
  if (operand.kind === 'foreach') {
    const last = operand.onError?.last;
    const handler = typeof last === 'object' ? everyAction(last) : [];
    return [...actionsIn(operand.over), ...everyAction(operand.body), ...handler];
  }
  return partsOf(operand).flatMap(actionsIn);
}

/** An operand and those inside of it, but for what foreach does. */
export const everyOperand = (operand: Operand): Operand[] => [
  operand,
  ...(operand.kind === 'foreach' ? [operand.over] : partsOf(operand)).flatMap(everyOperand),
];

/** The operands that stand right in an operand, but for those of foreach. */
function partsOf(operand: Operand): readonly Operand[] {
  switch (operand.kind) {
    case 'literal':
    case 'hole':
    case 'take':
    case 'get':
    case 'use':
    case 'foreach':
      return [];
    case 'list':
      return operand.items;
    case 'object':
      return operand.entries.map(({ value }) => value);
    case 'model':
      return [...(operand.operands ?? []), operand.instruction];
    case 'helper':
      return operand.args.map(({ value }) => value);
    case 'data':
      return [operand.value];
  }
}

/** A value that is written out; undefined where only the run has it. */
export function literalOf(value: Operand): Expression | undefined {
  const { line, column } = value;
  switch (value.kind) {
    case 'literal':
      return value;
    case 'list': {
      const items = value.items.map(literalOf).filter((item) => item !== undefined);
      if (items.length < value.items.length) return undefined;
      return { kind: 'list', items, line, column };
    }
    case 'object': {
      const entries = value.entries.flatMap((entry) => {
        const inner = literalOf(entry.value);
        return inner ? [{ ...entry, value: inner }] : [];
      });
      if (entries.length < value.entries.length) return undefined;
      return { kind: 'object', entries, line, column };
    }
    default:
      return undefined;
  }
}

/** The statement that gives a value; what is written out in a program says itself what it is. */
export function sourceOf(operand: Operand): string {
  switch (operand.kind) {
    case 'data':
      return literalOf(operand.value) ? '' : operand.source;
    case 'model':
    case 'helper':
    case 'foreach':
    case 'use':
      return operand.source;
    default:
      return '';
  }
}
