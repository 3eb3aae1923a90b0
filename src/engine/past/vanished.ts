/** What the base of a fork has done to the world and the fork does not ask for. */
import type { Machine } from '../../machine/machine.ts';
import { raceTool, type ToolSpec } from '../../program/effect.ts';
import type { Warning } from '../result.ts';
import type { Replay } from './replay.ts';
import type { Leftover } from './reuse.ts';

/** A tool that is not declared is taken for one that writes; a race does nothing. */
export const writes =
  (specs: ReadonlyMap<string, ToolSpec>) =>
  (tool: string): boolean =>
    tool !== raceTool && (specs.get(tool)?.effect ?? 'write') === 'write';

/**
 * What it has not asked for so far, and will not next: the machine goes ahead of a write that has
 * not begun, so it may have issued what it asks for behind that.
 */
export function vanishedSoFar(
  specs: ReadonlyMap<string, ToolSpec>,
  machine: Machine,
  from: { vanished(...of: Parameters<Replay['vanished']>): readonly Leftover[] },
): readonly Leftover[] {
  const isWrite = writes(specs);
  // What is open, or over, has been asked for.
  const coming = machine
    .inspect()
    .lines.flatMap(({ open }) => open)
    .flatMap(({ state, name, args }) =>
      state === 'ready' && args !== undefined && isWrite(name) ? [{ tool: name, args }] : [],
    );
  return from.vanished(isWrite, coming);
}

export function vanishedWarnings(
  replay: Replay,
  specs: ReadonlyMap<string, ToolSpec>,
): readonly Warning[] {
  return replay.vanished(writes(specs)).map(({ id, effect }) => ({
    message:
      `the base has done ${effect.tool} ${effect.request ?? ''} (effect ${id}), ` +
      'which this program does not ask for: it stays done',
    step: effect.step,
    hint: 'undo it by hand where it is not wanted',
  }));
}
