/** `planvm ask`: a goal goes in, a model plans, the machine runs, an answer comes out. */
import { type Command, Option } from '@commander-js/extra-typings';
import type { ExitCode } from '../exit.ts';
import { acting, addExamples } from '../help.ts';
import { type InputFlags, readInputs } from '../inputs.ts';
import { answerGoal } from '../planning/ask.ts';
import { answerByTasks } from '../planning/ask-tasks.ts';
import type { AskFlags } from '../planning/asking.ts';
import { addGoalOptions, readGoal, reportPlanning, wholeNumber } from '../planning/planning.ts';
import { taskLoopIn } from '../planning/task-loop.ts';
import { addTaskLoopOptions, refuseTaskLoopFlags } from '../planning/task-loop-options.ts';
import { addProgramOptions, addRunOptions, repeated } from '../run-options.ts';
import { addLimitOptions, givenLimits } from '../settings/limit-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { openToolbox } from '../tools/toolbox.ts';

type Flags = AskFlags & InputFlags;

export function define(command: Command, end: (code: ExitCode) => void): void {
  const described = command
    .description(
      'Ask for something: a model writes a plan, the plan is checked and run, the answer goes to ' +
        'stdout. When the run fails the model may repair the plan, which goes on from the step ' +
        'that failed. A goal that has a saved plan is not planned again.',
    )
    .argument('<goal>', 'What you want, in words; - reads it from stdin.')
    .addOption(
      new Option('--input <name=value>', 'Input variable: JSON or text.').argParser(repeated),
    )
    .addOption(new Option('--inputs <file>', 'Input variables: a JSON object.').argParser(repeated))
    .option('--sequential', 'One effect at a time, in program order.')
    .addOption(
      new Option(
        '--judge [n]',
        'Let a model judge the answer; one that it rejects is revised, n times at most.',
      )
        .preset('0')
        .argParser((given) => wholeNumber('--judge', given))
        .helpGroup('Planning:'),
    )
    .addOption(
      new Option(
        '--label <name>',
        'Take saved plans with this label as examples, too: a/b.',
      ).helpGroup('Planning:'),
    )
    .addOption(
      new Option('--no-saved', 'Look at no saved plan: have a new one written.').helpGroup(
        'Planning:',
      ),
    )
    .option('--no-journal', 'Keep the journal in memory: nothing is left, nothing resumes.')
    .action(acting(end, (goal: string, flags: Flags) => act(goal, flags)));
  addGoalOptions(described);
  addTaskLoopOptions(described);
  addProgramOptions(described);
  addRunOptions(described);
  addLimitOptions(described, ['repairs']);
  addExamples(
    described,
    ['planvm ask "Who wrote the report on the third quarter?"', 'with the configured model'],
    ['planvm ask "…" --language French --format "one sentence"', 'say how to answer'],
    ['planvm ask "…" --repair 0 --cost 0.50', 'no repair; at most 50 cents'],
    ['planvm ask "…" --dialect llmcompiler', 'plans of tasks that run while they are written'],
    ['planvm ask "…" --dialect react --rounds 8', 'one call after the other, 8 replies at most'],
    ['planvm ask "…" --judge 1', 'an answer that a model rejects is revised once'],
  );
}

async function act(given: string, flags: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags, limits: givenLimits(flags) });
  const inputs = readInputs(flags);
  const goal = await readGoal(given, flags);
  const toolbox = await openToolbox(workspace, { record: flags.record, goal: goal.text });
  try {
    const asking = { workspace, toolbox, goal, inputs, flags };
    const loop = taskLoopIn(workspace);
    if (loop) return await answerByTasks(asking, loop);
    refuseTaskLoopFlags(flags);
    return await answerGoal(asking);
  } catch (error) {
    return reportPlanning(error, flags);
  } finally {
    toolbox.close();
  }
}
