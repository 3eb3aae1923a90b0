/** `planvm runs`: the runs of this folder, newest first. */
import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { RunStatus, RunSummary } from '../../engine/journal.ts';
import { stringify } from '../../program/json.ts';
import { type ExitCode, exit } from '../exit.ts';
import { acting, addExamples } from '../help.ts';
import { withJournal } from '../journal.ts';
import { print, say, styleOf } from '../output.ts';
import { clip, columns, duration, oneLine } from '../text.ts';
import { journalPath, openWorkspace } from '../workspace.ts';

const statuses = [
  'running',
  'done',
  'failed',
  'waiting',
  'suspended',
  'cancelled',
] as const satisfies readonly RunStatus[];

interface Flags {
  readonly status?: RunStatus;
  readonly limit: number;
  readonly json?: true;
}

export function define(command: Command, end: (code: ExitCode) => void): void {
  const described = command
    .description('List the runs, newest first.')
    .addOption(new Option('--status <status>', 'Only those with this status.').choices(statuses))
    .addOption(new Option('--limit <n>', 'How many at most.').argParser(positive).default(20, '20'))
    .addOption(new Option('--json', 'Print a JSON list.').helpGroup('Output:'))
    .action(acting(end, (flags: Flags) => runs(flags)));
  addExamples(
    described,
    ['planvm runs', 'the latest runs'],
    ['planvm runs --status suspended', 'those that wait to be resumed'],
    ['planvm runs --limit 1 --json', 'the latest one, for another program'],
  );
}

function positive(given: string): number {
  const value = Number(given);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError(`got ${given}, want a positive integer`);
}

async function runs({ status, limit, json }: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const found = existsSync(journalPath(workspace))
    ? await withJournal(workspace, (journal) => journal.list({ limit, ...(status && { status }) }))
    : [];
  if (json) {
    print(stringify(found.map(documentOf), 2));
    return exit.done;
  }
  if (found.length === 0) say('no runs; planvm run FILE starts one');
  else for (const line of tableOf(found)) print(line);
  return exit.done;
}

function documentOf(run: RunSummary): Record<string, unknown> {
  const { id, status, reason, title, dialect, createdAt, updatedAt, events, owned } = run;
  return { run: id, status, reason, title, dialect, createdAt, updatedAt, events, owned };
}

const titleColumns = 60;

function tableOf(found: readonly RunSummary[]): string[] {
  const style = styleOf(process.stdout);
  const rows = found.map((run) => [
    run.id,
    statusOf(run),
    `${duration(Math.max(0, Date.now() - run.createdAt))} ago`,
    run.dialect,
    clip(oneLine(run.title), titleColumns),
  ]);
  const [head = '', ...lines] = columns([
    ['run', 'status', 'started', 'dialect', 'title'],
    ...rows,
  ]);
  return [style.dim(head), ...lines];
}

/** A run that no process has is not running, whatever its last event says. */
function statusOf({ status, reason, owned }: RunSummary): string {
  if (status === 'running' && !owned) return 'interrupted';
  return reason === undefined ? status : `${status} (${reason})`;
}
