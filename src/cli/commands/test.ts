/** `planvm test`: folders of programs with what they are to do, as a regression suite. */

import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { findRun } from '../../agent/record/find-run.ts';
import { type Case, expectedName, findCases } from '../../cases/case-file.ts';
import { junitOf } from '../../cases/junit.ts';
import { type CaseResult, runCase } from '../../cases/run-case.ts';
import { filesOfRun, starterCase, writeCase } from '../../cases/save.ts';
import type { CaseDifference } from '../../cases/trace.ts';
import { stringify } from '../../program/json.ts';
import { count, duration } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { positive } from '../option-value.ts';
import { writeText } from '../process/files.ts';
import { withJournal } from '../run/journal.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { divertStdout, print, say, styleOf } from '../view/output.ts';
import { ourName } from '../view/result.ts';
import { apartLines } from '../view/state-text.ts';

interface Flags {
  readonly filter?: string;
  readonly update?: true;
  readonly save?: string;
  readonly init?: true;
  readonly junit?: string;
  readonly jobs: number;
  readonly json?: true;
}

export const command: CommandSpec = {
  about:
    'Run the cases in a folder: each is a folder with a case.json, and with an expected.json ' +
    'that says what its run has to do, effect by effect. Models answer from transcripts.',
  takes: [['<dir>', 'The folder; cases may be in folders below it.']],
  options: [
    ['--filter <text>', 'Only cases with this in their name.'],
    ['--update', 'Expect from now on what the cases do now.'],
    new Option('--save <run>', 'Make a case of a run in the folder, with its outcomes.').conflicts(
      'init',
    ),
    ['--init', 'Make a first case in the folder.'],
    new Option('--jobs <n>', 'How many at a time.')
      .argParser(positive)
      .default(availableParallelism(), 'one per processor'),
    new Option('--junit <file>', 'Also write JUnit XML.').helpGroup('Output:'),
    json('Print { cases: [{ name, ok }] }.'),
  ],
  examples: [
    ['planvm test tests/plans', 'run all cases'],
    ['planvm test tests/plans --init', 'begin with a first case'],
    ['planvm test tests/plans/refund --save last', 'a case of the latest run'],
    ['planvm test tests/plans --update', 'after a change that is meant'],
    ['planvm test tests/plans --junit report.xml', 'for continuous integration'],
  ],
  act: act,
};

async function act(folder: string, flags: Flags): Promise<ExitCode> {
  const { save } = flags;
  if (flags.init) return await made(folder, starterCase);
  if (save !== undefined) {
    const files = await withJournal(await openWorkspace({ execute: false }), (journal) =>
      filesOfRun(journal, findRun(journal, save)),
    );
    return await made(folder, files);
  }
  const cases = findCases(folder, flags.filter);
  const workspace = await openWorkspace();
  divertStdout();
  const results = await inTurn(cases, workspace, flags);
  if (flags.json) print(stringify({ cases: results }, 2));
  else for (const result of results) printResult(result);
  if (flags.junit !== undefined) writeText(flags.junit, junitOf(results), 'PV6054');
  const failed = results.filter(({ ok }) => !ok).length;
  say(`${results.length - failed} passed, ${failed} failed`);
  if (failed > 0 && !flags.json) {
    say(styleOf(process.stderr).dim(`  ${ourName} test ${folder} --update   if this is meant`));
  }
  return failed === 0 ? exit.done : exit.failed;
}

/** Writes a case and what it does, which from now on it is to do. */
async function made(folder: string, files: Readonly<Record<string, string>>): Promise<ExitCode> {
  writeCase(folder, files);
  divertStdout();
  const target = resolve(folder);
  const workspace = await openWorkspace();
  for (const testCase of findCases(folder, undefined)) {
    if (testCase.folder === target) await runCase(testCase, workspace, true);
  }
  for (const name of [...Object.keys(files), expectedName]) print(`wrote ${join(folder, name)}`);
  say(styleOf(process.stderr).dim(`  ${ourName} test ${folder}`));
  return exit.done;
}

/** Some at a time; the results in the order of the cases. */
async function inTurn(
  cases: readonly Case[],
  workspace: Workspace,
  { jobs, update }: Flags,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  const waiting = cases.entries();
  const worker = async (): Promise<void> => {
    for (const [i, testCase] of waiting) {
      results[i] = await runCase(testCase, workspace, update === true);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return results;
}

function printResult({ name, ok, updated, tookMs, effects, differences }: CaseResult): void {
  const style = styleOf(process.stdout);
  const about = style.dim(`${count(effects, 'effect')}, ${duration(tookMs)}`);
  if (ok) print(`${style.good('✔')} ${name}  ${updated ? 'updated' : about}`);
  else print(`${style.error('✖')} ${name}`);
  if (!ok) for (const line of differences.flatMap(linesOf)) print(line);
}

const linesOf = ({ about, expected, got }: CaseDifference): string[] =>
  apartLines(about, { expected: expected ?? 'nothing', got: got ?? 'nothing' });
