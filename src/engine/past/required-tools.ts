/** The tools that a run asks for as soon as it goes on. */
import { RunError } from '../codes.ts';
import { Walk, type WalkParts } from './walk.ts';

/**
 * Throws `RunError` PV5104 where one of them is not among the handlers. `inherits`: of a fork that
 * has not begun. Nothing is performed, and the journal stays as it is.
 */
export function requireTools(
  parts: Pick<WalkParts, 'loaded' | 'past' | 'status' | 'inherits'>,
  handlers: ReadonlyMap<string, unknown>,
): void {
  const asked = new Map<string, string>();
  const walk = new Walk({
    ...parts,
    onRequest: ({ id, tool, race }, known) => {
      if (!race && (known.kind === 'nothing' || known.kind === 'begun')) asked.set(id, tool);
    },
    onCancel: (effect) => asked.delete(effect),
  });
  while (walk.next(() => false).kind !== 'end');
  for (const tool of asked.values()) if (!handlers.has(tool)) throw missingTool(tool);
}

export const missingTool = (tool: string): RunError =>
  new RunError('PV5104', `the run needs the tool ${tool}, which is not configured`, {
    hint: 'resume it with the tools it was started with, and let it have them',
  });
