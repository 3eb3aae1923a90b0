/** `planvm plans`: plans that have served well, to be used again. */
import { normalLabel, planOfRun } from '../../agent/goal/plan-of-run.ts';
import { findPlan, savedPlans, withPlans } from '../../agent/record/plan-store.ts';
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';
import { stringify } from '../../program/json.ts';
import { clip, oneLine } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { withJournal } from '../run/journal.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { ago, present, print, say, styleOf, tableLines } from '../view/output.ts';

interface Flags {
  readonly label?: string;
  readonly goal?: string;
  readonly json?: true;
}

const plan = ['<plan>', 'The beginning of its id.'] as const;

export const command: CommandSpec = {
  about:
    'Save plans that have served well, and list, show and remove them. planvm ask takes the plan ' +
    'of the very same goal as it is, and shows the model those of goals that are near.',
  examples: [
    ['planvm plans save last --label reports/weekly', 'keep the plan of the latest run'],
    ['planvm plans', 'list the saved plans'],
  ],
  parts: {
    ls: {
      isDefault: true,
      about: 'List the saved plans, newest first (the default).',
      options: [['--label <name>', 'Only those under this label.'], json('Print a JSON list.')],
      examples: [['planvm plans ls --label reports', 'those of one group']],
      act: listPlans,
    },
    save: {
      about: 'Save the plan of a run that is done, for its goal.',
      takes: [['<run>', 'The beginning of a run id, or last.']],
      options: [
        ['--label <name>', 'Group it: from the wide to the narrow, as in reports/weekly.'],
        ['--goal <text>', 'What the plan is for, where the run does not know.'],
        json('Print the saved plan.'),
      ],
      examples: [['planvm plans save r0abc', 'the plan of one run']],
      act: savePlan,
    },
    show: {
      about: 'Print a saved plan.',
      takes: [plan],
      options: [json('Print it with its goal and where it is from.')],
      examples: [['planvm plans show p12 > plan.json', 'keep it in a file']],
      act: showPlan,
    },
    rm: {
      about: 'Remove a saved plan; its run stays.',
      takes: [plan],
      examples: [['planvm plans rm p12', 'forget it']],
      act: removePlan,
    },
  },
};

async function savePlan(name: string, { label = '', goal, json }: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const plan = await withJournal(workspace, (journal) => planOfRun(journal, name, { label, goal }));
  withPlans(workspace, (plans) => plans.save(plan));
  if (json) print(stringify(plan, 2));
  else say(`plan ${plan.id} is saved for: ${clip(oneLine(plan.goal), goalColumns)}`);
  return exit.done;
}

const goalColumns = 70;

async function listPlans({ label = '', json }: Flags): Promise<ExitCode> {
  const wanted = normalLabel(label);
  const found = savedPlans(await openWorkspace()).filter(
    (plan) => wanted === '' || `${plan.label}/`.startsWith(`${wanted}/`),
  );
  if (found.length === 0 && !json) say('no saved plans; planvm plans save RUN saves one');
  else present(json, found, () => tableOf(found));
  return exit.done;
}

function tableOf(plans: readonly SavedPlan[]): string[] {
  return tableLines(
    ['plan', 'label', 'dialect', 'saved', 'goal'],
    plans.map(({ id, label, dialect, goal, savedAt }) => [
      ...[id, label, dialect, ago(savedAt), clip(oneLine(goal), goalColumns)],
    ]),
  );
}

async function showPlan(name: string, { json }: Flags): Promise<ExitCode> {
  const plan = findPlan(savedPlans(await openWorkspace()), name);
  const about = `${plan.id}  ${oneLine(plan.goal)}  (${plan.dialect}, run ${plan.run})`;
  if (!json) say(styleOf(process.stderr).dim(about));
  print(json ? stringify(plan, 2) : plan.text.trimEnd());
  return exit.done;
}

async function removePlan(name: string): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const { id } = findPlan(savedPlans(workspace), name);
  withPlans(workspace, (plans) => plans.remove(id));
  say(`plan ${id} is removed`);
  return exit.done;
}
