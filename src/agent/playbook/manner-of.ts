/** How playbooks are played: as the call says, else the configuration, else the file itself. */
import {
  type Manner,
  mannerDefaults,
  mannerIn,
  ownManner,
  readManner,
} from '../../dialects/playbook/manner.ts';
import { readTree } from '../../dialects/playbook/reader.ts';
import type { Workspace } from '../port/workspace.ts';

/** `text`: of the playbooks, compiled or not; what is wrong in it, checking it says. */
export function mannerOf(
  { settings }: Pick<Workspace, 'settings'>,
  flags: Partial<Manner>,
  text?: string,
): Manner {
  const own = text === undefined ? undefined : ownManner(readTree(text).tree.file.metadata);
  return {
    ...mannerDefaults,
    ...readManner(own).manner,
    ...settings.playbooks,
    ...mannerIn(flags),
  };
}
