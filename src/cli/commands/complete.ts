/** `planvm complete -- WORDS…`: what may stand in the place of the last word, for a shell. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Complete, RootCommand } from '@bomb.sh/tab';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { journalPath } from '../../agent/port/workspace.ts';
import { findRun } from '../../agent/record/find-run.ts';
import { load } from '../../agent/record/load.ts';
import { savedPlans } from '../../agent/record/plan-store.ts';
import { savedThreads } from '../../agent/thread/thread-store.ts';
import { knownTools } from '../../agent/tools/known-tools.ts';
import { dialects } from '../../dialects/index.ts';
import { prices } from '../../effects/model/prices.ts';
import { waitsOf } from '../../engine/due.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { showRun } from '../../engine/views/show.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';

type Candidate = readonly [value: string, about: string];

/** Commander calls an action with its command last, which leads to all others. */
export const command: CommandSpec = {
  about: 'Answer a shell that completes a command.',
  takes: [['[words...]', 'The words so far; the last one is completed.']],
  examples: [
    ['planvm complete -- sh', 'commands that begin with sh'],
    ["planvm complete -- show ''", 'run ids'],
  ],
  act: (words: string[], _flags: object, own: CommandUnknownOpts) => complete(words, own.parent),
};

async function complete(words: string[], root: CommandUnknownOpts | null): Promise<ExitCode> {
  const workspace = await quietly(() => openWorkspace({ execute: false }));
  const world: World = { workspace, words };
  const offered = new RootCommand();
  for (const command of root?.commands ?? []) await offer(offered, command, command.name(), world);
  // Writes to stdout itself.
  offered.parse([...words]);
  return exit.done;
}

interface World {
  readonly workspace: Workspace | undefined;
  /** The last one is being completed. */
  readonly words: readonly string[];
}

async function offer(
  offered: RootCommand,
  command: CommandUnknownOpts,
  path: string,
  world: World,
): Promise<void> {
  if (path === 'complete') return;
  const own = offered.command(path, command.summary() || command.description());
  // Of all others nothing is asked for.
  const isMeant = path === world.words.slice(0, path.split(' ').length).join(' ');
  for (const argument of command.registeredArguments) {
    const { argChoices } = argument;
    const found = isMeant ? await candidates(argument.name(), argChoices, world, path) : [];
    own.argument(argument.name(), handler(found), argument.variadic);
  }
  for (const option of command.options) {
    const name = option.long?.slice(2);
    if (name === undefined) continue;
    if (!option.required && !option.optional) own.option(name, option.description);
    else {
      const found = isMeant ? await candidates(name, option.argChoices, world, path) : [];
      own.option(name, option.description, handler(found));
    }
  }
  for (const part of command.commands) await offer(offered, part, `${path} ${part.name()}`, world);
}

const handler =
  (found: readonly Candidate[]) =>
  (complete: Complete): void => {
    for (const [value, about] of found) complete(value, about);
  };

/** What an argument or the value of an option may be, by its name. */
async function candidates(
  name: string,
  choices: readonly string[] | undefined,
  world: World,
  path: string,
): Promise<readonly Candidate[]> {
  if (choices) return choices.map((choice) => [choice, '']);
  if (path.startsWith('tools') && /^(filter|name)$/.test(name)) return await toolNames(world);
  const found = finders.find(([names]) => names.includes(name))?.[1];
  return (await found?.(world, world.words.includes(`--${name}`))) ?? [];
}

type Finder = (
  world: World,
  isGiven: boolean,
) => readonly Candidate[] | Promise<readonly Candidate[]>;

