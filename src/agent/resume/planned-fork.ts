/** Forks of a run by hand: planned and looked at, then made, run, or gone through. */
import { dialects } from '../../dialects/index.ts';
import { makeFork } from '../../engine/fork/fork.ts';
import { editFrom, type ForkChanges } from '../../engine/fork/fork-changes.ts';
import { draftFork, type ForkDraft, type ForkOptions } from '../../engine/fork/fork-draft.ts';
import { type ForkPreview, previewFork } from '../../engine/fork/fork-preview.ts';
import { isImported } from '../../engine/journal/distrust.ts';
import type { ForkEdit } from '../../engine/journal/fork-edit.ts';
import type { RunSummary } from '../../engine/journal/journal.ts';
import type { Load } from '../../engine/load.ts';
import type { RunResult } from '../../engine/result.ts';
import type { RunHandle } from '../../engine/run.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import type { Limits } from '../../program/limits.ts';
import { InvalidProgram } from '../port/errors.ts';
import type { HeldRun, Host, RunEnd } from '../port/host.ts';
import { approvalsIn } from '../port/settings.ts';
import { checkSource, checkSourceAmong, dialectOf } from '../program/check.ts';
import type { Source } from '../program/source.ts';
import { isPlaying } from '../record/asked.ts';
import { load } from '../record/load.ts';
import { playbooksSeen } from '../record/seen-source.ts';
import { warningsOf } from '../record/warnings.ts';
import { beginFork } from '../run/begin-again.ts';
import { drive } from '../run/drive.ts';
import type { Work } from '../run/work.ts';
import { fileOf, settingsOf } from '../settings/kept-settings.ts';
import { refuseSecrets, type Toolbox } from '../tools/toolbox.ts';
import { effectsOf } from './effects-of.ts';
import { refuseOtherLoop } from './imported-loop.ts';

export interface ForkCall extends Omit<Work, 'host'> {
  readonly base: RunSummary;
  readonly edit: Omit<ForkEdit, 'program'>;
  /** In place of the base's; its dialect is found out where absent. */
  readonly program?: { readonly source: Source; readonly dialect?: string | undefined } | undefined;
  /** Absolute path that the fork is known by, where it is not the base's. */
  readonly file?: string | undefined;
  /** Limits that differ from the base's. */
  readonly limits?: Partial<Limits> | undefined;
  /** Limits of playbooks that differ from the base's. */
  readonly allowed?: Allowed;
  readonly saying?: Host['saying'];
}

/** Nothing of it is in the journal. */
export interface PlannedFork {
  readonly preview: ForkPreview;
  /** Of somebody who goes through it: starting it makes the fork. */
  readonly held: HeldRun;
  /** Makes it, and runs nothing. Gives its id. */
  make(): string;
  /** Makes it and runs it. */
  run(host: Host): Promise<RunEnd>;
}

/** Throws as the engine's `forkRun` does, `InvalidProgram`, and `AgentError` for a secret. */
export async function planFork(call: ForkCall): Promise<PlannedFork> {
  const { journal, base, toolbox, isDurable } = call;
  const options = await optionsOf(call);
  const draft = draftOf(options);
  const { program, source } = draft.loaded;
  const { title } = draft.record;
  const callsFunctions = toolbox.callsFunctions(program);
  const start = (host: Host, more: Pick<ForkOptions, 'gate'> = {}): RunHandle => {
    toolbox.prepare(program);
    return beginFork({ ...call, host }, { ...options, ...more }, draft);
  };
  return {
    preview: previewFork(options, draft),
    held: {
      ...{ journal, title, dialect: source.dialect, program, callsFunctions },
      start: (more) => start({}, more),
    },
    make: () => makeFork(options, draft),
    async run(host) {
      const handle = start(host);
      const past = journal.events(handle.id);
      const playbooks = playbooksSeen(base, program);
      const endWith = (result: RunResult): RunEnd => ({
        ...{ result, text: source.text, file: fileOf(base), playbooks },
      });
      const live = { handle, program, title, past, callsFunctions, isDurable, endWith };
      return endWith(await drive(host, live));
    },
  };
}

