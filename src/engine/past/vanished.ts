/**
 * What the base of a fork has done to the world and the fork has not asked for: said at its end, or
 * asked about before it. The effect of the base goes by its id there, `base:0#7`.
 */
import type { ToolSpec } from '../../program/effect.ts';
import type { EventBody } from '../journal/journal.ts';
import type { KeptPost } from '../journal/post.ts';
import type { OpenApproval } from '../perform/person.ts';
import { shownOf, type Warning } from '../result.ts';
import { type Stop, stop } from '../stop.ts';
import { waitingStop } from '../waiting-stop.ts';
import type { PastApproval } from './past.ts';
import type { Replay } from './replay.ts';
import type { Leftover } from './reuse.ts';

/** A tool that is not declared is taken for one that writes. */
export const writes =
  (specs: ReadonlyMap<string, ToolSpec>) =>
  (tool: string): boolean =>
    (specs.get(tool)?.effect ?? 'write') === 'write';

const why = 'the run that this one was forked from has done it, and this one does without it';

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

export interface Asking {
  readonly run: string;
  /** What people have decided before. */
  readonly approvals: ReadonlyMap<string, PastApproval>;
  readonly posts: readonly KeptPost[];
  record(event: EventBody): void;
  taken(post: number): void;
}

/** Why the fork does not end yet, or not well; undefined where all were approved. */
export function vanishedStop(vanished: readonly Leftover[], asking: Asking): Stop | undefined {
  const open: OpenApproval[] = [];
  for (const { id, effect } of vanished) {
    const { tool, step, request = '{}' } = effect;
    const own = { effect: `base:${id}`, tool, step };
    const decision = decisionOf(own.effect, asking);
    if (decision === 'denied') return deniedStop(tool, id);
    if (decision === 'granted') continue;
    if (decision === undefined) {
      asking.record({ type: 'approval.requested', ...own, request, why });
    }
    open.push({ kind: 'approval', ...own, request: shownOf(request), why });
  }
  return open.length === 0 ? undefined : waitingStop(asking.run, open);
}

/** Takes what was posted about it since. */
function decisionOf(effect: string, asking: Asking): PastApproval['state'] | undefined {
  const before = asking.approvals.get(effect)?.state;
  if (before === undefined || before !== 'requested') return before;
  for (const { id, post } of asking.posts) {
    if ((post.kind !== 'approve' && post.kind !== 'deny') || post.effect !== effect) continue;
    const { kind, by, note } = post;
    const said = { effect, by, ...(note === undefined ? {} : { note }) };
    asking.record({ type: kind === 'approve' ? 'approval.granted' : 'approval.denied', ...said });
    asking.taken(id);
    return kind === 'approve' ? 'granted' : 'denied';
  }
  return before;
}

function deniedStop(tool: string, id: string): Stop {
  const message = `a person wants the fork not to do without ${tool}, effect ${id} of its base`;
  const hint = 'fork the base in another way: planvm fork … --preview says what it does without';
  return { ...stop(undefined, 4, 'PV5135', message, hint), status: 'cancelled' };
}