/** What arguments and options of these names stand for. */
const finders: readonly (readonly [names: readonly string[], find: Finder])[] = [
  [['file or run'], (world) => [...runIds(world), ...files(world)]],
  [['run', 'runs', 'other', 'forks-of'], runIds],
  [['at', 'diff'], (world, isGiven) => (isGiven ? ofRun(world, stepsIn) : [])],
  [['as'], (world, isGiven) => (isGiven ? ofRun(world, askedIn) : [])],
  [['thread'], threadIds],
  [['plan'], planIds],
  [['file', 'edit-step', 'program', 'paths', 'tools', 'openapi', 'inputs'], files],
  [['record', 'replay', 'dataset', 'out', 'logs'], files],
  [['method', 'dialect'], () => dialects.map(({ name, about }): Candidate => [name, about])],
  [
    ['model', 'planner-model', 'judge-model'],
    () => Object.keys(prices).map((model): Candidate => [model, '']),
  ],
  [['allow', 'deny', 'yes'], toolNames],
  [['server', 'servers'], serverNames],
];

const runsMax = 50;

function runIds({ workspace }: World): readonly Candidate[] {
  const ids = inJournal(workspace, (journal) =>
    journal
      .list({ limit: runsMax })
      .map(({ id, status, title }): Candidate => [id, `${status} ${title}`]),
  );
  return [['last', 'the latest run'], ...ids];
}

/** What there is in the run that the words before name, which is behind the command. */
function ofRun(
  { workspace, words: [, ...words] }: World,
  find: (journal: Journal, run: RunSummary) => readonly Candidate[],
): readonly Candidate[] {
  const name = words.slice(0, -1).find((word) => !word.startsWith('-'));
  if (name === undefined) return [];
  return inJournal(workspace, (journal) => {
    try {
      return find(journal, findRun(journal, name));
    } catch {
      // There is no such run, or its program cannot be read: nothing completes the word.
      return [];
    }
  });
}

function inJournal(
  workspace: Workspace | undefined,
  find: (journal: Journal) => readonly Candidate[],
): readonly Candidate[] {
  if (!workspace || !existsSync(journalPath(workspace))) return [];
  const journal = openJournal(journalPath(workspace));
  try {
    return find(journal);
  } finally {
    journal.close();
  }
}

const stepsIn = (journal: Journal, { id }: RunSummary): readonly Candidate[] =>
  showRun({ journal, run: id, load }).steps.map((step): Candidate => [step.id, step.status]);

const askedIn = (journal: Journal, run: RunSummary): readonly Candidate[] =>
  waitsOf(journal, run).flatMap((wait): Candidate[] =>
    wait.kind === 'question' ? [[wait.to ?? 'user', wait.question]] : [],
  );

function planIds({ workspace }: World): readonly Candidate[] {
  if (!workspace) return [];
  return savedPlans(workspace).map(({ id, goal }): Candidate => [id, goal]);
}

function threadIds({ workspace }: World): readonly Candidate[] {
  if (!workspace) return [];
  const threads = savedThreads(workspace).map(({ id, title }): Candidate => [id, title]);
  return [['last', 'the latest conversation'], ...threads];
}

/** Built-in tools and declared ones: completing a word executes no tools file. */
async function toolNames({ workspace }: World): Promise<readonly Candidate[]> {
  const known = workspace && (await quietly(() => knownTools(workspace)));
  if (!known) return [];
  return [...known.specs.values()].map(({ name, description }): Candidate => [name, description]);
}

/** MCP servers, which are not started for it. */
async function serverNames({ workspace }: World): Promise<readonly Candidate[]> {
  const found = workspace && (await quietly(async () => workspace.servers()));
  return (found ?? []).map(({ server: { name, transport } }): Candidate => [name, transport.kind]);
}

/** The entries of the folder that a word begins to name. */
function files({ words }: World): readonly Candidate[] {
  const word = words.at(-1) ?? '';
  const folder = word.endsWith('/') ? word : dirname(word);
  const prefix = word.includes('/') ? folder : '';
  try {
    return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .map(
        (entry): Candidate => [
          join(prefix, entry.name) + (entry.isDirectory() ? '/' : ''),
          entry.isDirectory() ? 'folder' : '',
        ],
      );
  } catch {
    // There is no such folder: nothing completes the word.
    return [];
  }
}

/** Where nothing can be found out, nothing is offered: a shell shows no errors. */
async function quietly<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch {
    return undefined;
  }
}
