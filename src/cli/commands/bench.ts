/** `planvm bench`: how well and how fast a model answers questions, by several ways of planning. */
import { resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { openToolbox } from '../../agent/tools/toolbox.ts';
import { readDataset } from '../../bench/dataset.ts';
import { type BenchHead, type BenchLine, type Log, openLog } from '../../bench/log.ts';
import { headOf, itemsWith, knownLines, logBeside, methodsNamed } from '../../bench/options.ts';
import { type BenchEnd, type BenchHost, runBench } from '../../bench/run-bench.ts';
import { type Comparison, compareMethods } from '../../bench/summary.ts';
import { stringify } from '../../program/json.ts';
import { count } from '../../text/words.ts';
import { askOptionsOf, type BenchFlags, listOf } from '../bench/bench-flags.ts';
import { hearInterrupts, itemsText, type Progress, progressOf } from '../bench/progress.ts';
import { tableOf } from '../bench/table.ts';
import { type CommandSpec, group, json, quiet, repeated } from '../command.ts';
import { type ExitCode, exit, exitOf } from '../exit.ts';
import { positive, usd } from '../option-value.ts';
import { goalOptions } from '../planning/goal-options.ts';
import { taskLoopOptions } from '../planning/task-loop-options.ts';
import { modelOptions, peopleOptions, toolOptions } from '../run/run-options.ts';
import { terminalHost } from '../run/terminal-host.ts';
import { limitOptions, runLimits, toolLimitOption } from '../settings/limit-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { divertStdout, print, say, styleOf } from '../view/output.ts';
import { ourName } from '../view/result.ts';

const qa: CommandSpec = {
  about:
    'Ask each question of a dataset as planvm ask does, and say how many answers are right, ' +
    'how long they took and what they used. Each is in the log before the next is begun; ' +
    'each run is kept, so that planvm show tells why an answer is wrong.',
  options: [
    new Option(
      '--dataset <file>',
      'Questions with answers: JSON, NDJSON or a table of puzzles.',
    ).makeOptionMandatory(),
    [
      '--method <names>',
      'How to plan, by dialect, several with commas between: llmcompiler,react. Without it, ' +
        'the dialect of the settings, or every dialect in which a model plans.',
      repeated,
    ],
    ['--limit <n>', 'Only the first n questions.', positive],
    ['--id <ids>', 'Only these questions.', repeated],
    new Option('--concurrency <n>', 'How many questions at a time; each may be slower then.')
      .argParser(positive)
      .default(1),
    ['--sequential', 'One effect at a time, in program order.'],
    ['--cost-max <usd>', 'Begin no question once all of them have cost this.', usd],
    ...group('Log:', [
      ['--out <file>', 'The log; without it, a new one in .planvm/bench.'],
      ['--resume', 'Go on with the log: what is in it is not asked again.'],
      new Option('--again', 'With --resume: ask again what has no answer.').implies({
        resume: true,
      }),
    ]),
    ...toolOptions(),
    ...goalOptions(),
    ...taskLoopOptions(),
    ...modelOptions(),
    ...peopleOptions(),
    ...limitOptions(['repairs']),
    ...limitOptions(runLimits.filter((name) => name !== 'concurrency')),
    toolLimitOption(),
    json('Print the figures as one JSON document.'),
    quiet('Only the figures.'),
  ],
  examples: [
    [
      'planvm bench qa --dataset hotpotqa.json --tools planvm:wikipedia --method llmcompiler,react',
      'two ways side by side',
    ],
    ['planvm bench qa --dataset hotpotqa.json --limit 20 --concurrency 4', 'all ways, in short'],
    ['planvm bench qa --dataset hotpotqa.json --out run.ndjson --resume', 'go on with a log'],
  ],
  act: actQa,
};

export const command: CommandSpec = {
  about:
    'Ask the questions of a dataset, each by several ways of planning, and compare what comes of ' +
    'it: right answers, time, tokens, cost.',
  parts: { qa },
  examples: [
    ['planvm bench qa --dataset questions.json', 'ask all questions'],
    ['planvm bench qa --dataset questions.json --method react,starlark', 'two ways side by side'],
  ],
};

async function actQa(flags: BenchFlags): Promise<ExitCode> {
  const dataset = readDataset(resolve(flags.dataset));
  // Here that is how many questions are asked at a time.
  const { concurrency, costMax = Infinity, ...others } = flags;
  const workspace = await openWorkspace({ flags: others });
  const methods = methodsNamed(listOf(flags.method), workspace);
  const items = itemsWith(dataset, listOf(flags.id) ?? []).slice(0, flags.limit);
  const options = askOptionsOf(flags);
  const toolbox = await openToolbox(workspace);
  divertStdout();
  try {
    const head = headOf(dataset, methods, toolbox.model().name, workspace, options);
    const isResumed = flags.resume === true;
    const path = flags.out ?? logBeside(workspace, dataset, methods, isResumed);
    const log = openLog(resolve(path), head, isResumed);
    try {
      const known = knownLines(log.known, items, flags.again === true);
      const work = { workspace, toolbox, options, items, methods };
      const bench = { ...work, log, known, concurrency, costMax };
      const quiet = flags.quiet === true;
      if (!quiet) sayBegin(head, items.length, log.file, known.length);
      const progress = progressOf(known.length, items.length * methods.length, quiet);
      const interrupts = hearInterrupts(progress, concurrency);
      const { signal } = interrupts;
      const host = benchHost(progress, log, flags);
      const end = await runBench({ ...bench, signal, host }).finally(interrupts.stop);
      return reportEnd(log, head, [...known, ...end.lines], flags, end);
    } finally {
      log.close();
    }
  } finally {
    toolbox.close();
  }
}

/** Nobody is asked while a benchmark goes on, and its runs are not shown. */
const benchHost = (progress: Progress, log: Log, { verbose }: BenchFlags): BenchHost => ({
  ended: progress.ended,
  hostFor: (broken) =>
    terminalHost({
      flags: { quiet: true, prompts: false, ...(verbose && { verbose }) },
      report(end) {
        broken(end);
        progress.note(`the process ends with it; --resume --out ${log.file} goes on`);
        return exitOf(end.result);
      },
    }),
});

function sayBegin(
  { dataset, methods, model }: BenchHead,
  items: number,
  log: string,
  known: number,
) {
  const { dim } = styleOf(process.stderr);
  const there = known === 0 ? '' : `, ${known} in the log already`;
  say(dim(`${dataset.name}: ${itemsText(items, methods.length)} with ${model}${there}`));
  say(dim(`log: ${log}`));
}

function reportEnd(
  log: Log,
  { dataset, methods, model }: BenchHead,
  lines: readonly BenchLine[],
  flags: BenchFlags,
  end: BenchEnd,
): ExitCode {
  const comparison = compareMethods(lines, methods);
  if (flags.json) {
    const { rows, leftOut } = comparison;
    print(stringify({ dataset, model, log: log.file, leftOut, methods: rows }, 2));
  } else printTable(comparison);
  if (!flags.quiet) for (const line of afterwards(lines)) say(line);
  return exitOfBench(log, end);
}

/** How the command ends; says how to go on where the benchmark was stopped. */
function exitOfBench(log: Log, { stopped, lines }: BenchEnd): ExitCode {
  if (stopped !== undefined) {
    const why = stopped === 'cost' ? 'stopped at --cost-max' : 'interrupted';
    say(`${why}; --resume --out ${log.file} goes on`);
    return stopped === 'cost' ? exit.budget : exit.interrupted;
  }
  const isAllLost = lines.length > 0 && lines.every(({ answer }) => answer === null);
  return isAllLost ? exit.failed : exit.done;
}

function printTable({ rows, leftOut }: Comparison): void {
  for (const line of tableOf(rows)) print(line);
  if (leftOut > 0) {
    say(`${count(leftOut, 'question')} left out: not all of them have been asked these`);
  }
}

const wrongMost = 3;

/** Where to look for why the first wrong answers are wrong. */
function afterwards(lines: readonly BenchLine[]): string[] {
  const { dim } = styleOf(process.stderr);
  const wrong = lines.filter(({ right, run }) => !right.corrected && run !== null);
  const shown = wrong
    .slice(0, wrongMost)
    .map(({ run, id, method }) => `  ${ourName} show ${run}   why ${method} is wrong on ${id}`);
  return shown.map(dim);
}
