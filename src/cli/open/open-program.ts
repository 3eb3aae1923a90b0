/** The program of a file, checked, with what running it needs: what `run` and `debug` share. */

import { withServersOf } from '../../agent/playbook/servers-of.ts';
import type { Workspace } from '../../agent/port/workspace.ts';
import { saidModels } from '../../agent/program/agent-models.ts';
import { checkSource, joinsIn } from '../../agent/program/check.ts';
import type { Source } from '../../agent/program/source.ts';
import { withUsedPlans } from '../../agent/program/used-plans.ts';
import { openToolbox, refuseSecrets, type Toolbox } from '../../agent/tools/toolbox.ts';
import { choosesNoTools, openListedTools } from '../../agent/tools/tools-of-program.ts';
import type { Checked } from '../../dialects/dialect.ts';
import type { Value } from '../../program/value.ts';
import { type InputFlags, readInputs, readingInputsOf } from '../program/inputs.ts';
import { readProgram } from '../program/read-program.ts';
import type { PlanFlags, RunFlags } from '../run/run-options.ts';
import { givenLimits } from '../settings/limit-options.ts';
import { openWorkspace } from '../settings/workspace.ts';

export interface ProgramFlags extends RunFlags, InputFlags, PlanFlags {
  readonly strict?: true;
  /** Of playbooks: whether servers may have what the file says that they need. */
  readonly trustServers?: true;
  /** What the program is for, where somebody says it. */
  readonly goal?: string;
}

export interface OpenProgram {
  readonly workspace: Workspace;
  /** The caller's to close. */
  readonly toolbox: Toolbox;
  readonly inputs: ReadonlyMap<string, Value>;
  readonly source: Source;
  readonly checked: Checked;
}

/** Throws `AgentError` for what is wrong with anything but the program. */
export async function openProgram(file: string, flags: ProgramFlags): Promise<OpenProgram> {
  const inputs = new Map([...readInputs(flags), ...readingInputsOf(flags)]);
  return await openSource(await readProgram(file), inputs, flags);
}

/** The same for a text that is there already. */
export async function openSource(
  given: Source,
  inputs: ReadonlyMap<string, Value>,
  flags: ProgramFlags,
): Promise<OpenProgram> {
  const own = await openWorkspace({ flags, limits: givenLimits(flags) });
  const source = await withUsedPlans(given, own);
  const workspace = await withServersOf(source, own, {
    ...{ contact: 'now', trusts: flags.trustServers, asks: flags.prompts !== false },
  });
  if (flags.goal !== undefined) refuseSecrets(workspace, 'the goal', flags.goal);
  const joins = flags.join !== false && joinsIn(source, workspace);
  const parts = { record: flags.record, joins, goal: flags.goal };
  const checkWith = (toolbox: Toolbox): OpenProgram => {
    try {
      const checked = checkSource(source, {
        dialect: workspace.settings.dialect,
        specs: toolbox.specs,
        inputs: [...inputs.keys()],
        limits: workspace.settings.limits,
        models: saidModels(workspace.settings),
        strict: flags.strict,
      });
      return { workspace, toolbox, inputs, source, checked };
    } catch (error) {
      toolbox.close();
      throw error;
    }
  };
  const repairs = givenLimits(flags).repairs ?? 0;
  const known = repairs === 0 ? await openListedTools(workspace, parts) : undefined;
  if (known) {
    const opened = checkWith(known);
    const { program } = opened.checked;
    const isAlone = program !== undefined && !joins && choosesNoTools(program);
    if (known.unlisted === 0 || isAlone) return opened;
    known.close();
  }
  return checkWith(await openToolbox(workspace, parts));
}
