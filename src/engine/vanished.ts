/** Says what the base of a fork has done to the world that the fork has not asked for. */
import type { ToolSpec } from '../program/effect.ts';
import type { Replay } from './replay.ts';
import type { Warning } from './result.ts';

/** A tool that is not declared is taken for one that writes. */
export const writes =
  (specs: ReadonlyMap<string, ToolSpec>) =>
  (tool: string): boolean =>
    (specs.get(tool)?.effect ?? 'write') === 'write';

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
