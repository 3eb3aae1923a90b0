/** `planvm replay`: runs a run again purely from its journal, and says what differs. */

import { requireDialect } from '../../agent/program/require-dialect.ts';
import { findRun } from '../../agent/record/find-run.ts';
import { load } from '../../agent/record/load.ts';
import { detect } from '../../dialects/index.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { type Difference, type Verification, verifyRun } from '../../engine/past/verify.ts';
import { stringify } from '../../program/json.ts';
import { clip, count, oneLine } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError, failureText } from '../failure.ts';
import { readProgram } from '../program/read-program.ts';
import { withJournal } from '../run/journal.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { print, say, styleOf } from '../view/output.ts';
import { ourName } from '../view/result.ts';
import { apartLines } from '../view/state-text.ts';

interface Flags {
  readonly all?: true;
  readonly program?: string;
  readonly dialect?: string;
  readonly json?: true;
}

export const command: CommandSpec = {
  about:
    'Run a run again purely from its journal: nothing is performed, no model is called. Every ' +
    'request, message, answer and the end must be as they were; the exit code is 6 where one ' +
    'is not.',
  takes: [['[run]', 'The beginning of a run id, or last.']],
  options: [
    ['--all', 'Every run there is.'],
    ['--program <file>', 'This program instead: would it have asked for the same?'],
    ['--dialect <name>', 'What the program is written in.'],
    json('Print { runs: [{ run, ok, differences }] }.'),
  ],
  examples: [
    ['planvm replay last', 'the latest run'],
    ['planvm replay --all', 'every run, as after an upgrade of planvm'],
    ['planvm replay r0abc --program plan.json', 'before a changed program goes on with a run'],
  ],
  act: replay,
};

type Replayed =
  | Verification
  /** The replay was not possible. */
  | { readonly run: string; readonly ok: false; readonly error: unknown };

async function replay(name: string | undefined, flags: Flags): Promise<ExitCode> {
  if ((name === undefined) === (flags.all !== true)) {
    const got = name === undefined ? 'neither a run nor --all' : 'a run and --all';
    throw new CliError('PV6001', `got ${got}, want one of them`, { hint: 'planvm replay last' });
  }
  const program = flags.program === undefined ? undefined : await programIn(flags.program, flags);
  return await withJournal(await openWorkspace({ execute: false }), (journal) => {
    const runs = name === undefined ? journal.list() : [findRun(journal, name)];
    const replayed = runs.map((summary) => {
      const one = verified(journal, summary, program, flags);
      if (!flags.json) printOne(one, summary);
      return one;
    });
    if (flags.json) print(stringify({ runs: replayed.map(documentOf) }, 2));
    else if (flags.all) sayCount(replayed);
    return replayed.every(({ ok }) => ok) ? exit.done : exit.undecided;
  });
}

interface ProgramText {
  readonly text: string;
  readonly dialect: string;
}

async function programIn(file: string, { dialect }: Flags): Promise<ProgramText> {
  const { text } = await readProgram(file);
  if (dialect !== undefined) return { text, dialect: requireDialect(dialect).name };
  const found = detect(text, { file });
  if (!('code' in found)) return { text, dialect: found.name };
  throw new CliError('PV6002', `${file}: ${found.message}`, { hint: found.hint });
}

/** With --all, a run that cannot be read is one of the results; a single one is an error. */
function verified(
  journal: Journal,
  { id }: RunSummary,
  program: ProgramText | undefined,
  { all }: Flags,
): Replayed {
  try {
    return verifyRun({ journal, run: id, load, ...(program && { program }) });
  } catch (error) {
    if (all) return { run: id, ok: false, error };
    throw error;
  }
}

function documentOf(one: Replayed): unknown {
  if (!('error' in one)) return one;
  const { run, ok, error } = one;
  const { code = null, message = String(error) } = error as { code?: string; message?: string };
  return { run, ok, error: { code, message } };
}

const titleColumns = 40;

function printOne(one: Replayed, { id, title }: RunSummary): void {
  const style = styleOf(process.stdout);
  const head = `${id}  ${style.dim(clip(oneLine(title), titleColumns))}`;
  if ('error' in one) {
    print(`${style.error('✖')} ${head}  cannot be replayed`);
    say(failureText(one.error, false));
    return;
  }
  const seen = `${count(one.effects, 'effect')}, ${count(one.messages, 'message')}`;
  if (one.ok) print(`${style.good('✔')} ${head}  the same: ${seen}`);
  else print(`${style.error('✖')} ${head}  differs after ${seen}`);
  for (const line of one.differences.flatMap(linesOf)) print(line);
  if (!one.ok && !one.sameProgram) say('  the program compiles to other code than the run had');
  if (!one.ok) say(style.dim(`  ${ourName} show ${id} --verbose`));
}

const linesOf = ({ what, name, step, recorded, replayed }: Difference): string[] =>
  apartLines([what, name].join(' ').trim() + (step === '' ? '' : ` at step ${step}`), {
    journal: recorded ?? 'nothing',
    replay: replayed ?? 'nothing',
  });

function sayCount(replayed: readonly Replayed[]): void {
  const wrong = replayed.filter(({ ok }) => !ok).length;
  const all = count(replayed.length, 'run');
  say(wrong === 0 ? `${all}, all the same` : `${all}, ${wrong} not the same`);
}
