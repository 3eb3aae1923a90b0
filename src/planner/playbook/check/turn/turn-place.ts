/** Where a turn stands as a reply to it is held against its playbook, and how strictly it is. */
import type { LinkedPlaybook } from '../../../../dialects/playbook/compiled/linked.ts';
import type { Strictness } from '../../../../dialects/playbook/source/manner.ts';
import type { MadeAct, Part } from '../../parts.ts';
import type { Directory } from '../values/directory.ts';
import type { Valued } from '../values/known-values.ts';

export interface TurnPlace {
  readonly playbook: LinkedPlaybook;
  readonly directory: Directory;
  /** Where it goes on. */
  readonly line: string;
  /** Those that have a value, but for those that somebody was asked for. */
  readonly variables: readonly Valued[];
  /** As written: they have values of before, and nothing has set them to what was answered. */
  readonly unset?: readonly string[];
  /** Whether the reply before it has waited at the line that it begins at. */
  readonly isBack?: boolean;
  /** What has stood of a reply that this one goes on behind. */
  readonly done: readonly Part[];
  /** By lines, what was heard of messages of theirs that have not been said. */
  readonly halves?: ReadonlyMap<string, string>;
  /** Keys of what replies before this one have called and said, by lines. */
  readonly acts?: Readonly<Record<string, readonly MadeAct[]>>;
  /** Whether it is in the rounds of a loop. */
  readonly isUnderWay?: boolean;
  /** Lines ahead that ask for what was known as the turn began. */
  readonly known?: readonly string[];
  /** The agent that it answers. */
  readonly partner?: string | undefined;
  readonly strictness: Strictness;
  readonly emit: (part: Part) => void;
  readonly warn: (message: string) => void;
}
