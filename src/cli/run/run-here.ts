/** Runs a program at this terminal: of a file, or a saved plan by its name. */

import type { OpenProgram } from '../../agent/open-program.ts';
import { InvalidProgram } from '../../agent/port/errors.ts';
import type { Source } from '../../agent/program/source.ts';
import { findPlan, savedPlans } from '../../agent/record/plan-store.ts';
import { invalidResult } from '../../agent/record/warnings.ts';
import type { Worked } from '../../agent/session.ts';
import {
  type ProgramParts,
  type ProgramWork,
  runOpened,
  withProgram,
} from '../../agent/sessions.ts';
import { refuseSecrets } from '../../agent/tools/toolbox.ts';
import { mannerIn } from '../../dialects/playbook/manner.ts';
import { RunExists } from '../../engine/run-name.ts';
import { fromJson, stringify } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { flagged } from '../advice.ts';
import { type ExitCode, exit } from '../exit.ts';
import type { PlaybookFlags } from '../playbook/playbook-options.ts';
import { talker } from '../playbook/talker.ts';
import { type InputFlags, readInputs, readingInputsOf } from '../program/inputs.ts';
import { readProgram, sayDiagnostics } from '../program/read-program.ts';
import { givenLimits } from '../settings/limit-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { aloudFor } from '../view/aloud.ts';
import { print, say } from '../view/output.ts';
import { namesIn } from './report-end.ts';
import type { PlanFlags, RunFlags } from './run-options.ts';
import { type WorkHere, type WorkOptions, workHere } from './work-here.ts';

export interface ProgramFlags extends RunFlags, InputFlags, PlanFlags, PlaybookFlags {
  readonly strict?: true;
  /** What the program is for, where somebody says it. */
  readonly goal?: string;
  readonly sequential?: true;
  /** False: a guard of a saved plan that does not hold is a failure like any other. */
  readonly replan?: boolean;
}

/** `name`: a file, `-` for stdin, `@` and the name of a saved plan. Throws `AgentError`. */
export async function readParts(name: string, flags: ProgramFlags): Promise<ProgramParts> {
  const inputs = readInputs(flags);
  if (!name.startsWith('@')) return await partsOf(await readProgram(name), inputs, flags);
  const plan = findPlan(savedPlans(await openWorkspace({ flags })), name.slice(1));
  const { inputsIn } = await import('../../planner/compile.ts');
  const own = inputsIn(plan.text).map((input) => [input.name, fromJson(input.value)] as const);
  const { text, goal, dialect } = plan;
  const source = { text, file: name, title: goal };
  const all = new Map([...own, ...inputs]);
  const parts = await partsOf(source, all, { goal, ...flags, dialect });
  return { ...parts, saved: { plan, replan: flags.replan !== false } };
}

async function partsOf(
  source: Source,
  inputs: ReadonlyMap<string, Value>,
  flags: ProgramFlags,
): Promise<ProgramParts> {
  const { goal, strict, join = true, trustServers, prompts = true, agentModel } = flags;
  const workspace = await openWorkspace({ flags });
  if (goal !== undefined) refuseSecrets(workspace, 'the goal', goal);
  return {
    ...{ source, workspace, goal, strict, names: namesIn(workspace, flags) },
    inputs: new Map([...inputs, ...readingInputsOf(flags)]),
    ...{ joins: join, trusts: trustServers, asks: prompts, idle: false },
    ...{ repairs: givenLimits(flags).repairs ?? 0, sequential: flags.sequential === true },
    ...{ manner: mannerIn(flags), agentModels: agentModel },
  };
}

export interface RunOptions extends Pick<WorkOptions, 'isKept'> {
  /** Looks at the program before it runs; one that it throws for does not. */
  opened?(program: OpenProgram): Promise<void> | void;
}

/** Prints how it ended; where it was begun before under its id, that run goes on. */
export async function runHere(
  parts: ProgramParts,
  flags: ProgramFlags,
  { isKept, opened }: RunOptions = {},
): Promise<ExitCode> {
  const { idle, source } = parts;
  const { person, close } = talker(flags, idle);
  const explaining = flags.explain ? await import('../playbook/explain.ts') : undefined;
  const ready: ProgramWork['ready'] = ({ file, isListener }) => {
    for (const line of explaining?.fileLines(file) ?? []) say(line);
    if (idle || !isListener) return;
    const chat = `planvm chat ${source.file} talks with it`;
    say(`${source.file}: nothing begins by itself, so it listens; ${chat}`);
  };
  const act = withProgram(parts, async (program) => {
    await opened?.(program);
    const { workspace } = program;
    const here = { workspace, flags, isKept, person, aloud: aloudFor(flags) };
    return await workHere(here, async ({ report, ...work }) => {
      const end = await runOpened(program, { ...parts, ...work, ready }, work.host).catch(
        (error: unknown) => begunBefore(error, work, flags),
      );
      const code = report(end);
      for (const line of explaining?.promptLines(work.journal, end.result.run) ?? []) say(line);
      return code;
    });
  });
  return await orInvalid(act, flags).finally(close);
}

/** What there is under the id of the run that was to begin; throws all else that is thrown. */
async function begunBefore(
  error: unknown,
  work: Omit<WorkHere, 'report'>,
  flags: RunFlags,
): Promise<Worked> {
  if (!(error instanceof RunExists)) throw error;
  const { takeUp } = await import('../../agent/resume-session.ts');
  const options = { limits: givenLimits(flags) };
  const end = await takeUp({ ...work, names: {}, options }, error.existing, work.host);
  const { sourced } = await import('../view/answer-sources.ts');
  return { ...end, result: sourced(end.result, work.journal, flags) };
}

/** Says what is wrong with a program that is none, as what came of it. */
export async function orInvalid(
  act: Promise<ExitCode>,
  flags: Pick<RunFlags, 'events' | 'json'>,
): Promise<ExitCode> {
  try {
    return await act;
  } catch (error) {
    if (!(error instanceof InvalidProgram)) throw error;
    const { diagnostics, source } = error;
    sayDiagnostics(diagnostics, source);
    const result = invalidResult(diagnostics.map(flagged));
    if (flags.events) print(stringify({ type: 'run.result', ...result }));
    else if (flags.json) print(stringify(result, 2));
    return exit.invalid;
  }
}
