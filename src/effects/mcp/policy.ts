/** What a person's settings say of a server, beyond the file that names it. Pure. */
import type { ToolSpec } from '../../program/effect.ts';
import type { ToolLimits } from '../../program/limits.ts';

export interface ServerPolicy {
  /** Names of tools that may be called, `read_*`; all where it is absent. */
  readonly allow?: readonly string[];
  /** Names of tools that may not, also of those that are allowed. */
  readonly deny?: readonly string[];
  /** By name of the tool: what it is, whatever its server says. */
  readonly tools?: Readonly<Record<string, ToolOverride>>;
  /** How long it may take to start; see `startMsDefault`. */
  readonly startMs?: number;
  /** Time of one call, where no limit of the tool says so. */
  readonly timeoutMs?: number;
  /** Where that is written, other than in settings: what to do about one that is too short. */
  readonly timeoutHint?: string | undefined;
  /** Which revisions of the protocol it is asked for. */
  readonly protocol?: 'legacy' | 'auto';
  /** False: it is as if it were not there. */
  readonly enabled?: boolean;
}

export interface ToolOverride {
  readonly effect?: ToolSpec['effect'];
  readonly idempotent?: boolean;
  readonly destructive?: boolean;
  readonly limits?: ToolLimits;
}

export const startMsDefault = 20_000;

/** Whether the settings let a tool of the server be called. */
export function mayCall({ allow, deny = [] }: ServerPolicy, tool: string): boolean {
  const fits = (names: readonly string[]): boolean => names.some((name) => isMatch(name, tool));
  return (allow === undefined || fits(allow)) && !fits(deny);
}

/** `*` stands for any text. */
function isMatch(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[^\w]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}
