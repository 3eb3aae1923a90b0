/** `planvm revise`: a model changes the program of a run as a person suggests; a fork runs it. */
import type { ForkPlan } from '../../agent/loops/change-run.ts';
import type { Scope } from '../../planner/revision.ts';
import { stringify } from '../../program/json.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { correctionsOption } from '../planning/goal-options.ts';
import { readSource } from '../program/read-program.ts';
import { type RunFlags, runOptions, toolOptions } from '../run/run-options.ts';
import { workOnRun } from '../run/work-here.ts';
import { forkLines } from '../view/notice-lines.ts';
import { print, say, styleOf } from '../view/output.ts';

interface Flags extends RunFlags {
  readonly at?: string;
  readonly scope?: Scope;
  readonly goal?: string;
  readonly preview?: true;
  readonly corrections: number;
}

export const command: CommandSpec = {
  about:
    'Let a model change the program of a run, and run what it has written in a fork: the run ' +
    'itself stays as it is. Steps before the one that is named stay untouched; what the ' +
    'change does not touch is answered from the journal.',
  takes: [
    ['<run>', 'The beginning of a run id, or last.'],
    ['<suggestion>', 'What is to be changed, in words; - reads it from stdin.'],
  ],
  options: [
    ['--at <step>', 'The step to go back to; the beginning where absent.'],
    [
      '--scope <scope>',
      'What is written anew; the model chooses where absent.',
      ['step', 'rest', 'plan'],
    ],
    ['--goal <text>', 'What the program is for, where the run does not know.'],
    correctionsOption('How often the model may correct what fails the check.'),
    ['--preview', 'Print the changed program and what it would perform; make nothing.'],
    ...toolOptions(),
    ...runOptions(),
  ],
  examples: [
    ['planvm revise last --at 3 "Ask the archive first"', 'go back to step 3 with a suggestion'],
    ['planvm revise r0abc --at 3 --scope step "Round it"', 'write step 3 alone anew'],
    ['planvm revise last "Sort it" --preview', 'see the change before it is run'],
    ['planvm revise last "Compare three sources" --model openai/gpt-5', 'the whole program'],
  ],
  act: revise,
};

async function revise(name: string, words: string, flags: Flags): Promise<ExitCode> {
  const suggestion = (words === '-' ? (await readSource('-')).text : words).trim();
  if (suggestion === '') {
    throw new CliError('PV6002', 'the suggestion is empty', { hint: 'say what is to be changed' });
  }
  return await workOnRun(name, flags, async ({ agent, base, report }) => {
    const { at, scope, goal, corrections, preview } = flags;
    const options = { at, scope, goal, corrections };
    if (preview) {
      return showPreview(await agent.previewRevision(base.id, suggestion, options), flags);
    }
    return report(await agent.revise(base.id, suggestion, options).worked);
  });
}

/** The changed program, and what it would perform. */
function showPreview({ options, preview }: ForkPlan, { json, quiet }: Flags): ExitCode {
  const { program } = options.edit;
  if (json) print(stringify({ program, preview }, 2));
  else if (program) print(program.text.trimEnd());
  if (!quiet) for (const line of forkLines(preview, styleOf(process.stderr))) say(line);
  return exit.done;
}
