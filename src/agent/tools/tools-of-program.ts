/** Tools without their servers: a server that is down costs nothing where it is not used. */

import { delegateName } from '../../planner/delegate-specs.ts';
import type { Program } from '../../program/program.ts';
import { AgentError } from '../port/errors.ts';
import type { Workspace } from '../port/workspace.ts';
import { callsByName, openToolbox, type Toolbox, type ToolboxOptions, toolsIn } from './toolbox.ts';

/**
 * The tools that are known without starting a server. Undefined where the settings name a tool
 * that is not known.
 */
export async function openListedTools(
  workspace: Workspace,
  options: ToolboxOptions,
): Promise<Toolbox | undefined> {
  if (!workspace.hasServers) return undefined;
  try {
    return await openToolbox(workspace, { ...options, lists: false });
  } catch (error) {
    if (error instanceof AgentError) return undefined;
    throw error;
  }
}

/** The tools of a program that was checked before; servers are asked only where they are needed. */
export async function openToolsOf(
  program: () => Program,
  workspace: Workspace,
  options: ToolboxOptions,
): Promise<Toolbox> {
  const known = await openListedTools(workspace, options);
  if (known && (known.unlisted === 0 || hasAll(known, program()))) return known;
  known?.close();
  return await openToolbox(workspace, options);
}

/** Whether a program itself names all tools that its run may call. */
export const choosesNoTools = (program: Program): boolean =>
  !toolsIn(program).has(delegateName) && !callsByName(program);

const hasAll = ({ handlers }: Toolbox, program: Program): boolean =>
  choosesNoTools(program) && [...toolsIn(program)].every((name) => handlers.has(name));
