/** `planvm revise`: a model changes the program of a run as a person suggests; a fork runs it. */
import { type Command, Option } from '@commander-js/extra-typings';
import { describeFailure, type FailedProgram } from '../../agent/evidence/failure-text.ts';
import { revisionOf } from '../../agent/evidence/revision-of.ts';
import { begin } from '../../agent/goal/course.ts';
import { goalOf, ownGoal } from '../../agent/goal/goal-of.ts';
import { pursue } from '../../agent/goal/pursuit.ts';
import { type ForkPlan, planFork, writeChange } from '../../agent/loops/change-run.ts';
import { noteFork, takesNotes } from '../../agent/loops/note-run.ts';
import type { RunEnd } from '../../agent/port/host.ts';
import { askedOf, isPlaying } from '../../agent/record/asked.ts';
import { findProgramRun } from '../../agent/record/find-run.ts';
import { keptResult } from '../../agent/record/kept-result.ts';
import { nothingUsed } from '../../agent/run/usage.ts';
import type { Work } from '../../agent/run/work.ts';
import { fileOf } from '../../agent/settings/kept-settings.ts';
import { joinedBy, openToolbox, refuseSecrets } from '../../agent/tools/toolbox.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { Goal } from '../../planner/goal.ts';
import type { Scope } from '../../planner/revision.ts';
import { stringify } from '../../program/json.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { acting, addExamples } from '../help.ts';
import { reportPlanning } from '../planning/goal-options.ts';
import { wholeNumber } from '../positive.ts';
import { readSource } from '../program/read-program.ts';
import { withJournal } from '../run/journal.ts';
import { reportEnd } from '../run/report-end.ts';
import { addRunOptions, addToolsOption, type RunFlags } from '../run/run-options.ts';
import { terminalHost } from '../run/terminal-host.ts';
import { givenLimits } from '../settings/limit-options.ts';
import { earlierSettings } from '../settings/run-settings.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { forkLines } from '../view/fork-lines.ts';
import { print, say, styleOf } from '../view/output.ts';
import { ourName } from '../view/result.ts';

interface Flags extends RunFlags {
  readonly at?: string;
  readonly scope?: Scope;
  readonly goal?: string;
  readonly preview?: true;
  readonly corrections: number;
}

export function define(command: Command, end: (code: ExitCode) => void): void {
  const described = command
    .description(
      'Let a model change the program of a run, and run what it has written in a fork: the run ' +
        'itself stays as it is. Steps before the one that is named stay untouched; what the ' +
        'change does not touch is answered from the journal.',
    )
    .argument('<run>', 'The beginning of a run id, or last.')
    .argument('<suggestion>', 'What is to be changed, in words; - reads it from stdin.')
    .option('--at <step>', 'The step to go back to; the beginning where absent.')
    .addOption(
      new Option(
        '--scope <scope>',
        'What is written anew; the model chooses where absent.',
      ).choices(['step', 'rest', 'plan'] as const),
    )
    .option('--goal <text>', 'What the program is for, where the run does not know.')
    .addOption(
      new Option('--corrections <n>', 'How often the model may correct what fails the check.')
        .default(2)
        .argParser((given) => wholeNumber('--corrections', given)),
    )
    .option('--preview', 'Print the changed program and what it would perform; make nothing.')
    .action(acting(end, (name: string, words: string, flags: Flags) => revise(name, words, flags)));
  addToolsOption(described);
  addRunOptions(described);
  addExamples(
    described,
    ['planvm revise last --at 3 "Ask the archive first"', 'go back to step 3 with a suggestion'],
    ['planvm revise r0abc --at 3 --scope step "Round it"', 'write step 3 alone anew'],
    ['planvm revise last "Sort it" --preview', 'see the change before it is run'],
    ['planvm revise last "Compare three sources" --model openai/gpt-5', 'the whole program'],
  );
}

