/** The text of a program, checked, with the tools that a run of it would have. */
import type { Checked } from '../dialects/dialect.ts';
import type { Value } from '../program/value.ts';
import type { Workspace } from './port/workspace.ts';
import { checkIn } from './program/check.ts';
import type { Source } from './program/source.ts';
import { withNeeds } from './program-needs.ts';
import { openToolbox, type Toolbox } from './tools/toolbox.ts';
import { choosesNoTools, openListedTools } from './tools/tools-of-program.ts';

export interface OpenOptions {
  readonly inputs: ReadonlyMap<string, Value>;
  /** What the program is for, where somebody says it. */
  readonly goal?: string | undefined;
  /** How often a model may repair it: that model chooses among all tools. */
  readonly repairs?: number;
  /** False: no model joins the results of a plan of tasks. */
  readonly joins?: boolean;
  /** Whether warnings are errors. */
  readonly strict?: boolean | undefined;
  /** Whether servers may have everything that the text says they need. */
  readonly trusts?: boolean | undefined;
  /** Whether a person may be asked about those servers. */
  readonly asks?: boolean;
}

export interface OpenProgram {
  readonly workspace: Workspace;
  /** The caller closes it. */
  readonly toolbox: Toolbox;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly source: Source;
  readonly checked: Checked;
}

/**
 * Starts the servers of tools only where the program may call one of them. Throws `AgentError` for
 * everything but the program, whose diagnostics are in `checked`.
 */
export async function openProgram(
  text: Source,
  own: Workspace,
  options: OpenOptions,
): Promise<OpenProgram> {
  const { inputs, goal, repairs = 0, strict, trusts, asks = false } = options;
  const needs = { contact: 'now', joins: options.joins, trusts, asks } as const;
  const { source, workspace, joins } = await withNeeds(text, own, needs);
  const parts = { joins, goal };
  const checkWith = async (toolbox: Toolbox): Promise<OpenProgram> => {
    try {
      const known = { specs: toolbox.specs, inputs: [...inputs.keys()], strict };
      const checked = await checkIn(workspace, source, known);
      return { workspace, toolbox, inputs, source, checked };
    } catch (error) {
      toolbox.close();
      throw error;
    }
  };
  const listed = repairs === 0 ? await openListedTools(workspace, parts) : undefined;
  if (listed) {
    const opened = await checkWith(listed);
    const { program } = opened.checked;
    const isAlone = program !== undefined && !joins && choosesNoTools(program);
    if (listed.unlisted === 0 || isAlone) return opened;
    listed.close();
  }
  return await checkWith(await openToolbox(workspace, parts));
}
