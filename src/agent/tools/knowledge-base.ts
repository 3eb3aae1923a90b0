/** The knowledge base of a workspace, with its embedding model where one is configured. */
import { type Knowledge, openKnowledge } from '../../effects/retrieve/knowledge.ts';
import { makeFolder } from '../../engine/folder.ts';
import { AgentError, reasonOf } from '../port/errors.ts';
import { knowledgePath, type Workspace } from '../port/workspace.ts';
import { embedderIn } from './model-roles.ts';

export function openBase(workspace: Workspace, options: { mustExist?: boolean } = {}): Knowledge {
  if (!options.mustExist) makeHome(workspace);
  const embedder = embedderIn(workspace);
  return openKnowledge(knowledgePath(workspace), { ...options, embedder });
}

function makeHome({ home }: Workspace): void {
  try {
    makeFolder(home);
  } catch (cause) {
    throw new AgentError('PV6022', `cannot make the folder ${home}: ${reasonOf(cause)}`, {
      facts: { file: home },
      cause,
    });
  }
}
