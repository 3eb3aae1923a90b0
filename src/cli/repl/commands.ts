/** The commands of the prompt: which there are, which one is meant, and what is said of them. */
import { nearest } from '../../program/diagnostic.ts';
import { columns } from '../../text/words.ts';
import { print, say } from '../view/output.ts';
import type { Desk, ReplCommand } from './desk.ts';
import { modeCommands, programCommands } from './program-commands.ts';
import { lookCommands, threadCommands } from './thread-commands.ts';

const ownCommands: readonly ReplCommand[] = [
  {
    name: 'help',
    takes: '[command]',
    about: 'Say what there is.',
    aliases: ['h'],
    run(desk, rest) {
      if (rest !== '') sayCommand(desk, rest.replace(/^\//, ''));
      else for (const line of helpLines()) say(line);
    },
  },
  {
    name: 'quit',
    about: 'Leave; so does Ctrl-D.',
    aliases: ['exit', 'q'],
    run: (desk) => desk.leave(),
  },
];

const replCommands: readonly ReplCommand[] = [
  ...ownCommands,
  ...modeCommands,
  ...programCommands,
  ...lookCommands,
  ...threadCommands,
];

const byName = new Map(
  replCommands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => [name, command] as const),
  ),
);

/** A line that is a command: `/name rest`. A path is none. */
export const commandIn = (line: string): { name: string; rest: string } | undefined => {
  const [, name, rest = ''] = /^\s*\/([A-Za-z_]+)(?:\s+([\s\S]*))?$/.exec(line) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), rest: rest.trim() };
};

/** What Tab offers behind `/`. */
export const commandNames: readonly string[] = replCommands.map(({ name }) => `/${name}`);

export async function carryOut(
  desk: Desk,
  { name, rest }: { readonly name: string; readonly rest: string },
): Promise<void> {
  const command = byName.get(name);
  if (command) await command.run(desk, rest);
  else unknown(desk, name);
}

function unknown(desk: Desk, name: string): void {
  const meant = nearest(name, byName.keys());
  say(`there is no command /${name}; ${meant ? `did you mean /${meant}?` : '/help lists them'}`);
  desk.fail();
}

function sayCommand(desk: Desk, name: string): void {
  const command = byName.get(name);
  if (!command) {
    unknown(desk, name);
    return;
  }
  const { takes = '', about, aliases = [] } = command;
  print(`/${command.name} ${takes}`.trimEnd());
  print(`  ${about}`);
  if (aliases.length > 0) print(`  also /${aliases.join(', /')}`);
}

const helpLines = (): string[] => [
  'What is typed is a goal, a question or Starlark: the prompt says which. Several lines are one',
  'text where a line ends in a backslash, or when they are pasted.',
  '',
  ...columns(
    replCommands.map(({ name, takes = '', about }) => [`  /${name} ${takes}`.trimEnd(), about]),
  ),
];
