/**
 * What a command is, as data: its sentence, arguments, options, examples and action. A file in
 * `commands/` exports one; `define` makes a command of commander of it.
 */
import { Argument, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { ExitCode } from './exit.ts';
import { styleOf } from './view/output.ts';

export interface CommandSpec {
  /** What it does, for its help. */
  readonly about: string;
  readonly takes?: readonly (Argument | ArgumentRow)[];
  readonly options?: readonly OptionRow[];
  readonly examples: readonly Example[];
  /** Gets the arguments, then the options; gives the exit code. */
  readonly act?: (...given: never[]) => ExitCode | Promise<ExitCode>;
  /** Commands below it, by name. */
  readonly parts?: Readonly<Record<string, PartSpec>>;
}

export interface PartSpec extends CommandSpec {
  /** Whether it is meant where no part is named. */
  readonly isDefault?: boolean;
}

type ArgumentRow = readonly [name: string, about: string, usual?: string];

/** An option by its flags, or one that says more, such as what it conflicts with. */
export type OptionRow = Option | readonly [flags: string, about: string, takes?: OptionValues];

/** What an option takes: one of some words, or what a function reads. */
type OptionValues = readonly string[] | ReadOption;

/** Reads a value; `before` is what the option was given before. */
type ReadOption = (given: string, before?: never) => unknown;

/** A command line and what it does. */
export type Example = readonly [line: string, about: string];

const optionOf = (row: OptionRow): Option => {
  if (row instanceof Option) return row;
  const [flags, about, takes] = row;
  const option = new Option(flags, about);
  if (typeof takes === 'function') option.argParser(takes as (given: string) => unknown);
  else if (takes) option.choices(takes);
  return option;
};

/** Options under a heading of their own. */
export const group = (heading: string, rows: readonly OptionRow[]): Option[] =>
  rows.map((row) => optionOf(row).helpGroup(heading));

const output = (flags: string, about: string): Option =>
  new Option(flags, about).helpGroup('Output:');

export const json = (about: string): Option => output('--json', about);

export const quiet = (about: string): Option => output('-q, --quiet', about);

/** A value that may be given several times. */
export const repeated = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
];

export function define(
  command: CommandUnknownOpts,
  { about, takes = [], options = [], examples, act, parts = {} }: CommandSpec,
  end: (code: ExitCode) => void,
): void {
  command.description(about);
  for (const row of takes) {
    if (row instanceof Argument) command.addArgument(row);
    else command.argument(...row);
  }
  for (const row of options) command.addOption(optionOf(row));
  if (act) command.action(async (...given) => end(await act(...(given as unknown as never[]))));
  for (const [name, { isDefault = false, ...part }] of Object.entries(parts)) {
    define(command.command(name, { isDefault }), part, end);
  }
  command.addHelpText('after', () => {
    const style = styleOf(process.stdout);
    const lines = examples.map(([line, words]) => `  ${line}\n      ${style.dim(words)}`);
    return `\n${style.strong('Examples:')}\n${lines.join('\n')}`;
  });
}
