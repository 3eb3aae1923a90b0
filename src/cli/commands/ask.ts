/** `planvm ask`: a goal goes in, a model plans, the machine runs, an answer comes out. */
import { Option } from '@commander-js/extra-typings';
import { described as describedInput } from '../../agent/evidence/known-variables.ts';
import { taskLoopIn } from '../../agent/goal/ask.ts';
import { defaultDialect } from '../../agent/run/usage.ts';
import type { Goal, Route } from '../../planner/goal.ts';
import type { Value } from '../../program/value.ts';
import { type CommandSpec, group } from '../command.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { optionalNumber } from '../option-value.ts';
import { type AskFlags, answerHere } from '../planning/ask-here.ts';
import { goalOptions, readGoal } from '../planning/goal-options.ts';
import { readStdin } from '../planning/stdin-input.ts';
import { refuseTaskLoopFlags, taskLoopOptions } from '../planning/task-loop-options.ts';
import { type InputFlags, inputOptions, readInputs } from '../program/inputs.ts';
import { programOptions, runOptions } from '../run/run-options.ts';
import { limitOptions } from '../settings/limit-options.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';

interface Flags extends Omit<AskFlags, 'route'>, InputFlags {
  readonly route?: string;
  readonly direct?: true;
  readonly program?: true;
  /** False: what is piped in is left alone. */
  readonly stdin?: boolean;
}

/** How it is answered, and what a person does before a program runs. */
const wayOptions = group('The program:', [
  ['--direct', 'Answer by one reply of the model, without a program.'],
  ['--program', 'Answer by a program; no model is asked whether that is needed.'],
  [
    '--show',
    'Show the program before it runs; so it is where a person looks on, unless --no-show.',
  ],
  ['--no-show', 'Do not show it.'],
  ['--edit', 'Open the program in $VISUAL or $EDITOR first; it is checked again.'],
  ['--confirm', 'Run it only after a yes; where nobody can be asked, wait (exit 4).'],
  ['--step', 'Go through it statement by statement, with the values that each gives.'],
  new Option(
    '--turns [n]',
    'Let the model write a few statements at a time and see what they give, n times at most.',
  )
    .preset('10')
    .argParser((given) => optionalNumber('--turns', '10', given)),
  ['--no-stdin', 'Leave what is piped in alone.'],
]);

export const command: CommandSpec = {
  about:
    'Ask for something: a model answers directly, or writes a program, which is checked and ' +
    'run; the answer goes to stdout. When the run fails the model may repair the program, ' +
    'which goes on from the step that failed. A goal that has a saved plan is not planned ' +
    'again. What is piped in is the input variable stdin.',
  takes: [['<goal>', 'What you want, in words; - reads it from stdin.']],
  options: [
    ...inputOptions,
    ['--sequential', 'One effect at a time, in program order.'],
    new Option(
      '--judge [n]',
      'Let a model judge the answer; one that it rejects is revised, n times at most.',
    )
      .preset('0')
      .argParser((given) => optionalNumber('--judge', '0', given))
      .helpGroup('Planning:'),
    new Option(
      '--label <name>',
      'Take saved plans with this label as examples, too: a/b.',
    ).helpGroup('Planning:'),
    new Option('--no-saved', 'Look at no saved plan: have a new one written.').helpGroup(
      'Planning:',
    ),
    ['--no-journal', 'Keep the journal in memory: nothing is left, nothing resumes.'],
    ...wayOptions,
    ...goalOptions(),
    ...taskLoopOptions(),
    ...programOptions(),
    ...runOptions(),
    ...limitOptions(['repairs']),
  ],
  examples: [
    ['planvm ask "Who wrote the report on the third quarter?"', 'with the configured model'],
    ['cat report.txt | planvm ask "Summarise it."', 'what is piped in is there as stdin'],
    ['planvm ask "…" --program --confirm', 'see the program, and say yes before it runs'],
    ['planvm ask "…" --turns', 'a few statements at a time; each sees what the last ones gave'],
    ['planvm ask "…" --language French --format "one sentence"', 'say how to answer'],
    ['planvm ask "…" --repair 0 --cost 0.50', 'no repair; at most 50 cents'],
    ['planvm ask "…" --dialect llmcompiler', 'plans of tasks that run while they are written'],
    ['planvm ask "…" --dialect react --rounds 8', 'one call after the other, 8 replies at most'],
    ['planvm ask "…" --judge 1', 'an answer that a model rejects is revised once'],
  ],
  act: act,
};

async function act(given: string, flags: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags });
  const route = routeOf(flags, workspace);
  checkTurns(flags, workspace);
  const inputs = readInputs(flags);
  const goal = await readGoal(given, flags);
  if (given !== '-' && flags.stdin !== false && !flags.step) await addStdin(inputs, workspace);
  const { route: _, ...rest } = flags;
  if (taskLoopIn(workspace)) return await answerHere({ workspace, inputs, goal, flags: rest });
  refuseTaskLoopFlags(flags);
  const own = { ...goal, ...inputWords(inputs) };
  return await answerHere({ workspace, inputs, goal: own, flags: { ...rest, route } });
}

/** Where nothing is said, a model decides, in dialects that have programs for words. */
function routeOf({ direct, program, turns }: Flags, { settings }: Workspace): Route {
  if (direct && program) {
    throw new CliError('PV6002', 'got --direct and --program, want one of them', {
      hint: 'without either a model decides',
    });
  }
  if (direct) return 'direct';
  if (program || turns !== undefined) return 'program';
  return settings.route ?? 'auto';
}

/** Throws `CliError` PV6002 for what goes not together with turns. */
function checkTurns({ turns, ...flags }: Flags, { settings }: Workspace): void {
  if (turns === undefined) return;
  const dialect = settings.dialect ?? defaultDialect;
  const others = (['direct', 'edit', 'confirm', 'step'] as const).filter((name) => flags[name]);
  const clash = dialect === defaultDialect ? others[0] : `dialect ${dialect}`;
  if (turns === 0) throw new CliError('PV6002', '--turns: got 0, want at least 1');
  if (clash === undefined) return;
  throw new CliError('PV6002', `--turns is of no use with --${clash}`, {
    hint: 'turns are those of a program in Starlark that grows while it runs',
  });
}

/** Throws `CliError` PV6007 where an input of that name is given, too. */
async function addStdin(inputs: Map<string, Value>, { settings }: Workspace): Promise<void> {
  const text = await readStdin(settings, '--no-stdin');
  if (text === undefined) return;
  if (inputs.has('stdin')) {
    throw new CliError('PV6007', 'got the input stdin, and something on stdin', {
      hint: 'give the input another name, or --no-stdin',
    });
  }
  inputs.set('stdin', text);
}

function inputWords(inputs: ReadonlyMap<string, Value>): Pick<Goal, 'inputs'> {
  const words = [...inputs].flatMap(([name, value]) => describedInput(name, value));
  return words.length > 0 ? { inputs: words } : {};
}
