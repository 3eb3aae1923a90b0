/** `planvm plan`: a model writes a program for a goal; it is checked and printed, not run. */
import { planGoal } from '../../agent/loops/plan-run.ts';
import { usageText } from '../../agent/run/usage.ts';
import { stringify } from '../../program/json.ts';
import { type CommandSpec, json, quiet } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type GoalFlags, goalOptions, readGoal } from '../planning/goal-options.ts';
import { sayDiagnostics } from '../program/read-program.ts';
import { modelOptions, programOptions, type RunFlags } from '../run/run-options.ts';
import { workWithTools } from '../run/work-here.ts';
import { limitOptions } from '../settings/limit-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { print, say, styleOf } from '../view/output.ts';

interface Flags extends RunFlags, GoalFlags {
  readonly journal: boolean;
}

export const command: CommandSpec = {
  about:
    'Let a model write a program for a goal. The program is checked, the model corrects what ' +
    'is wrong with it, and it is printed: nothing is run.',
  takes: [['<goal>', 'What you want, in words; - reads it from stdin.']],
  options: [
    json('Print run, program, rounds and usage as one JSON document.'),
    quiet('Only the program, and what went wrong.'),
    ['--no-journal', 'Keep the journal in memory: nothing is left, nothing resumes.'],
    ...goalOptions(),
    ...programOptions(),
    ...modelOptions(),
    ...limitOptions(['tokens', 'cost', 'attempts', 'timeoutMs']),
  ],
  examples: [
    ['planvm plan "Compare the areas of Spain and Italy" > plan.json', 'keep the plan'],
    ['planvm plan "…" --dialect stackvm-1 --model ollama/qwen3', 'in the other form'],
    ['planvm plan - --tools ./tools.ts < goal.txt', 'with tools; the goal from a file'],
  ],
  act: act,
};

async function act(given: string, flags: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags });
  const goal = await readGoal(given, flags);
  const { corrections = 2, journal: isKept } = flags;
  return await workWithTools({ workspace, flags, isKept }, async (work) => {
    const call = { ...work, goal, corrections, inputs: new Map() };
    const { plan, run, usage } = await planGoal(call);
    const { text, checked, rounds } = plan;
    if (flags.json) {
      const { dialect, diagnostics } = checked;
      print(stringify({ run, dialect, text, diagnostics, rounds, usage }, 2));
      return exit.done;
    }
    print(text.trimEnd());
    sayDiagnostics(checked.diagnostics, { text, file: 'plan' });
    if (!flags.quiet) say(styleOf(process.stderr).dim(usageText(usage)));
    return exit.done;
  });
}
