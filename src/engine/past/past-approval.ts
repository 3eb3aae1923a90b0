/** What people have been asked to approve, and have decided, by the journal. */
import type { RunEvent } from '../journal/journal.ts';

export interface PastApproval {
  readonly tool: string;
  readonly step: string;
  /** Canonical text of the arguments that it is about. */
  readonly request: string;
  readonly why: string;
  readonly state: 'requested' | 'granted' | 'denied';
  /** Who has decided; empty before. */
  readonly by: string;
  readonly note: string | undefined;
}

type ApprovalEvent = Extract<RunEvent, { type: `approval.${string}` }>;

export function readApproval(approvals: Map<string, PastApproval>, event: ApprovalEvent): void {
  const { effect } = event;
  if (event.type === 'approval.requested') {
    const { tool, step, request, why } = event;
    const undecided = { state: 'requested', by: '', note: undefined } as const;
    approvals.set(effect, { tool, step, request, why, ...undecided });
    return;
  }
  if (event.type === 'approval.withdrawn') approvals.delete(effect);
  const asked = approvals.get(effect);
  if (!asked || event.type === 'approval.withdrawn') return;
  const state = event.type === 'approval.granted' ? 'granted' : 'denied';
  approvals.set(effect, { ...asked, state, by: event.by, note: event.note });
}
