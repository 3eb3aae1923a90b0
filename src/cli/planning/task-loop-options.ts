/** The options of `ask` that are about loops over tasks. */
import { group, type OptionRow } from '../command.ts';
import { CliError } from '../failure.ts';
import { wholeNumber } from '../option-value.ts';

/** What they give an action. */
export interface TaskLoopFlags {
  readonly rounds?: number;
  /** How deep plans may stand in plans. */
  readonly depth?: number;
  /** False: results are the answer. */
  readonly join?: boolean;
  readonly examples?: string;
  /** False: calls are asked for in text. */
  readonly nativeTools?: boolean;
}

export const taskLoopOptions = (): OptionRow[] =>
  group('Tasks (llmcompiler, react):', [
    [
      '--rounds <n>',
      'With llmcompiler: how many plans there may be (3). With react: how often the model may ' +
        'reply (15).',
      wholeNumber,
    ],
    [
      '--depth <n>',
      'With llmcompiler: how deep plans may stand in plans; 0 for none (2).',
      wholeNumber,
    ],
    [
      '--no-join',
      'With llmcompiler: the results of all tasks are the answer; one that fails ends the run.',
    ],
    [
      '--no-native-tools',
      'With react: ask for calls in text, also where the model has tool calls.',
    ],
    ['--examples <file>', 'Worked examples for the model, in place of generated ones.'],
  ]);

/** Refuses them for plans that are programs. Throws `CliError` PV6002. */
export function refuseTaskLoopFlags(flags: TaskLoopFlags): void {
  const { rounds, depth, join, examples, nativeTools } = flags;
  const given = Object.entries({ rounds, depth, examples });
  const options = given.filter(([, value]) => value !== undefined).map(([name]) => `--${name}`);
  const [first] = [
    ...options,
    ...(join === false ? ['--no-join'] : []),
    ...(nativeTools === false ? ['--no-native-tools'] : []),
  ];
  if (first === undefined) return;
  throw new CliError('PV6002', `${first} is for loops over tasks`, {
    hint: 'add --dialect llmcompiler or --dialect react',
  });
}
