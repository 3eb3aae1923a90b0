/** `planvm tree`: a run with all that was forked from it, and what it was forked from itself. */
import { editWords } from '../../agent/view/edit-words.ts';
import type { ForkEdit } from '../../engine/journal/fork-edit.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { familyOf, type Member } from '../../engine/views/family.ts';
import { stringify, toJson } from '../../program/json.ts';
import { readStrictJson } from '../../text/json-text.ts';
import { clip, duration, oneLine, price } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { withRun } from '../run/journal.ts';
import { isColoured, present, type Style, styleOf } from '../view/output.ts';

interface Flags {
  readonly json?: true;
}

export const command: CommandSpec = {
  about:
    'Show a run with its whole family, from the run that is nobody’s fork down: status, what ' +
    'each fork changes, its answer, what it has cost itself, and its age.',
  takes: [['<run>', 'The beginning of a run id, or last.']],
  options: [json('Print { run, status, edit, answer, usage, forks }.')],
  examples: [
    ['planvm tree last', 'the family of the latest run'],
    ["planvm tree r0abc --json | jq '.. | .answer? // empty'", 'all answers'],
  ],
  act: tree,
};

async function tree(name: string, flags: Flags): Promise<ExitCode> {
  const show = ({ id }: RunSummary, journal: Journal): ExitCode => {
    const root = familyOf(journal, id);
    present(flags.json, documentOf(root), () => linesOf(root, { asked: id, now: Date.now() }));
    return exit.done;
  };
  return await withRun(name, show, { execute: false });
}

function documentOf({ run, edit, result, verdict, forks }: Member): unknown {
  const { id, title, status, reason, base, createdAt } = run;
  const { answer = null, usage, error } = readResult(result) ?? {};
  const ended = { answer, ...(error ? { error } : {}), ...(usage ? { usage } : {}) };
  return {
    run: id,
    ...{ title, status },
    ...(reason ? { reason } : {}),
    ...(base ? { base } : {}),
    ...(edit ? { edit: withoutText(edit) } : {}),
    createdAt,
    ...ended,
    ...(verdict ? { verdict } : {}),
    forks: forks.map(documentOf),
  };
}

/** The text of another program is long, and planvm diff shows what is different in it. */
const withoutText = ({ program, ...edit }: ForkEdit): unknown =>
  program ? { ...edit, program: { dialect: program.dialect } } : edit;

interface Shown {
  readonly asked: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

function linesOf(member: Member, shown: Shown, before = '', own = ''): string[] {
  const { forks } = member;
  const last = forks.length - 1;
  return [
    `${own}${lineOf(member, shown)}`,
    ...forks.flatMap((fork, i) => {
      const [branch, rest] = i === last ? ['└─ ', '   '] : ['├─ ', '│  '];
      return linesOf(fork, shown, before + rest, before + branch);
    }),
  ];
}

const answerColumns = 60;

function lineOf({ run, edit, result, verdict }: Member, { asked, now }: Shown): string {
  const style = styleOf(process.stdout);
  const { answer = null, error, usage } = readResult(result) ?? {};
  const id = run.id === asked ? style.strong(run.id) : run.id;
  const words = [id, stateOf(run, style), edit ? editWords(edit) : oneLine(run.title)];
  if (answer !== null) words.push(`→ ${clip(oneLine(textOf(answer)), answerColumns)}`);
  else if (error) words.push(style.error(clip(oneLine(error.message), answerColumns)));
  if (verdict) words.push(verdict.accept ? style.good('accepted') : style.error('rejected'));
  if (usage && usage.modelCalls > 0 && usage.cost !== null) words.push(price(usage.cost));
  words.push(style.dim(`${duration(now - run.createdAt)} ago`));
  // Without colours, the run that was asked for is marked.
  const mark = run.id === asked && !isColoured(process.stdout) ? '  ←' : '';
  return words.join('  ') + mark;
}

function stateOf({ status, reason, owned }: Member['run'], style: Style): string {
  if (status === 'running' && !owned) return style.warning('interrupted');
  const text = reason === undefined ? status : `${status} (${reason})`;
  if (status === 'done') return style.good(text);
  if (status === 'failed' || status === 'invalid') return style.error(text);
  return status === 'running' ? style.active(text) : style.warning(text);
}

const textOf = (answer: unknown): string =>
  typeof answer === 'string' ? answer : stringify(answer);

function readResult(text: string | undefined): RunResult | undefined {
  const value = text === undefined ? undefined : readStrictJson(text);
  return value === undefined ? undefined : (toJson(value) as RunResult);
}
