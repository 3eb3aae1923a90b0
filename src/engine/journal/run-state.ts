/** Where a run stands, and why it stands there. */

export type RunStatus =
  | 'running'
  | 'done'
  | 'failed'
  | 'invalid'
  | 'waiting'
  | 'suspended'
  | 'cancelled';

export type RunReason =
  | 'person'
  | 'approval'
  /** It waits for a moment that is so far away that no process stays for it. */
  | 'time'
  | 'limit'
  | 'unknown'
  | 'diverged'
  | 'interrupted';
