/** The options of `ask` that are about loops over tasks. */
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { type PromptLanguage, promptLanguage } from '../../planner/tasks/languages.ts';
import { CliError } from '../failure.ts';
import { wholeNumber } from '../positive.ts';

/** What they give an action. */
export interface TaskLoopFlags {
  readonly rounds?: number;
  /** How deep plans may stand in plans. */
  readonly depth?: number;
  /** False: results are the answer. */
  readonly join?: boolean;
  readonly questionLanguage?: PromptLanguage;
  readonly examples?: string;
  readonly nativeTools?: true;
}

export function addTaskLoopOptions(command: CommandUnknownOpts): void {
  const rounds =
    'With llmcompiler: how many plans there may be (3). With react: how often the model may ' +
    'reply (15).';
  const options = [
    new Option('--rounds <n>', rounds).argParser((given) => wholeNumber('--rounds', given)),
    new Option(
      '--depth <n>',
      'With llmcompiler: how deep plans may stand in plans; 0 for none (2).',
    ).argParser((given) => wholeNumber('--depth', given)),
    new Option(
      '--no-join',
      'With llmcompiler: the results of all tasks are the answer; one that fails ends the run.',
    ),
    new Option('--native-tools', "With react: call tools in the provider's own form."),
    new Option(
      '--question-language <name>',
      'What the model is told is in English (en) or French (fr); that of --language if possible.',
    ).argParser(languageOf),
    new Option('--examples <file>', 'Worked examples for the model, in place of generated ones.'),
  ];
  for (const option of options) command.addOption(option.helpGroup('Tasks (llmcompiler, react):'));
}

function languageOf(given: string): PromptLanguage {
  const language = promptLanguage(given);
  if (language) return language;
  throw new CliError('PV6002', `--question-language: got ${given}, want en or fr`);
}

/** Refuses them for plans that are programs. Throws `CliError` PV6002. */
export function refuseTaskLoopFlags(flags: TaskLoopFlags): void {
  const given = [
    ...(flags.rounds === undefined ? [] : ['--rounds']),
    ...(flags.depth === undefined ? [] : ['--depth']),
    ...(flags.join === false ? ['--no-join'] : []),
    ...(flags.questionLanguage === undefined ? [] : ['--question-language']),
    ...(flags.examples === undefined ? [] : ['--examples']),
    ...(flags.nativeTools ? ['--native-tools'] : []),
  ];
  const [first] = given;
  if (first === undefined) return;
  throw new CliError('PV6002', `${first} is for loops over tasks`, {
    hint: 'add --dialect llmcompiler or --dialect react',
  });
}
