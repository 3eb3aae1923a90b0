/** `planvm gc`: drops for good what was deleted and what has been kept long enough. */
import { existsSync } from 'node:fs';
import { journalPath } from '../../agent/port/workspace.ts';
import { bytesForm, readBytes, showBytes } from '../../agent/settings/quantity.ts';
import { dropAnswers } from '../../agent/tools/caching.ts';
import { runStatuses } from '../../engine/journal/history.ts';
import { type Journal, JournalError, type RunSummary } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { expired, type Retention } from '../../engine/journal/retention.ts';
import type { RunStatus } from '../../engine/journal/run-state.ts';
import type { Sizes, Swept } from '../../engine/journal/sweep.ts';
import { clip, columns, count, oneLine } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { confirmed } from '../process/terminal-person.ts';
import { ageForm, readAge } from '../settings/age.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { ago, present, say } from '../view/output.ts';

interface Flags {
  readonly olderThan?: string;
  readonly keep?: string;
  readonly maxSize?: string;
  readonly status?: RunStatus[];
  readonly cache?: string | true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** Snapshots only save time, and of runs that ended a while ago rarely. */
const snapshotsKeptMs = 7 * 86_400_000;

export const command: CommandSpec = {
  about:
    'Drop for good what was deleted, values that nothing mentions, old snapshots; where an ' +
    'option or a setting says so, runs, too. Runs that have not ended go only by --status. ' +
    'What forks share with a dropped run stays.',
  options: [
    ['--older-than <age>', `Runs left alone for that long: ${ageForm}.`],
    ['--keep <n>', 'Leave the newest n; alone: drop all others.'],
    ['--max-size <bytes>', 'The oldest, until the journal is that small.'],
    ['--status <status...>', 'Which may be dropped; those that ended where absent.', runStatuses],
    [
      '--cache [tool]',
      'Drop answers that tools have given (cacheMs), and kept pages; nothing else.',
    ],
    ['--dry-run', 'Say what would be dropped, and drop nothing.'],
    ['-y, --yes', 'Ask nothing.'],
    json('Print a JSON document.'),
  ],
  examples: [
    ['planvm gc', 'drop what was deleted, and what the settings let go'],
    ['planvm gc --older-than 30d --keep 100 --dry-run', 'what would go?'],
    ['planvm gc --max-size 500MB --yes', 'keep the journal small'],
    ['planvm gc --cache stock_price', 'ask that tool anew, whatever was kept'],
    ['planvm gc --older-than 90d --status suspended waiting', 'runs that nobody took up again'],
  ],
  act: (flags) => gc(flags as Flags),
};

async function gc(flags: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace();
  if (flags.cache !== undefined) return await gcCache(workspace, flags);
  const rules = rulesOf(flags, workspace);
  if (!existsSync(journalPath(workspace))) {
    say('there is no run yet, nothing to drop');
    return exit.done;
  }
  return await withSpace(workspace, async (journal) => {
    const now = Date.now();
    const all = journal.list();
    const needsSizes = rules.bytesMax !== undefined || flags.dryRun === true;
    const sizes = needsSizes ? journal.sizes() : { total: 0, runs: new Map<string, number>() };
    const gone = new Set(expired(all, sizes, rules, now));
    const runs = all.filter(({ id }) => gone.has(id));
    const swept = await sweepAsked(journal, runs, { flags, sizes, now });
    if (!swept) {
      say('nothing was dropped');
      return exit.interrupted;
    }
    const dryRun = flags.dryRun === true;
    present(flags.json, { dryRun, ids: [...gone], ...swept }, () => [summaryOf(swept, dryRun)]);
    return exit.done;
  });
}

/** The journal; where the disk has no room for the files beside it, without them. */
async function withSpace<T>(
  workspace: Workspace,
  act: (journal: Journal) => Promise<T>,
): Promise<T> {
  const path = journalPath(workspace);
  const journal = openOnFullDisk(path);
  try {
    return await act(journal);
  } finally {
    journal.close();
  }
}

function openOnFullDisk(path: string): Journal {
  try {
    return openJournal(path);
  } catch (error) {
    const isFull = error instanceof JournalError && ['PV5016', 'PV5017'].includes(error.code);
    if (!isFull) throw error;
    return openJournal(path, { isAlone: true });
  }
}

/** What can be had again needs no question. */
async function gcCache(workspace: Workspace, flags: Flags): Promise<ExitCode> {
  const { cache, dryRun = false, json = false } = flags;
  const tool = cache === true ? undefined : cache;
  const dropped = await dropAnswers(workspace, { tool, dryRun });
  const verb = dryRun ? 'would drop' : 'dropped';
  present(json, { dryRun, ...dropped }, () => [
    `${verb} ${count(dropped.answers, 'kept answer')}: ${showBytes(dropped.bytes)}`,
  ]);
  return exit.done;
}

/** Undefined where the person said no. */
async function sweepAsked(
  journal: Journal,
  runs: readonly RunSummary[],
  { flags, sizes, now }: { flags: Flags; sizes: Sizes; now: number },
): Promise<Swept | undefined> {
  const { dryRun = false, yes = false, json = false } = flags;
  if (runs.length > 0 && !yes && !json) {
    for (const line of tableOf(runs, sizes)) say(line);
  }
  if (runs.length > 0 && !dryRun) {
    const question = `Drop ${count(runs.length, 'run')} for good?`;
    if (!(await confirmed(question, yes))) return undefined;
  }
  const ids = runs.map(({ id }) => id);
  return journal.sweep({ runs: ids, dryRun, snapshotsBefore: now - snapshotsKeptMs });
}

function tableOf(runs: readonly RunSummary[], sizes: Sizes): string[] {
  return columns(
    runs.map((run) => [
      run.id,
      run.status,
      ago(run.updatedAt),
      ...(sizes.runs.size > 0 ? [showBytes(sizes.runs.get(run.id) ?? 0)] : []),
      clip(oneLine(run.title), 50),
    ]),
  );
}

function summaryOf({ runs, events, snapshots, texts, bytes }: Swept, dryRun: boolean): string {
  const parts = [
    count(runs, 'run'),
    count(events, 'event'),
    count(texts, 'large value'),
    count(snapshots, 'snapshot'),
  ];
  const verb = dryRun ? 'would drop' : 'dropped';
  return `${verb} ${parts.join(', ')}: ${showBytes(Math.max(0, bytes))}`;
}

/** What the options say before what the settings say, each rule for itself. */
function rulesOf(flags: Flags, { settings, origins }: Workspace): Retention {
  const read = <T>(
    flag: string,
    given: string | undefined,
    name: 'gcOlderThan' | 'gcKeep' | 'gcMaxSize',
    { parse, form }: { parse: (text: string) => T | undefined; form: string },
  ): T | undefined => {
    const text = given ?? settings[name]?.toString();
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value !== undefined) return value;
    const where = given === undefined ? (origins[name] ?? '') : flag;
    throw new CliError(
      given === undefined ? 'PV6004' : 'PV6002',
      `${where}: got ${text}, want ${form}`,
    );
  };
  const age = { parse: readAge, form: ageForm };
  const number = { parse: readCount, form: 'a whole number of runs' };
  const size = { parse: readBytes, form: bytesForm };
  return {
    olderThanMs: read('--older-than', flags.olderThan, 'gcOlderThan', age),
    keep: read('--keep', flags.keep, 'gcKeep', number),
    bytesMax: read('--max-size', flags.maxSize, 'gcMaxSize', size),
    statuses: flags.status,
  };
}

const readCount = (text: string): number | undefined =>
  /^\d+$/.test(text) ? Number(text) : undefined;
