/** `planvm show`: what a run has done, from its journal. */
import { writtenIn } from '../../agent/record/asked.ts';
import { keptResult } from '../../agent/record/kept-result.ts';
import { load } from '../../agent/record/load.ts';
import { playbooksSeen } from '../../agent/record/seen-source.ts';
import { usageWords } from '../../agent/run/usage.ts';
import { fileOf } from '../../agent/settings/kept-settings.ts';
import { answersText } from '../../agent/view/answers-text.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import { type Look, lookAt, type RunView } from '../../engine/views/show.ts';
import { traceOf } from '../../engine/views/trace.ts';
import { stringify } from '../../program/json.ts';
import { clip, duration, oneLine, withoutControls } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { withRun } from '../run/journal.ts';
import { pageOf, writePage } from '../run/run-page.ts';
import { showSources } from '../view/answer-sources.ts';
import { verdictLines } from '../view/notice-lines.ts';
import { isColoured, print, say, styleOf } from '../view/output.ts';
import { errorText, nextCommands, ourName, waitLines } from '../view/result.ts';
import { showState } from '../view/state-text.ts';
import { stepLines } from '../view/step-lines.ts';
import { traceLines } from '../view/trace-lines.ts';
import { sayWarnings } from '../view/warnings.ts';

interface Flags {
  readonly json?: true;
  readonly verbose?: true;
  readonly trace?: true;
  readonly sources?: true;
  readonly html?: true;
  readonly output?: string;
  readonly at?: string;
  readonly diff?: readonly string[];
}

export const command: CommandSpec = {
  about:
    'Show what a run has done: its steps, the effects beneath them, answer and error. With ' +
    '--verbose also what effects were asked and what they answered.',
  takes: [['<run>', 'The beginning of a run id, or last.']],
  options: [
    [
      '--at <place>',
      'The state at a step (4@2), an effect (0#7), an event (event:12), start or end.',
    ],
    ['--diff <places...>', 'What differs between the states at two places.'],
    ['--html', 'Write a page with the timeline that a browser opens as it is.'],
    [
      '-o, --output <file>',
      'File of the page, and that there is one; - for stdout. Default: RUN.html.',
    ],
    ['--sources', 'What each answer may be made from: effects, and where they have it from.'],
    ['--trace', 'Where the time went: steps, effects, attempts, and the critical path.'],
    json(
      'Print { run, status, steps, effects }; with --trace, the times; with --sources, answers.',
    ),
  ],
  examples: [
    ['planvm show last', 'the latest run'],
    ['planvm show r0abc --verbose', 'with the arguments and results of its effects'],
    ['planvm show last --trace', 'where the time went, with the critical path'],
    ['planvm show last --sources', 'which pages and files the answer may be made from'],
    ['planvm show last --at 4@2', 'variables, frames and what was pending as step 4@2 began'],
    ['planvm show last --diff 2 end', 'what changed between two places'],
    ['planvm show last --html -o run.html', 'a page for a browser: timeline, steps, values'],
    ["planvm show last --json | jq '.effects[] | .name'", 'for another program'],
  ],
  act: show,
};

async function show(name: string, flags: Flags): Promise<ExitCode> {
  return await withRun(name, async (summary, journal) => {
    if (flags.at !== undefined || flags.diff) {
      showState(journal, summary, flags);
      return exit.done;
    }
    if (flags.sources) {
      showSources(journal, summary.id, flags);
      return exit.done;
    }
    const look = lookAt({ journal, run: summary.id, load });
    const { view } = look;
    if (flags.html || flags.output !== undefined) await writeHtml(journal, summary, look, flags);
    else if (flags.trace) printTrace(summary, look, flags);
    else if (flags.json) print(stringify(view, 2));
    else printRun(journal, summary, look, flags);
    return exit.done;
  });
}

async function writeHtml(
  journal: Journal,
  summary: RunSummary,
  look: Look,
  { output = `${summary.id}.html` }: Flags,
): Promise<void> {
  const page = await pageOf(journal, summary, look);
  if (output === '-') {
    print(page);
    return;
  }
  writePage(output, page);
  print(output);
}

function printTrace(summary: RunSummary, look: Look, flags: Flags): void {
  const trace = traceOf(look);
  if (flags.json) {
    print(stringify(trace, 2));
    return;
  }
  const style = styleOf(process.stdout);
  print(`${style.strong(`run ${summary.id}`)}  ${oneLine(summary.title)} (${summary.status})`);
  for (const line of traceLines(trace, style)) print(line);
}

function printRun(
  journal: Journal,
  summary: RunSummary,
  { view, program }: Look,
  flags: Flags,
): void {
  const past = readPast(journal.events(summary.id));
  const result = keptResult(journal, summary.id);
  for (const line of headLines(summary, view, past.wallMs, result)) print(line);
  print('');
  for (const line of stepLines(view, flags, summary.title)) print(line);
  const playbooks = playbooksSeen(summary, program);
  const ran = { text: past.program?.text ?? '', file: fileOf(summary), playbooks, kept: true };
  if (result?.waits) {
    for (const line of ['', ...waitLines(result.waits, styleOf(process.stdout))]) print(line);
  } else if (result?.error) print(`\n${errorText(result.error, ran, isColoured(process.stdout))}`);
  if (result && result.answers.length > 0) {
    const title = result.answers.length > 1 ? 'answers' : 'answer';
    const text = withoutControls(answersText(result.answers, 2));
    print(`\n${styleOf(process.stdout).strong(title)}\n${text}`);
    const verdict = result.answers.at(-1)?.verdict;
    if (verdict) for (const line of verdictLines(verdict, styleOf(process.stdout))) print(line);
  }
  if (result) sayWarnings(result.warnings);
  const next = result ? nextCommands(result) : [`${ourName} resume ${summary.id}`];
  const own = `${ourName} show ${summary.id}`;
  for (const line of next) if (line !== own) say(styleOf(process.stderr).dim(`  ${line}`));
}

const metadataColumns = 200;

function headLines(
  summary: RunSummary,
  { status, reason }: RunView,
  wallMs: number,
  result: RunResult | undefined,
): string[] {
  const { id, title, metadata, createdAt, owned, base } = summary;
  const style = styleOf(process.stdout);
  const state = status === 'running' && !owned ? 'interrupted: no process has it' : status;
  const why = reason === undefined ? '' : ` (${reason})`;
  const parts = [
    `${statusStyle(status, style)(state)}${why}`,
    ...(base ? [`forked from ${base.run}`] : []),
    `started ${new Date(createdAt).toISOString()}`,
    `ran ${duration(wallMs)}`,
  ];
  const usage = result?.usage;
  if (usage && usage.modelCalls > 0) parts.push(usageWords(usage));
  const head = `${style.strong(`run ${id}`)}  ${oneLine(title)} (${writtenIn(summary)})`;
  const about = metadata ? [`metadata ${clip(oneLine(stringify(metadata)), metadataColumns)}`] : [];
  return [head, parts.join(' · '), ...about.map(style.dim)];
}

function statusStyle(
  status: RunView['status'],
  style: ReturnType<typeof styleOf>,
): (text: string) => string {
  if (status === 'done') return style.good;
  if (status === 'failed' || status === 'invalid') return style.error;
  return status === 'running' ? style.active : style.warning;
}
