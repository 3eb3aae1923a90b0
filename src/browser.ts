/**
 * planvm in a browser: checks programs and steps them, and leaves to the page what they ask for.
 * Nothing that it imports needs a host. The stackvm dialects are there from the start; the others,
 * and the library functions that only they call, are loaded by `openDialect`.
 *
 *     import { argumentsOf, check, createMachine, outcomeOf } from 'planvm/browser';
 *
 *     const { program } = check(text, { tools });
 *     const machine = createMachine(program, { tools });
 *     for (const request of machine.run(10_000).requests) {
 *       machine.settle(request.id, outcomeOf(await call(request.tool, argumentsOf(request))));
 *     }
 */
import { DialectError, type DialectName, dialectNames, isOpen } from './browser/core.ts';

export {
  argumentsOf,
  type Checked,
  type CheckOptions,
  check,
  createMachine,
  type Diagnostic,
  DialectError,
  type DialectName,
  dataOf,
  type Limits,
  type Machine,
  type Outcome,
  outcomeOf,
  type Program,
  type Request,
  type RunOptions,
  restoreMachine,
  type Snapshot,
  type Tool,
  type ToolSpec,
  type Turn,
  type Value,
  type View,
} from './browser/core.ts';

/**
 * Loads what a dialect needs: from then on `check` knows it and machines run its programs. Throws
 * `DialectError` for a name that no dialect has.
 */
export async function openDialect(name: DialectName): Promise<void> {
  if (!dialectNames.includes(name)) {
    throw new DialectError(name, `one of ${dialectNames.join(', ')}`);
  }
  if (isOpen(name) || name === 'stackvm-1' || name === 'stackvm-2') return;
  if (name === 'starlark') (await import('./browser/starlark.ts')).openStarlark();
  else if (name === 'playbook') (await import('./browser/playbooks.ts')).openPlaybooks();
  else (await import('./browser/others.ts')).openOther(name);
}
