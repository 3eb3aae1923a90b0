/** `planvm bench inline`: how large playbooks may be that stand in the place of their calls. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { mannerDefaults } from '../../dialects/playbook/source/manner.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { stringify } from '../../program/json.ts';
import type { ExitCode } from '../exit.ts';
import { CliError } from '../failure.ts';
import { acting, addExamples } from '../help.ts';
import { addPlaybookOptions } from '../playbook/playbook-options.ts';
import { positive, usd } from '../positive.ts';
import { mannerOf } from '../program/manner-of.ts';
import { addModelOptions, addToolsOption, type RunFlags, repeated } from '../run/run-options.ts';
import { addLimitOptions, givenLimits, runLimits } from '../settings/limit-options.ts';
import { journalPath, openWorkspace, shortPath, type Workspace } from '../settings/workspace.ts';
import { openToolbox } from '../tools/toolbox.ts';
import { divertStdout, print, say, styleOf } from '../view/output.ts';
import { ourName } from '../view/result.ts';
import { count } from '../view/text.ts';
import { bestOf, limitRow, limitTable } from './inline-table.ts';
import { type Head, type Line, type Log, openLog } from './log.ts';
import { compiledItem, methodOf, type PlayFlags, type PlayPlace, playItem } from './play-item.ts';
import { type PlayItem, type PlaySet, readPlaySet } from './playbook-set.ts';
import { modelShown } from './prepare.ts';
import { progressOf } from './progress.ts';
import { type Asked, type BenchEnd, exitOfBench, runBench } from './run-bench.ts';
import { byMethod } from './summary.ts';

interface Flags extends RunFlags, Omit<PlayFlags, 'explain' | 'inline'> {
  readonly dataset?: string;
  readonly limits: readonly number[];
  readonly id?: readonly string[];
  readonly concurrency: number;
  readonly costMax?: number;
  readonly out?: string;
  readonly resume?: true;
  readonly again?: true;
}

const limitsDefault = [0, 2, 4, 8, 16, 32];

export function defineInline(command: CommandUnknownOpts, end: (code: ExitCode) => void): void {
  const inline = command
    .command('inline')
    .description(
      'Play programs of playbooks with a model, once for each limit: playbooks of up to as many ' +
        'steps stand in the place of their calls. Says what each limit takes in calls, tokens, ' +
        'cost and time, how many answers are right, and which limit is best. What --inline then ' +
        `takes by default is ${mannerDefaults.inline}.`,
    )
    .option('--dataset <file>', 'Programs with what has to come of them; without it, our own.')
    .addOption(
      new Option('--limits <steps>', 'The limits, with commas between; 0: nothing is inlined.')
        .argParser(limitsIn)
        .default(limitsDefault, limitsDefault.join(',')),
    )
    .addOption(new Option('--id <ids>', 'Only these programs.').argParser(repeated))
    .addOption(
      new Option('--concurrency <n>', 'How many programs at a time; each may be slower then.')
        .argParser(positive)
        .default(1),
    )
    .option('--sequential', 'One effect at a time, in program order.')
    .addOption(
      new Option('--cost-max <usd>', 'Begin nothing once all of it has cost this.').argParser(usd),
    );
  const log = [
    new Option('--out <file>', 'The log; without it, a new one in .planvm/bench.'),
    new Option('--resume', 'Go on with the log: what is in it is not played again.'),
    new Option('--again', 'With --resume: play again what has no answer.').implies({
      resume: true,
    }),
  ];
  for (const option of log) inline.addOption(option.helpGroup('Log:'));
  addToolsOption(inline);
  addModelOptions(inline);
  addPlaybookOptions(inline, {
    only: ['strictness', 'settle', 'turns', 'depth', 'slips', 'chat', 'sessionTokens'],
  });
  addLimitOptions(
    inline,
    runLimits.filter((name) => name !== 'concurrency'),
  );
  inline
    .addOption(new Option('--json', 'Print the figures as a JSON document.').helpGroup('Output:'))
    .addOption(new Option('-q, --quiet', 'Only the figures.').helpGroup('Output:'))
    .action(acting(end, (flags: Flags) => act(flags)));
  addExamples(
    inline,
    ['planvm bench inline --model openai/gpt-5-mini', 'our own programs, at six limits'],
    ['planvm bench inline --limits 0,8 --id parcel,garden', 'two limits, two programs'],
    ['planvm bench inline --dataset mine.json --out log.ndjson', 'programs of yours'],
    ['planvm bench inline --dataset mine.json --out log.ndjson --resume', 'go on with a log'],
  );
}

function limitsIn(given: string): number[] {
  const limits = given.split(',').map((one) => (one.trim() === '' ? NaN : Number(one)));
  if (limits.every((one) => Number.isSafeInteger(one) && one >= 0)) return [...new Set(limits)];
  throw new InvalidArgumentError(`got ${given}, want whole numbers with commas between: 0,8,16`);
}

async function act(given: Flags): Promise<ExitCode> {
  const flags = { ...given, prompts: false };
  const { concurrency, costMax = Infinity, limits, ...others } = flags;
  const set = await readPlaySet(resolve(flags.dataset ?? ownSet()));
  const items = chosen(set, flags);
  const workspace = await openWorkspace({ flags, limits: givenLimits(others) });
  const toolbox = await openToolbox(workspace, { record: flags.record });
  divertStdout();
  try {
    const place: PlayPlace = { workspace, toolbox, flags };
    const compiled = await compiledItems(items, place);
    const methods = limits.map(methodOf);
    const head = headOf(set, methods, toolbox.model().name, place);
    const log = openLog(logPath(flags, set, workspace), head, flags.resume === true);
    const wanted = new Set(items.map(({ id }) => id));
    const known = log.known.filter(
      ({ id, answer }) => wanted.has(id) && !(flags.again && answer === null),
    );
    const quiet = flags.quiet === true;
    if (!quiet) sayBegin(head, items.length, limits.length, log, known.length);
    const progress = progressOf({ total: items.length * limits.length, known, quiet });
    try {
      const ask = (asked: Asked<PlayItem>) =>
        playItem(asked, place, compiled.get(asked.item.id) ?? asked.item.source.text);
      const bench = { workspace, items, methods, log, known, concurrency, costMax, progress, ask };
      const ended = await runBench(bench).finally(() => progress.end());
      return report(head, [...known, ...ended.lines], flags, log, ended);
    } finally {
      log.close();
    }
  } finally {
    toolbox.close();
  }
}

/** The programs that come with planvm. */
const ownSet = (): string =>
  fileURLToPath(new URL('../../../datasets/playbooks.json', import.meta.url));

