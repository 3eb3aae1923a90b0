/** The options that commands which run programs have in common. */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { ways } from '../../effects/bind/specs.ts';
import { fits } from '../../effects/digest/fit.ts';
import { toolSetNames } from '../../effects/tool-set-names.ts';
import { approvalPolicies } from '../../engine/perform/approvals.ts';
import { group, json, type OptionRow, quiet, repeated } from '../command.ts';
import { positive } from '../option-value.ts';
import { limitOptions, toolLimitOption } from '../settings/limit-options.ts';
import type { SettingFlags } from '../settings/workspace.ts';

/** What the options of `nameOptions` give an action. */
export interface NameFlags {
  readonly runId?: string;
  readonly title?: string;
  readonly meta?: Readonly<Record<string, string>>;
}

/** What the options below give an action. */
export interface RunFlags extends SettingFlags, NameFlags {
  /** False: nobody is asked in place. */
  readonly prompts?: boolean;
  readonly json?: true;
  readonly events?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  /** No option: the command itself says what came of the run. */
  readonly apart?: boolean;
}

/** What `planOptions` give an action. */
export interface PlanFlags {
  /** False for `--no-join`. */
  readonly join?: boolean;
  readonly observations?: true;
}

/** What a run is found by again. */
export function nameOptions(): Option[] {
  const id = new Option(
    '--id <name>',
    'Start it once under this id: the same program and inputs give the same run again.',
  );
  id.attributeName = () => 'runId';
  return group('The run:', [
    id.conflicts('journal'),
    ['--title <text>', 'Title of the run, in place of the name of the file.'],
    [
      '--meta <key=value>',
      'Metadata of the run, to find it by: planvm runs --meta. May be repeated.',
      metadataEntry,
    ],
  ]);
}

/** Metadata of `key=value`, which may be repeated. */
export function metadataEntry(
  given: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, key, value] = /^([^=]+)=([\s\S]*)$/.exec(given) ?? [];
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError(`got ${given}, want key=value`);
  }
  if (!Object.hasOwn(before, key)) return { ...before, [key]: value };
  throw new InvalidArgumentError(`got ${key} twice, want it once`);
}

/** `--tools` and `--dialect`: what checking a program needs to know. */
export const programOptions = (): OptionRow[] => [
  ...toolOptions(),
  ['--dialect <name>', 'What the program is written in; found out where absent.'],
];

/** For commands that go on where a program has only warnings. */
export const strictOption: OptionRow = ['--strict', 'Take warnings about the program as errors.'];

/** How a plan of tasks is read: `PlanFlags`. */
export const planOptions = (): OptionRow[] =>
  group('Plans of tasks:', [
    [
      '--no-join',
      'Of a plan of tasks, answer with all results by id, without a model; a failed task fails ' +
        'the run.',
    ],
    [
      '--observations',
      'Take the observations that stand in a plan for the results of their tasks.',
    ],
  ]);

export const toolOptions = (): OptionRow[] => [
  [
    '--tools <file>',
    'Module or JSON file with tools, or a set that comes along: ' +
      `${toolSetNames.map((name) => `planvm:${name}`).join(', ')}. ` +
      'May be repeated, the last one of a name counts.',
    repeated,
  ],
  [
    '--openapi <document>',
    'Tools of an OpenAPI document, a file or an address; name=FILE names their namespace. May ' +
      'be repeated.',
    repeated,
  ],
  [
    '--allow <tools>',
    'The tools that may be called, beside built-in ones: names, patterns (github.*), sets of ' +
      'the configuration (@research), with commas between.',
    repeated,
  ],
  ['--deny <tools>', 'Tools that may not be called, whatever is allowed.', repeated],
  ['--no-mcp', 'Do without the MCP servers of .mcp.json.'],
];

/** `--model` and those of other roles, `--replay` and `--record`. */
export const modelOptions = (): OptionRow[] =>
  group('Models:', [
    ['--model <provider/model>', 'Model of this run: openai/…, anthropic/…, ollama/….'],
    ['--planner-model <provider/model>', 'Who writes and repairs programs, instead of --model.'],
    ['--judge-model <provider/model>', 'Who judges answers, instead of --model.'],
    [
      '--context-window <tokens>',
      'How much the model takes at once, where planvm does not know it.',
      positive,
    ],
    [
      '--fit <how>',
      'What becomes of values that llm_call is given and that are longer than that: all are read ' +
        'in parts (map), or the passages that matter most (top), whichever is needed (auto), or ' +
        'the call fails (fail).',
      fits,
    ],
    [
      '--unbound <how>',
      'What becomes of arguments that llm_bind cannot find, where the program does not say: a ' +
        'person is asked (ask), the value is uncertain (unresolved), or the call fails (fail).',
      ways,
    ],
    new Option('--replay <file>', 'Answer model calls from a transcript.').conflicts([
      'model',
      'plannerModel',
      'judgeModel',
    ]),
    ['--record <file>', 'Append every answer of the model to a transcript.'],
  ]);

/** How a run is shown while it goes on, and what of it is printed. */
const viewOptions = (): OptionRow[] =>
  group('Output:', [
    json('Print the result as one JSON document.').conflicts('events'),
    [
      '--events',
      'Print events as they happen, a JSON document a line; the last one is the result.',
    ],
    ['--otlp <url>', 'Send spans and metrics to this collector: http://localhost:4318.'],
    quiet('Only the answer, and what went wrong.'),
  ]);

/** What is asked of people, and whether they are asked here. */
export function peopleOptions(): OptionRow[] {
  const prompts = new Option('--no-input', 'Ask nothing here: what waits for a person exits 4.');
  // Beside `--input`, which gives variables.
  prompts.attributeName = () => 'prompts';
  return group('People:', [
    [
      '--approve <what>',
      'Ask before a tool is called that does what cannot be undone (destructive; the default), ' +
        'only after something from outside, unless its arguments are constants and inputs ' +
        '(untrusted), ' +
        'before one that changes anything (writes), before each call (all), or never (none).',
      approvalPolicies,
    ],
    ['--yes <tool>', 'Do not ask before this tool; may be repeated.', repeated],
    prompts,
  ]);
}

/** All of them. */
export const runOptions = (): OptionRow[] => [
  ...modelOptions(),
  ...peopleOptions(),
  ...viewOptions(),
  ...limitOptions(),
  toolLimitOption(),
];
