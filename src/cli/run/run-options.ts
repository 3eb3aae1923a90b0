/** The options that commands which run programs have in common. */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { ways } from '../../effects/bind/specs.ts';
import { fits } from '../../effects/digest/fit.ts';
import { toolSetNames } from '../../effects/tool-set-names.ts';
import { approvalPolicies } from '../../engine/perform/approvals.ts';
import { positive } from '../positive.ts';
import { addLimitOptions, addToolLimitOption } from '../settings/limit-options.ts';
import type { SettingFlags } from '../settings/workspace.ts';

/** What the options below give an action. */
export interface RunFlags extends SettingFlags {
  readonly record?: string;
  /** False: nobody is asked in place. */
  readonly prompts?: boolean;
  readonly json?: true;
  readonly events?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  /** No option: the command itself says what came of the run. */
  readonly apart?: boolean;
}

/** A value that may be given several times. */
export const repeated = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
];

/** `--tools` and `--dialect`: what checking a program needs to know. */
export function addProgramOptions(command: CommandUnknownOpts): void {
  addToolsOption(command);
  command.addOption(
    new Option('--dialect <name>', 'What the program is written in; found out where absent.'),
  );
}

/** `--strict`, for commands that go on where a program has only warnings. */
export function addStrictOption(command: CommandUnknownOpts): void {
  command.addOption(new Option('--strict', 'Take warnings about the program as errors.'));
}

/** How a plan of tasks is read: `PlanFlags`. */
export function addPlanOptions(command: CommandUnknownOpts): void {
  const options = [
    new Option(
      '--no-join',
      'Of a plan of tasks, answer with all results by id, without a model; a failed task fails ' +
        'the run.',
    ),
    new Option(
      '--observations',
      'Take the observations that stand in a plan for the results of their tasks.',
    ),
  ];
  for (const option of options) command.addOption(option.helpGroup('Plans of tasks:'));
}

/** What `addPlanOptions` gives an action. */
export interface PlanFlags {
  /** False for `--no-join`. */
  readonly join?: boolean;
  readonly observations?: true;
}

export function addToolsOption(command: CommandUnknownOpts): void {
  const sets = toolSetNames.map((name) => `planvm:${name}`).join(', ');
  const text =
    'Module or JSON file with tools, or a set that comes along: ' +
    `${sets}. May be repeated, the last one of a name counts.`;
  const options = [
    new Option('--tools <file>', text),
    new Option(
      '--openapi <document>',
      'Tools of an OpenAPI document, a file or an address; name=FILE names their namespace. May ' +
        'be repeated.',
    ),
    new Option(
      '--allow <tools>',
      'The tools that may be called, beside built-in ones: names, patterns (github.*), sets of ' +
        'the configuration (@research), with commas between.',
    ),
    new Option('--deny <tools>', 'Tools that may not be called, whatever is allowed.'),
  ];
  for (const option of options) command.addOption(option.argParser(repeated));
  command.addOption(new Option('--no-mcp', 'Do without the MCP servers of .mcp.json.'));
}

/** `--model` and those of other roles, `--replay` and `--record`. */
export function addModelOptions(command: CommandUnknownOpts): void {
  const options = [
    new Option('--model <provider/model>', 'Model of this run: openai/…, anthropic/…, ollama/….'),
    new Option(
      '--planner-model <provider/model>',
      'Who writes and repairs programs, instead of --model.',
    ),
    new Option('--judge-model <provider/model>', 'Who judges answers, instead of --model.'),
    new Option(
      '--context-window <tokens>',
      'How much the model takes at once, where planvm does not know it.',
    ).argParser(positive),
    new Option(
      '--fit <how>',
      'What becomes of values that llm_call is given and that are longer than that: all are read ' +
        'in parts (map), or the passages that matter most (top), whichever is needed (auto), or ' +
        'the call fails (fail).',
    ).choices(fits),
    new Option(
      '--unbound <how>',
      'What becomes of arguments that llm_bind cannot find, where the program does not say: a ' +
        'person is asked (ask), the value is uncertain (unresolved), or the call fails (fail).',
    ).choices(ways),
    new Option('--replay <file>', 'Answer model calls from a transcript.').conflicts([
      'model',
      'plannerModel',
      'judgeModel',
    ]),
    new Option('--record <file>', 'Append every answer of the model to a transcript.'),
  ];
  for (const option of options) command.addOption(option.helpGroup('Models:'));
}

/** How a run is shown while it goes on, and what of it is printed. */
function addViewOptions(command: CommandUnknownOpts): void {
  const options = [
    new Option('--json', 'Print the result as one JSON document.').conflicts('events'),
    new Option(
      '--events',
      'Print events as they happen, a JSON document a line; the last one is the result.',
    ),
    new Option('--otlp <url>', 'Send spans and metrics to this collector: http://localhost:4318.'),
    new Option('-q, --quiet', 'Only the answer, and what went wrong.'),
  ];
  for (const option of options) command.addOption(option.helpGroup('Output:'));
}

/** What is asked of people, and whether they are asked here. */
export function addPeopleOptions(command: CommandUnknownOpts): void {
  const approve = new Option(
    '--approve <what>',
    'Ask before a tool is called that does what cannot be undone (destructive; the default), ' +
      'only behind something from outside, unless its arguments are constants and inputs ' +
      '(untrusted), ' +
      'before one that changes anything (writes), before each call (all), or never (none).',
  ).choices(approvalPolicies);
  const yes = new Option('--yes <tool>', 'Do not ask before this tool; may be repeated.');
  const prompts = new Option('--no-input', 'Ask nothing here: what waits for a person exits 4.');
  // Beside `--input`, which gives variables.
  prompts.attributeName = () => 'prompts';
  for (const option of [approve, yes.argParser(repeated), prompts]) {
    command.addOption(option.helpGroup('People:'));
  }
}

/** All of them. */
export function addRunOptions(command: CommandUnknownOpts): void {
  addModelOptions(command);
  addPeopleOptions(command);
  addViewOptions(command);
  addLimitOptions(command);
  addToolLimitOption(command);
}