/** Throws `CliError` PV6002 for an id that no program has. */
function chosen({ items, file }: PlaySet, { id = [] }: Flags): readonly PlayItem[] {
  const wanted = new Set(id.flatMap((ids) => ids.split(',')));
  const strange = [...wanted].find((one) => !items.some((item) => item.id === one));
  if (strange !== undefined) {
    throw new CliError('PV6002', `--id: no program of ${file} has the id ${strange}`, {
      hint: `it has ${items.map((item) => item.id).join(', ')}`,
    });
  }
  return wanted.size === 0 ? items : items.filter((item) => wanted.has(item.id));
}

/** By id. What open lines mean is asked here, once, so that no limit has to pay for it. */
async function compiledItems(
  items: readonly PlayItem[],
  place: PlayPlace,
): Promise<ReadonlyMap<string, string>> {
  const journal = openJournal(journalPath(place.workspace));
  const byText = new Map<string, string>();
  const compiled = new Map<string, string>();
  try {
    for (const item of items) {
      const text = byText.get(item.source.text) ?? (await compiledItem(item, place, journal));
      byText.set(item.source.text, text);
      compiled.set(item.id, text);
    }
  } finally {
    journal.close();
  }
  return compiled;
}

function headOf(
  { name, file, sha256, items }: PlaySet,
  methods: readonly string[],
  model: string,
  { workspace, flags }: PlayPlace,
): Head {
  const { settings } = workspace;
  const { strictness, chat, sessionTokens } = mannerOf(workspace, flags);
  return {
    ...{ type: 'bench', format: 1, dataset: { name, file, sha256, items: items.length } },
    ...{ methods, model: modelShown(settings.model?.value ?? model) },
    options: {
      tools: (settings.tools?.value ?? []).map(shortPath),
      ...{ strictness, chat, sessionTokens },
      ...(flags.sequential && { sequential: true }),
      ...(flags.settle === false && { settle: false }),
      ...(settings.temperature && { temperature: settings.temperature.value }),
      ...(settings.system && { system: settings.system.value }),
    },
  };
}

function logPath({ out, resume }: Flags, { name }: PlaySet, { home }: Workspace): string {
  if (out !== undefined) return resolve(out);
  const path = (number: number): string =>
    join(home, 'bench', `${name}.inline${number === 1 ? '' : `-${number}`}.ndjson`);
  let free = 1;
  while (existsSync(path(free))) free++;
  return path(resume ? Math.max(1, free - 1) : free);
}

function sayBegin(
  { dataset, model }: Head,
  items: number,
  limits: number,
  log: Log,
  known: number,
): void {
  const { dim } = styleOf(process.stderr);
  const there = known === 0 ? '' : `, ${known} in the log already`;
  const what = `${count(items, 'program')} × ${count(limits, 'limit')}`;
  say(dim(`${dataset.name}: ${what} with ${model}${there}`));
  say(dim(`log: ${log.file}`));
}

function report(
  { dataset, methods, model }: Head,
  lines: readonly Line[],
  { json, quiet, limits }: Flags,
  log: Log,
  ended: BenchEnd,
): ExitCode {
  const rows = byMethod(lines, methods).map((own, at) => limitRow(limits[at] ?? 0, own));
  // Limits can be held against each other only over what all of them have.
  const isWhole = rows.every(({ items }) => items === rows[0]?.items);
  const best = isWhole ? bestOf(rows) : undefined;
  if (json) {
    print(stringify({ dataset, model, log: log.file, limits: rows, best: best ?? null }, 2));
  } else {
    for (const line of limitTable(rows)) print(line);
    const none = isWhole ? 'no answer is right' : 'not all limits have all programs';
    print(best ? `best: --inline ${best.inline} (${best.why})` : `best: not known, ${none}`);
  }
  if (!quiet) for (const line of wrongLines(lines)) say(line);
  return exitOfBench(log, ended);
}

const wrongMost = 3;

/** Where to look for why the first wrong answers are wrong. */
function wrongLines(lines: readonly Line[]): string[] {
  const { dim } = styleOf(process.stderr);
  return lines
    .filter(({ right, run }) => !right.corrected && run !== null)
    .slice(0, wrongMost)
    .map(({ run, id, method }) => dim(`  ${ourName} show ${run}   why ${id} is wrong, ${method}`));
}