/** The same for what a caller says in plain data. */
export async function planChanges(
  call: Omit<ForkCall, 'edit' | 'program'>,
  { program, ...changes }: ForkChanges,
): Promise<PlannedFork> {
  const edit = editFrom(changes);
  if (!program) return await planFork({ ...call, edit });
  const { text, dialect } = program;
  const source = { text, file: fileOf(call.base), title: '' };
  return await planFork({ ...call, edit, program: { source, dialect } });
}

/** What is wrong with a program is told by itself. */
function draftOf(options: ForkOptions): ForkDraft {
  try {
    return draftFork(options);
  } catch (error) {
    throw error instanceof Error && error.cause instanceof InvalidProgram ? error.cause : error;
  }
}

async function optionsOf(call: ForkCall): Promise<ForkOptions> {
  const { journal, base, workspace, toolbox, names = {}, allowed = {}, saying } = call;
  const { limits = {}, file = fileOf(base) } = call;
  await refuseOtherLoop(base, journal, toolbox, workspace);
  const program = call.program && (await writtenIn(call.program));
  const edit = await editIn(base, toolbox, { ...call.edit, ...(program && { program }) });
  for (const [what, text] of textsIn(edit)) refuseSecrets(workspace, what, text);
  const { id, title } = names;
  return {
    ...{ journal, run: base.id, edit, load: call.program ? loadWith(call.program, call) : load },
    limits: isImported(base) ? { ...workspace.settings.limits, ...limits } : limits,
    handlers: await effectsOf(base, { journal, toolbox, workspace }, allowed, saying),
    approvals: approvalsIn(workspace.settings),
    settings: { ...settingsOf(workspace.settings, file), ...toolbox.kept },
    ...{ title: title ?? base.title, ...(id !== undefined && { id }) },
  };
}

/** The program as the journal has it. */
async function writtenIn({
  source,
  dialect: said,
}: NonNullable<ForkCall['program']>): Promise<NonNullable<ForkEdit['program']>> {
  const dialect = said ?? (await dialectOf(source));
  if (dialect !== undefined) return { text: source.text, dialect };
  const { diagnostics } = await checkSource(source, { specs: new Map(), inputs: [] });
  throw new InvalidProgram(diagnostics, source);
}

/** What was accepted once is accepted again; what is new is not. */
const loadWith =
  (
    { source }: NonNullable<ForkCall['program']>,
    { workspace, limits: own }: Pick<ForkCall, 'workspace' | 'limits'>,
  ): Load =>
  (text, dialect, specs, inputs) => {
    if (text !== source.text) return load(text, dialect, specs, inputs);
    const limits = { ...workspace.settings.limits, ...own };
    const checked = checkSourceAmong(dialects, source, { dialect, specs, inputs, limits });
    if (!checked.program) throw new InvalidProgram(checked.diagnostics, source);
    return { program: checked.program, warnings: warningsOf(checked.diagnostics) };
  };

/** The edit as the program of the run has it. */
async function editIn(base: RunSummary, { specs }: Toolbox, edit: ForkEdit): Promise<ForkEdit> {
  if (edit.set === undefined || !isPlaying(base)) return edit;
  const { inLoopInputs } = await import('../playbook/fork-inputs.ts');
  return inLoopInputs(edit, base, specs);
}

/** What of an edit goes into the journal, and what it is called. */
function textsIn({ set = {}, outcomes = {}, program, note = '' }: ForkEdit): [string, string][] {
  return [
    ...Object.entries(set).map(([name, text]): [string, string] => [`the variable ${name}`, text]),
    ...Object.entries(outcomes).map(([effect, outcome]): [string, string] => {
      return [`the outcome of ${effect}`, outcome.ok ? outcome.value : outcome.error.message];
    }),
    ['the program', program?.text ?? ''],
    ['the note', note],
  ];
}
