/**
 * Writes that are settled but for their turn: what they are asked for with is there, and only what
 * stands before them keeps them from starting. A person may decide about them now.
 */
import type { Request } from '../../program/effect.ts';
import type { State } from '../state.ts';
import { requestOf } from './request.ts';

/** In program order, of each line. They are not asked for yet, and may never be. */
export function announced({ hub }: State): Request[] {
  return [...hub.byPath.values()].flatMap((state) =>
    state.gated.flatMap((entry) => {
      const { work } = entry;
      const isSettled = entry.state === 'ready' && work.kind === 'effect' && work.class === 'write';
      if (!isSettled || work.text === undefined || work.race || work.rounds || work.task?.fan) {
        return [];
      }
      const isGone = state.failed !== undefined && entry.seq > state.failed;
      return isGone ? [] : [requestOf(state, entry, work)];
    }),
  );
}
