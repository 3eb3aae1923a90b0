/** What is read of a program before it is known what its calls mean. */
import type { Site } from '../../program/effect.ts';
import type { Float } from '../../program/value.ts';

/** Anything that stands where a value may stand. */
export type Syntax =
  | LiteralSyntax
  | (Site & { readonly kind: 'list'; readonly items: readonly Syntax[] })
  | (Site & { readonly kind: 'object'; readonly entries: readonly EntrySyntax[] })
  | (Site & { readonly kind: 'name'; readonly name: string })
  | HoleSyntax
  | CallSyntax;

export interface LiteralSyntax extends Site {
  readonly kind: 'literal';
  readonly value: null | boolean | number | bigint | Float | string;
}

/** What its author leaves open, in the words that stand there: `?`, `…`, `<first name>`. */
export interface HoleSyntax extends Site {
  readonly kind: 'hole';
  readonly text: string;
}

export interface EntrySyntax extends Site {
  readonly name: string;
  readonly value: Syntax;
}

export interface CallSyntax extends Site {
  readonly kind: 'call';
  /** With dots in it where a helper has a namespace. */
  readonly name: string;
  readonly args: readonly ArgumentSyntax[];
  /** The call as it is written. */
  readonly source: string;
}

export interface ArgumentSyntax extends Site {
  /** Where the argument is given by name. */
  readonly name?: string;
  readonly value: Syntax;
}

/** What `use` names: a text, or the bare name of a run or a program. */
export function nameOfUsed(value: Syntax): string | undefined {
  if (value.kind === 'name') return value.name;
  const text = value.kind === 'literal' ? value.value : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** A call that stands for itself. */
export interface StatementSyntax {
  readonly call: CallSyntax;
  /** The comment that ends in the line above. */
  readonly comment: string;
  /** Where its text begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** The statements that the language has, by the names that programs write. */
export const statementNames = [
  'llm_call',
  'foreach',
  'function_call',
  'data',
  'dataframe',
  'answer',
  'set',
  'get',
  'stack',
  'stack_pop',
  'uncertain_or_error',
  'use',
] as const;

export type StatementName = (typeof statementNames)[number];

export const isStatementName = (name: string): name is StatementName =>
  (statementNames as readonly string[]).includes(name);
