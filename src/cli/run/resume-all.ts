/**
 * Goes on with all runs that can go on by themselves: for a timer of the system, since no process
 * stays for a run that waits. One after the other; what another process takes meanwhile is its own.
 */
import { keptResult } from '../../agent/record/kept-result.ts';
import { dueRuns, isDue } from '../../engine/due.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { stringify } from '../../program/json.ts';
import { clip, oneLine } from '../../text/words.ts';
import { type ExitCode, exit } from '../exit.ts';
import { failureOf, failureText } from '../failure.ts';
import { print, say } from '../view/output.ts';
import { resumeHere } from './resume-run.ts';
import type { RunFlags } from './run-options.ts';

/** Which runs are meant: what they waited for has come, or their process has died, or both. */
export interface Wanted {
  readonly due?: boolean;
  readonly interrupted?: boolean;
}

/** What came of one of them. */
type Outcome = { readonly code: ExitCode } & (
  | { readonly document: object; readonly line: string }
  /** Another process was quicker. */
  | { readonly taken: true }
);

/**
 * 0 where all of them have ended well or wait again, also where there were none; else the code of
 * what went worst. A run that is interrupted here ends all of it.
 */
export async function resumeAll(
  journal: Journal,
  wanted: Wanted,
  flags: RunFlags,
): Promise<ExitCode> {
  const documents: object[] = [];
  let worst: ExitCode = exit.done;
  for (const { id } of runsThat(journal, wanted, Date.now())) {
    const run = journal.find(id);
    if (!run || !isWanted(journal, run, wanted)) continue;
    const outcome = await one(journal, run, flags);
    if ('taken' in outcome) continue;
    documents.push(outcome.document);
    if (!flags.json && !flags.events) print(outcome.line);
    worst = worse(worst, outcome.code);
    if (outcome.code === exit.interrupted && journal.find(id)?.reason === 'interrupted') break;
  }
  if (flags.json) print(stringify(documents, 2));
  else if (documents.length === 0 && !flags.quiet) say(`no run is ${wordsFor(wanted)}`);
  return worst;
}

/** Oldest first, so that none has to wait for those that came later. */
function runsThat(journal: Journal, wanted: Wanted, now: number): RunSummary[] {
  const found = wanted.due ? dueRuns(journal, now) : [];
  if (wanted.interrupted) found.push(...journal.list({ status: 'running', owned: false }));
  return found.toSorted((a, b) => a.createdAt - b.createdAt);
}

function isWanted(journal: Journal, run: RunSummary, { due, interrupted }: Wanted): boolean {
  if (interrupted && run.status === 'running' && !run.owned) return true;
  return due === true && isDue(journal, run, Date.now());
}

async function one(journal: Journal, run: RunSummary, flags: RunFlags): Promise<Outcome> {
  const { id, title } = run;
  const { json: _, ...rest } = flags;
  const told = (status: string): string => `${id}  ${status}  ${clip(oneLine(title), 60)}`;
  try {
    // Nobody is there to be asked, and answers of several runs are told apart by their documents.
    const code = await resumeHere(journal, run, {
      ...{ ...rest, prompts: false, apart: true },
      ...(!flags.verbose && { quiet: true }),
    });
    const result = keptResult(journal, id);
    const status = result?.status ?? 'running';
    const why = result?.reason === undefined ? '' : ` (${result.reason})`;
    return { code, document: result ?? { run: id, status }, line: told(`${status}${why}`) };
  } catch (error) {
    const { code, message, hint = null, ends } = failureOf(error);
    if (takenAway.has(code)) return { code: exit.done, taken: true };
    say(`${id}: ${failureText(error, flags.verbose === true)}`);
    const document = { run: id, error: { code, message, hint } };
    return { code: ends, document, line: told(`not resumed (${code})`) };
  }
}

/** Another process has it, has taken it, or has brought it to its end. */
const takenAway: ReadonlySet<string> = new Set(['PV5001', 'PV5002', 'PV5106']);

/** From bad to worst; a run that waits again is as it should be. */
const order: readonly ExitCode[] = [
  exit.done,
  exit.waiting,
  exit.budget,
  exit.undecided,
  exit.invalid,
  exit.usage,
  exit.failed,
  exit.interrupted,
];

function worse(one: ExitCode, other: ExitCode): ExitCode {
  const worst = order.indexOf(one) > order.indexOf(other) ? one : other;
  return worst === exit.waiting ? exit.done : worst;
}

const wordsFor = ({ due, interrupted }: Wanted): string =>
  [due && 'due', interrupted && 'interrupted'].filter(Boolean).join(' or ');
