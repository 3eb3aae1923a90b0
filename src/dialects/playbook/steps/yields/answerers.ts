/**
 * Whose answer is waited for where a line does not say: `Wait`, `Wait for the reply`. It is that of
 * the agent, or the meeting, that was spoken to before it, or else of the user.
 */
import { isSamePlace } from '../../source/tree.ts';
import { type Draft, flatDrafts } from '../draft.ts';
import { saidBy } from '../statements/wait-lines.ts';
import { Needs, type YieldContext } from './needs.ts';

export function withAnswerers(drafts: readonly Draft[], context: YieldContext): readonly Draft[] {
  if (!flatDrafts(drafts).some(({ isForAnyone }) => isForAnyone)) return drafts;
  return answered(drafts, undefined, new Needs(context, drafts));
}

/** `spokenTo` is whom the line around has spoken to, and has not heard. */
function answered(
  drafts: readonly Draft[],
  spokenTo: string | undefined,
  needs: Needs,
): readonly Draft[] {
  let whom = spokenTo;
  let heard: { readonly wait: Draft; readonly whom: string } | undefined;
  return drafts.map((draft) => {
    if (draft.isForAnyone && whom !== undefined) {
      heard = { wait: draft, whom };
      whom = undefined;
      const reason = heard.whom === 'meeting' ? heard.whom : `agent ${heard.whom}`;
      return { ...draft, text: draft.text.replace(/^for user(?:;.*)?/s, `for ${reason}`) };
    }
    const isTaken = heard !== undefined && isSamePlace(heard.wait.place, draft.place);
    if (heard && isTaken && draft.text.endsWith(userSaid)) {
      return { ...draft, text: draft.text.replace(userSaid, saidBy(heard.whom)) };
    }
    const { say } = needs.meaning(draft);
    if (say) whom = needs.agentOf(say);
    const children = answered(draft.children, whom, needs);
    if (draft.children.length > 0 || !(say || isAside(draft, needs))) whom = undefined;
    return { ...draft, children };
  });
}

const userSaid = saidBy('the user');

/** Whether nobody is spoken to there, nor needs what somebody answers. */
function isAside(draft: Draft, needs: Needs): boolean {
  if (draft.isAmbiguous) return false;
  if (draft.code === 'CHK' || draft.code === 'TNK') return true;
  const { reads, value } = needs.meaning(draft);
  return draft.code === 'EXE' && value !== undefined && reads.length === 0;
}
