/** A program on a stack as it is read, with what reading has found. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Statement } from './nodes.ts';
import { readStatements } from './reader.ts';
import { found } from './report.ts';
import { actionOf } from './shape.ts';

export interface StackTree {
  readonly statements: readonly Statement[];
  /** Whether there are others that could not be read, or understood. */
  readonly isBroken: boolean;
}

export interface ReadTree {
  readonly tree: StackTree;
  readonly diagnostics: readonly Diagnostic[];
}

export function readTree(text: string): ReadTree {
  const { statements: all, broken, report } = readStatements(text);
  const statements = all.flatMap((syntax, index): Statement[] => {
    const label = String(index + 1);
    report.step = label;
    const action = actionOf(report, syntax.call);
    return action ? [{ label, action, syntax }] : [];
  });
  report.step = '';
  const isBroken = broken > 0 || statements.length < all.length;
  return { tree: { statements, isBroken }, diagnostics: found(report) };
}
