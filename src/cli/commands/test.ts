/** `planvm test`: folders of programs with what they are to do, as a regression suite. */
import { Option } from '@commander-js/extra-typings';
import { findCases } from '../../cases/case-file.ts';
import { junitOf } from '../../cases/junit.ts';
import { type CaseResult, runCase } from '../../cases/run-case.ts';
import type { CaseDifference } from '../../cases/trace.ts';
import { stringify } from '../../program/json.ts';
import { count, duration } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { writeText } from '../process/files.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { divertStdout, print, say, styleOf } from '../view/output.ts';
import { ourName } from '../view/result.ts';
import { apartLines } from '../view/state-text.ts';

interface Flags {
  readonly filter?: string;
  readonly update?: true;
  readonly junit?: string;
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
    new Option('--junit <file>', 'Also write JUnit XML.').helpGroup('Output:'),
    json('Print { cases: [{ name, ok }] }.'),
  ],
  examples: [
    ['planvm test tests/plans', 'run all cases'],
    ['planvm test tests/plans --update', 'after a change that is meant'],
    ['planvm test tests/plans --junit report.xml', 'for continuous integration'],
  ],
  act: act,
};

async function act(folder: string, flags: Flags): Promise<ExitCode> {
  const cases = findCases(folder, flags.filter);
  const workspace = await openWorkspace();
  divertStdout();
  const results: CaseResult[] = [];
  for (const testCase of cases) {
    const result = await runCase(testCase, workspace, flags.update === true);
    if (!flags.json) printResult(result);
    results.push(result);
  }
  if (flags.json) print(stringify({ cases: results }, 2));
  if (flags.junit !== undefined) writeText(flags.junit, junitOf(results), 'PV6054');
  const failed = results.filter(({ ok }) => !ok).length;
  say(`${results.length - failed} passed, ${failed} failed`);
  if (failed > 0 && !flags.json) {
    say(styleOf(process.stderr).dim(`  ${ourName} test ${folder} --update   if this is meant`));
  }
  return failed === 0 ? exit.done : exit.failed;
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
