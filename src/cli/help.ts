/** What the help of all commands has in common. */
import {
  type CommandUnknownOpts,
  Help,
  type HelpConfiguration,
  Option,
} from '@commander-js/extra-typings';
import { isColoured, styleOf } from './view/output.ts';

/** Options that mean the same wherever they stand. */
export function addCommonOptions(command: CommandUnknownOpts): void {
  const common = [
    new Option('--verbose', 'Say more: each step and call, the stacks of errors.'),
    new Option('--no-color', 'No colour, as with NO_COLOR.'),
  ];
  const owners = command.commands.length > 0 ? [command, ...command.commands] : [command];
  for (const owner of owners) {
    for (const option of common) {
      if (!owner.options.some(({ long }) => long === option.long)) {
        owner.addOption(option.helpGroup('General:'));
      }
    }
  }
}

/** Headings stand out where the stream takes colour. Subcommands inherit it. */
export function styleHelp(root: CommandUnknownOpts): void {
  const { strong } = styleOf(process.stdout);
  root.configureHelp({ styleTitle: strong, ...helpIn(helpWidth()) });
  root.configureOutput({
    getOutHasColors: () => isColoured(process.stdout),
    getErrHasColors: () => isColoured(process.stderr),
  });
}

/** Wide lines are hard to read, also where the window would take them. */
const helpWidth = (): number => Math.min(process.stdout.columns ?? 100, 100);

/** In columns: what stands before what is explained, and before what explains it. */
const itemIndent = 2;
const spacer = 2;

/** Columns that an explanation needs to stand beside what it is for; else it stands below. */
const besideMin = 36;

/** How help is laid out in so many columns. */
export const helpIn = (width: number): HelpConfiguration => ({
  ...{ helpWidth: width, minWidthToWrap: 20 },
  formatItem(term, termWidth, description, helper) {
    if (width - termWidth - itemIndent - spacer >= besideMin || !description)
      return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
    const below = ' '.repeat(3 * itemIndent);
    const lines = helper.boxWrap(description, width - below.length).split('\n');
    return [`${' '.repeat(itemIndent)}${term}`, ...lines.map((line) => below + line)].join('\n');
  },
});
