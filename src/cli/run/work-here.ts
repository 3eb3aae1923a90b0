/**
 * Work at this terminal: its journal, whoever is asked and looks on, and how it ends. Commands that
 * start runs or go on with them differ in what they do with these.
 */
import type { Agent } from '../../agent/agent.ts';
import { journalPath, type Workspace } from '../../agent/port/workspace.ts';
import { findProgramRun } from '../../agent/record/find-run.ts';
import type { Worked } from '../../agent/session.ts';
import { openToolbox, type Toolbox, type ToolboxOptions } from '../../agent/tools/toolbox.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { ExitCode } from '../exit.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { withJournal } from './journal.ts';
import { reportEnd } from './report-end.ts';
import type { RunFlags } from './run-options.ts';
import { type TerminalHost, type TerminalOptions, terminalHost } from './terminal-host.ts';

export interface WorkOptions extends Omit<TerminalOptions, 'report'> {
  readonly workspace: Workspace;
  readonly flags: RunFlags;
  /** One that is open already, and stays so. */
  readonly journal?: Journal;
  /** False: the journal is in memory. */
  readonly isKept?: boolean | undefined;
  /** False where other commands do not look into the journal by themselves. */
  readonly isNamed?: boolean | undefined;
}

export interface WorkHere {
  readonly workspace: Workspace;
  readonly journal: Journal;
  readonly isDurable: boolean;
  readonly host: TerminalHost;
  /** Prints how it has ended, in the form that was asked for, and gives the exit code. */
  report(end: Worked): ExitCode;
}

export async function workHere(
  options: WorkOptions,
  act: (work: WorkHere) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { workspace, flags, isKept = true, isNamed = true } = options;
  const journal = options.journal ?? openJournal(isKept ? journalPath(workspace) : ':memory:');
  const isDurable = isKept && isNamed;
  const reporting = { journal, isDurable, flags, startedAt: Date.now() };
  const report: WorkHere['report'] = (end) => reportEnd(end, reporting, host.lastSaid());
  const host = terminalHost({ ...options, report });
  try {
    return await act({ workspace, journal, isDurable, host, report });
  } finally {
    if (!options.journal) journal.close();
  }
}

export interface ToolWork extends WorkHere {
  readonly toolbox: Toolbox;
}

/** With the tools of the workspace. */
export async function workWithTools(
  { tools = {}, ...options }: WorkOptions & { readonly tools?: ToolboxOptions },
  act: (work: ToolWork) => Promise<ExitCode>,
): Promise<ExitCode> {
  const toolbox = await openToolbox(options.workspace, tools);
  try {
    return await workHere(options, (work) => act({ ...work, toolbox }));
  } finally {
    toolbox.close();
  }
}

/** On the run of a program that there is, by an agent. */
export async function workOnRun(
  name: string,
  flags: RunFlags,
  act: (work: WorkHere & { readonly base: RunSummary; readonly agent: Agent }) => Promise<ExitCode>,
): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags });
  const { Agent } = await import('../../agent/agent.ts');
  return await withJournal(workspace, async (journal) => {
    const base = findProgramRun(journal, name);
    return await workHere({ workspace, journal, flags }, (work) =>
      act({ ...work, base, agent: new Agent({ ...work, isOwn: false }) }),
    );
  });
}
