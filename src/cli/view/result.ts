/** How a run ended, for people: the answer on stdout, everything else on stderr. */
import { describeFailure, type FailedProgram } from '../../agent/evidence/failure-text.ts';
import { usageWords } from '../../agent/run/usage.ts';
import { answersText } from '../../agent/view/answers-text.ts';
import { isModelUnavailable } from '../../effects/model/unavailable.ts';
import type { OpenWait } from '../../engine/perform/person.ts';
import type { RunResult, Warning } from '../../engine/result.ts';
import type { MetLimit } from '../../engine/spent.ts';
import { waitText } from '../../engine/stop.ts';
import { encodeValue, stringify } from '../../program/json.ts';
import { limitTable } from '../../program/limits.ts';
import { duration, oneLine, withoutControls } from '../../text/words.ts';
import { flagged, waitCommands } from '../advice.ts';
import { type ExitCode, exitOf } from '../exit.ts';
import { isColoured, print, type Style, say, styleOf } from './output.ts';
import { modelLine, sayWarnings } from './warnings.ts';

export interface ResultFlags {
  readonly json?: boolean;
  readonly events?: boolean;
  readonly quiet?: boolean;
  /** The caller says what came of it. */
  readonly apart?: boolean;
}

/** What the result is shown beside. */
export interface Ran extends FailedProgram {
  /** Milliseconds; absent where the run is only shown. */
  readonly tookMs?: number;
  /** Whether the run can be named to other commands as it is. */
  readonly kept: boolean;
  /** What was said last, where the answer stands: the same is not printed again. */
  readonly lastSaid?: string | undefined;
  /** What else there is to say of its end. */
  readonly note?: string;
}

/** The result as JSON that loses nothing of its values: `decodeValue` reads each of them. */
function documentOf(result: RunResult): RunResult {
  const { answer, answers, variables, error } = result;
  const values = Object.entries(variables).map(([name, value]) => [name, encodeValue(value)]);
  return {
    ...result,
    answer: encodeValue(answer),
    answers: answers.map((one) => ({ ...one, value: encodeValue(one.value) })),
    variables: Object.fromEntries(values),
    ...(error && { error: flagged(error) }),
  };
}

/** Prints the result in the form that was asked for, and gives the exit code. */
export function reportResult(result: RunResult, ran: Ran, flags: ResultFlags): ExitCode {
  if (flags.events) print(stringify({ type: 'run.result', ...documentOf(result) }));
  else if (flags.json) print(stringify(documentOf(result), 2));
  else if (!flags.apart) printAnswers(result, ran.lastSaid);
  const isUnavailable = isModelUnavailable(result.error?.code);
  if (!flags.quiet) sayWarnings(isUnavailable ? withoutAttempts(result) : result.warnings);
  if (result.waits) for (const line of waitLines(result.waits, styleOf(process.stderr))) say(line);
  else if (result.error && !isLeft(result)) {
    const coloured = isColoured(process.stderr);
    say(isUnavailable ? modelLine(result.error) : errorText(result.error, ran, coloured));
  }
  if (!flags.quiet || result.status !== 'done') sayEnd(result, ran);
  return exitOf(result);
}

/** Attempts that failed alike are told by the error in which they end. */
const withoutAttempts = ({ warnings, error }: RunResult): readonly Warning[] =>
  warnings.filter(
    ({ step, message }) => step !== error?.step || !/^attempt \d+ failed/.test(message),
  );

/** Who leaves a run has found no error in the line that it is at. */
const isLeft = ({ reason, error }: RunResult): boolean =>
  reason === 'interrupted' && error?.code === 'PV5107';

function printAnswers({ answers }: RunResult, lastSaid?: string): void {
  if (answers.length === 0) return;
  const text = answersText(answers, 2);
  if (lastSaid !== undefined && withoutControls(text) === lastSaid) return;
  // A terminal obeys what it is sent; a file keeps it.
  print(process.stdout.isTTY ? withoutControls(text) : text);
}

/** What a run waits for: that is no error. */
export function waitLines(waits: readonly OpenWait[], style: Style): string[] {
  const lines = waits.slice(0, waitsMax).map((wait) => {
    const step = wait.step === '' ? '' : `${wait.step} `;
    return `${style.warning('?')} ${step}${oneLine(waitText(wait))}`;
  });
  const more = waits.length - waitsMax;
  return more > 0 ? [...lines, `? and ${more} more`] : lines;
}

/** The error with the lines of the program that it is about, and flags beside limits. */
export const errorText = (
  error: NonNullable<RunResult['error']>,
  program: FailedProgram,
  color: boolean,
): string => describeFailure(flagged(error), program, color);

function sayEnd(result: RunResult, { tookMs, kept, note }: Ran): void {
  const style = styleOf(process.stderr);
  const { run, status, reason, usage } = result;
  const parts = [];
  if (tookMs !== undefined) parts.push(duration(tookMs));
  if (usage.modelCalls > 0) parts.push(usageWords(usage));
  const word = endWord(status);
  const why = reason === undefined ? '' : ` (${reason})`;
  say(`${word}${why} ${style.dim(parts.join(' · '))}`.trimEnd());
  if (note !== undefined) say(style.dim(`  ${note}`));
  if (!kept) return;
  for (const next of nextCommands(result)) say(style.dim(`  ${next}`));
  if (status === 'done') say(style.dim(`  ${ourName} show ${run}`));
}

const commandsMax = 6;
const waitsMax = 20;

function endWord(status: RunResult['status']): string {
  const style = styleOf(process.stderr);
  if (status === 'done') return style.good('✔ done');
  return status === 'waiting' ? style.warning('◌ waiting') : style.error(`✖ ${status}`);
}

/** Limits that end a run, which goes on with a larger one. */
const limitsOfPlaybooks: ReadonlyMap<string, string> = new Map([
  ['PV7321', '--turns N'],
  ['PV7323', '--depth N'],
  ['PV7324', '--turns N'],
  ['PV7328', '--slips N'],
]);

/** What a person would do now: command lines that can be called as they are. */
export function nextCommands(result: RunResult): string[] {
  const { run, status, reason, error, limit, waits = [] } = result;
  const show = `${ourName} show ${run}`;
  const resume = `${ourName} resume ${run}`;
  if (status === 'failed') {
    const more = limitsOfPlaybooks.get(error?.code ?? '');
    if (more !== undefined) return [show, `${resume} ${more}`];
    return error?.code.startsWith('PV4') ? [show, resume] : [show];
  }
  if (status === 'cancelled' || reason === 'interrupted') return [resume];
  if (status === 'waiting' && waits.length > 0) {
    const commands = waitCommands(run, waits).slice(0, commandsMax);
    return commands.length === 0 ? [resume] : commands.map((line) => `${ourName} ${line}`);
  }
  if (status !== 'suspended' && status !== 'waiting') return [];
  switch (reason) {
    case 'limit':
      return [limit ? `${resume} ${largerFlag(limit)}` : resume];
    case 'unknown':
      return [show, ...['done', 'failed', 'retry'].map((way) => `${resume} --assume ${way}`)];
    case 'diverged':
      return [show];
    default:
      return [resume];
  }
}

/** What gives a run enough of what it has met. */
const largerFlag = ({ name, tool, enough }: MetLimit): string =>
  tool === undefined
    ? `--${limitTable[name].flag} ${enough}`
    : `--tool-limit ${tool}.callsPerRun=${enough}`;

/** How this program was called: in a clone only npx finds it. */
export const ourName: string = process.env.npm_command === 'exec' ? 'npx planvm' : 'planvm';
