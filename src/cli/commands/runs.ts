/** `planvm runs`: the runs of this folder, newest first. */
import { existsSync } from 'node:fs';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { journalPath } from '../../agent/port/workspace.ts';
import { writtenIn } from '../../agent/record/asked.ts';
import { isDue, untilOf, waitsOf } from '../../engine/due.ts';
import { runReasons, runStatuses } from '../../engine/journal/history.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import type { RunReason, RunStatus } from '../../engine/journal/run-state.ts';
import type { OpenWait } from '../../engine/perform/person.ts';
import { waitText } from '../../engine/stop.ts';
import { clip, oneLine } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { positive } from '../option-value.ts';
import { withJournal } from '../run/journal.ts';
import { metadataEntry } from '../run/run-options.ts';
import { momentForm, readMoment } from '../settings/age.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { ago, present, say, styleOf, tableLines } from '../view/output.ts';

interface Flags {
  readonly status?: RunStatus;
  readonly reason?: RunReason;
  readonly since?: number;
  readonly title?: string;
  readonly meta?: Readonly<Record<string, string>>;
  readonly due?: true;
  /** A person, by name. */
  readonly for?: string;
  readonly deleted?: true;
  readonly limit: number;
  readonly json?: true;
}

export const command: CommandSpec = {
  about: 'List the runs, newest first. Several options: what fits all of them.',
  options: [
    ['--status <status>', 'Only those with this status.', runStatuses],
    ['--reason <reason>', 'Only those that it has stopped.', runReasons],
    new Option(
      '--due',
      'Waiting runs whose moment has come, or that were left a reply: planvm resume --due.',
    ).implies({ status: 'waiting' }),
    ['--since <time>', `Started then or later: ${momentForm}.`, moment],
    ['--title <text>', 'With this text in the title.'],
    ['--meta <key=value>', 'With this metadata; may be repeated.', metadataEntry],
    new Option('--for <name>', 'Waiting runs that ask this person by name.').implies({
      status: 'waiting',
    }),
    ['--deleted', 'What can be restored, instead.'],
    new Option('--limit <n>', 'How many at most.').argParser(positive).default(20, '20'),
    json('Print a JSON list.'),
  ],
  examples: [
    ['planvm runs', 'the latest runs'],
    ['planvm runs --status failed --since 2d', 'what has failed lately'],
    ['planvm runs --status suspended --reason limit', 'those that wait for a larger budget'],
    ['planvm runs --title invoice --since 2026-03-01', 'a certain one since March'],
    ['planvm runs --meta team=red --meta year=2026', 'those that were started with these'],
    ['planvm runs --for Clara', 'those that ask Clara something'],
    ['planvm runs --due', 'waiting runs that planvm resume --due would go on with'],
    ['planvm runs --limit 1 --json', 'the latest one, for another program'],
  ],
  act: (flags) => runs(flags as Flags),
};

function moment(given: string): number {
  const time = readMoment(given, Date.now());
  if (time !== undefined) return time;
  throw new InvalidArgumentError(`got ${given}, want ${momentForm}`);
}

async function runs(flags: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const found = existsSync(journalPath(workspace))
    ? await withJournal(workspace, (journal) => withMoments(journal, listed(journal, flags)))
    : [];
  if (found.length === 0 && !flags.json) {
    const isFiltered = Object.keys(flags).some((name) => !unfiltering.has(name));
    say(isFiltered ? 'no such run' : 'no runs; planvm run FILE starts one');
  } else present(flags.json, found.map(documentOf), () => tableOf(found));
  return exit.done;
}

/** Options that leave no run out. */
const unfiltering: ReadonlySet<string> = new Set(['limit', 'json', 'color', 'verbose']);

function listed(journal: Journal, flags: Flags): readonly RunSummary[] {
  const { status, reason, since, title, due, limit } = flags;
  const whom = flags.for?.toLowerCase();
  if (flags.deleted) return journal.removed().slice(0, limit);
  const filter = { status, reason, since, title, metadata: flags.meta };
  if (!due && whom === undefined) return journal.list({ ...filter, limit });
  const now = Date.now();
  return journal
    .list(filter)
    .filter((run) => !due || isDue(journal, run, now))
    .filter((run) => whom === undefined || isAsked(journal, run, whom))
    .slice(0, limit);
}

const isAsked = (journal: Journal, run: RunSummary, whom: string): boolean =>
  askedIn(waitsOf(journal, run)).some((name) => name?.toLowerCase() === whom);

/** Who is asked, each once, in the order of asking; undefined for whoever a program talks with. */
function askedIn(waits: readonly OpenWait[]): readonly (string | undefined)[] {
  return [...new Set(waits.flatMap((wait) => (wait.kind === 'question' ? [wait.to] : [])))];
}

interface Listed extends RunSummary {
  readonly waits: readonly OpenWait[];
  /** The first moment that it waits for. */
  readonly moment: number | undefined;
}

const withMoments = (journal: Journal, found: readonly RunSummary[]): readonly Listed[] =>
  found.map((run) => ({ ...run, moment: untilOf(journal, run), waits: waitsOf(journal, run) }));

function documentOf(run: Listed): Record<string, unknown> {
  const { id, status, reason, title, metadata, createdAt, updatedAt, events, owned, base, waits } =
    run;
  const dialect = writtenIn(run);
  const open = waits.length > 0 ? { waits } : {};
  const about = { run: id, status, reason, until: run.moment, ...open, title, metadata, dialect };
  return { ...about, createdAt, updatedAt, events, owned, base };
}

const titleColumns = 60;
/** Of one run. */
const asksMax = 5;

function tableOf(found: readonly Listed[]): string[] {
  const style = styleOf(process.stdout);
  const rows = found.map((run) => [
    run.id,
    statusOf(run),
    ago(run.createdAt),
    writtenIn(run),
    clip(oneLine(run.title), titleColumns),
  ]);
  const names = ['run', 'status', 'started', 'dialect', 'title'];
  const [head = '', ...lines] = tableLines(names, rows);
  // What a run of one question asks its title seldom says, and that of several never does.
  const asks = found.map(({ waits }) => waits.filter(({ kind }) => kind !== 'pause'));
  const below = (at: number): string[] => {
    const all = (asks[at] ?? []).map((wait) => oneLine(waitText(wait)));
    const more = all.length > asksMax ? [`and ${all.length - asksMax} more`] : [];
    return [...all.slice(0, asksMax), ...more].map((text) => style.dim(`  ${text}`));
  };
  return [head, ...lines.flatMap((line, at) => [line, ...below(at)])];
}

/** A run that no process has is not running, whatever its last event says. */
function statusOf({ status, reason, owned, moment, waits }: Listed): string {
  if (status === 'running' && !owned) return 'interrupted';
  const until = moment === undefined ? '' : ` until ${minuteOf(moment)}`;
  const asked = askedIn(waits);
  const isNamed = asked.some((name) => name !== undefined);
  const whom = isNamed ? ` ${asked.map((name) => name ?? 'the user').join(', ')}` : '';
  return reason === undefined ? status : `${status} (${reason}${whom}${until})`;
}

/** To the minute, in UTC as everywhere: `2026-03-01 12:00Z`. */
const minuteOf = (moment: number): string =>
  `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')}Z`;
