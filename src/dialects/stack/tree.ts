/**
 * A program on a stack as it is read, with what reading has found. The programs that it uses stand
 * behind it in the same text, each behind a comment with its name, as files that a program in
 * Starlark loads.
 */
import type { Diagnostic } from '../../program/diagnostic.ts';
import { unbundle } from '../bundled.ts';
import { type Action, everyAction, type Statement } from './nodes.ts';
import { readStatements } from './reader.ts';
import { found } from './report.ts';
import { actionOf } from './shape.ts';

export interface StackTree {
  readonly statements: readonly Statement[];
  /** Whether there are others that could not be read, or understood. */
  readonly isBroken: boolean;
  /** The programs that it uses, by the names that it has for them. */
  readonly programs: ReadonlyMap<string, ReadTree>;
}

export interface ReadTree {
  readonly tree: StackTree;
  readonly diagnostics: readonly Diagnostic[];
}

export function readTree(text: string): ReadTree {
  const { main, files } = unbundle(text);
  const programs = new Map<string, ReadTree>();
  // All of them know the same programs, so that one that is used may use another.
  for (const [name, own] of files) programs.set(name, readOne(own, programs));
  return readOne(main, programs);
}

function readOne(text: string, programs: ReadonlyMap<string, ReadTree>): ReadTree {
  const { statements: all, broken, report } = readStatements(text);
  const statements = all.flatMap((syntax, index): Statement[] => {
    const label = String(index + 1);
    report.step = label;
    const action = actionOf(report, syntax.call);
    return action ? [{ label, action, syntax }] : [];
  });
  report.step = '';
  const isBroken = broken > 0 || statements.length < all.length;
  return { tree: { statements, isBroken, programs }, diagnostics: found(report) };
}

const actionsOf = ({ statements }: StackTree): Action[] =>
  statements.flatMap(({ action }) => everyAction(action));

/** The names of the variables that a program sets. */
export const namesSetIn = (tree: StackTree): string[] =>
  actionsOf(tree).flatMap((action) => (action.kind === 'set' ? [action.name] : []));

/** Whether a program itself says what its answers are, or that it has none. */
export const answersIn = (tree: StackTree): boolean =>
  actionsOf(tree).some(({ kind }) => kind === 'answer' || kind === 'give up');