async function revise(name: string, words: string, flags: Flags): Promise<ExitCode> {
  const startedAt = Date.now();
  const suggestion = (words === '-' ? (await readSource('-')).text : words).trim();
  if (suggestion === '') {
    throw new CliError('PV6002', 'the suggestion is empty', { hint: 'say what is to be changed' });
  }
  const place = await openWorkspace({ flags });
  return await withJournal(place, async (journal) => {
    const base = findProgramRun(journal, name);
    if (isPlaying(base)) {
      throw new CliError(
        'PV6002',
        `run ${base.id} is one of playbooks, which no model writes anew`,
        {
          hint:
            `change ${fileOf(base)}, and run it; ` +
            `${ourName} fork ${base.id} --at STEP --set NAME=VALUE changes this run`,
        },
      );
    }
    const workspace = await openWorkspace({
      ...{ flags, earlier: earlierSettings(base), limits: givenLimits(flags) },
    });
    refuseSecrets(workspace, 'the suggestion', suggestion);
    const joins = joinedBy(base);
    const words = ownGoal(journal, base, flags.goal)?.text;
    const toolbox = await openToolbox(workspace, { record: flags.record, joins, goal: words });
    const reporting = { journal, isDurable: true, flags, startedAt };
    const report = (end: RunEnd): ExitCode => reportEnd(end, reporting);
    const host = terminalHost({ flags, report });
    const work = { workspace, toolbox, journal, isDurable: true, host };
    try {
      const goal = goalOf(journal, base, flags.goal);
      if (takesNotes(journal, base.id)) {
        return await goOn({ work, base, goal, suggestion, flags, report });
      }
      const result = keptResult(journal, base.id);
      const revision = revisionOf({
        ...{ journal, run: base.id, goal, suggestion, at: flags.at, about: suggestion },
        scopes: flags.scope ? [flags.scope] : ['step', 'rest', 'plan'],
        ...(result?.error && { error: describeFailure(result.error, failedIn(journal, base)) }),
        refused: askedOf(base)?.refused ?? [],
      });
      const { corrections } = flags;
      const more = { repairs: 0, revisions: undefined, sequential: false };
      const from = base.id;
      const asked = { goal, corrections, ...more, refused: revision.refused, from };
      const call = { ...work, asked };
      const spent = nothingUsed;
      const written = await writeChange({ ...call, base: base.id, revision, spent });
      if (flags.preview) return showPreview(planFork(call, written.change), flags);
      const course = {
        ...begin({ ...asked, from: written.run }),
        spent: written.usage,
        planning: written.usage,
      };
      const pursuit = { ...call, inputs: new Map() };
      return report(await pursue(pursuit, { ...course, next: 'fork', change: written.change }));
    } catch (error) {
      return reportPlanning(error, flags);
    } finally {
      toolbox.close();
    }
  });
}

interface Noted {
  readonly work: Work;
  report(end: RunEnd): ExitCode;
  readonly base: RunSummary;
  readonly goal: Goal;
  readonly suggestion: string;
  readonly flags: Flags;
}

/** A loop over tasks is not written anew: it goes on, with what was said as the reason. */
async function goOn({ work, base, goal, suggestion, flags, report }: Noted): Promise<ExitCode> {
  const option = flags.at === undefined ? flags.scope && '--scope' : '--at';
  if (option !== undefined) {
    throw new CliError(
      'PV6002',
      `${option}: run ${base.id} is of a loop, which goes on behind it`,
      {
        hint: 'leave it out; planvm fork changes what came before',
      },
    );
  }
  const more = { repairs: 0, revisions: undefined, refused: [], sequential: false };
  const asked = { goal, corrections: flags.corrections, ...more, from: base.id };
  if (flags.preview) {
    return showPreview(await noteFork({ ...work, asked }, base.id, suggestion), flags);
  }
  const stage = { ...begin(asked), next: 'note', run: base.id, note: suggestion } as const;
  return report(await pursue({ ...work, inputs: new Map() }, stage));
}

/** The changed program, and what it would perform. */
function showPreview({ options, preview }: ForkPlan, { json, quiet }: Flags): ExitCode {
  const { program } = options.edit;
  if (json) print(stringify({ program, preview }, 2));
  else if (program) print(program.text.trimEnd());
  if (!quiet) for (const line of forkLines(preview, styleOf(process.stderr))) say(line);
  return exit.done;
}

function failedIn(journal: Journal, base: RunSummary): FailedProgram {
  const { program } = readPast(journal.events(base.id));
  return { text: program?.text ?? '', file: fileOf(base) };
}
