/**
 * States of a run as text for a terminal: where it stands, what there is, what is to come, and what
 * differs between two places.
 */

import { writtenIn } from '../../agent/record/asked.ts';
import { load } from '../../agent/record/load.ts';
import { fileSeen, sourceSeen } from '../../agent/record/seen-source.ts';
import { stateSeen } from '../../agent/record/seen-state.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { stateAt } from '../../engine/past/time.ts';
import { liftText } from '../../engine/views/preview.ts';
import { type Change, diffStates, type StateDiff } from '../../engine/views/state-diff.ts';
import {
  type FrameDocument,
  type LineDocument,
  type OpenDocument,
  type StateView,
  stateView,
  type ValueView,
} from '../../engine/views/state-view.ts';
import { stringify } from '../../program/json.ts';
import { apart } from '../../text/apart.ts';
import { clip, columns, count, grouped, oneLine } from '../../text/words.ts';
import { CliError } from '../failure.ts';
import { present, print, type Style, say, styleOf } from './output.ts';
import { ourName } from './result.ts';

const shownColumns = 100;

/** Everything; `source` is the program's text. */
function stateLines(view: StateView, source: string, style: Style): string[] {
  return [
    ...whereLines(view, source, style),
    ...section('variables', variableLines(view.variables, style), style),
    ...section('frames', view.lines.some(hasFrames) ? allFrameLines(view.lines, style) : [], style),
    ...section('pending', pendingLines(view.lines, style), style),
    ...section('answers', answerLines(view), style),
  ];
}

/** Whether they say more than the place and the variables do. */
const hasFrames = ({ frames }: LineDocument): boolean =>
  frames.length > 1 ||
  frames.some(({ locals, stack }) => stack.length > 0 || Object.keys(locals).length > 0);

function section(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : ['', style.strong(title), ...lines.map((line) => `  ${line}`)];
}

/** Where it stands, what it waits for, and the lines of the program around. */
export function whereLines(view: StateView, source: string, style: Style): string[] {
  const { step, moment, lines, error } = view;
  const [main] = lines;
  const head =
    view.status === 'failed'
      ? style.error(`failed: ${error?.code ?? ''} ${oneLine(error?.message ?? '')}`)
      : view.status === 'done'
        ? style.good('done')
        : moment === 'start'
          ? 'before the first step'
          : moment === 'step'
            ? `step ${step?.id ?? ''} was entered, and nothing of it done`
            : waitingText(main);
  const about = step === null ? '' : `step ${step.id} ${step.kind}  ${step.objective ?? ''}`;
  const at: { readonly line: number; readonly file?: string } = main?.frames.at(-1) ??
    error ??
    step ?? { line: 0 };
  return [
    head,
    ...(step === null ? [] : [style.dim(clip(oneLine(about), shownColumns))]),
    ...(moment === 'start' ? [] : sourceLines(fileSeen(source, at.file), at.line, style)),
  ];
}

function waitingText(main: LineDocument | undefined): string {
  const waits = main?.waits;
  if (!waits) return 'going on';
  const what = waits.for ? openText(waits.for) : '';
  switch (waits.on) {
    case 'value':
      return what === '' ? 'waits for a value' : `waits for ${what}`;
    case 'part':
      return `waits for the next part of ${what}`;
    case 'room':
      return 'waits for room in the window: too much is open';
    case 'barrier':
      return 'waits until everything before it has succeeded';
    case 'held':
    case 'outer':
      return 'waits before it changes a value that something open still reads';
    case 'text':
      return 'waits for more of the program';
    case 'end':
      return 'has come to its end, and waits until everything has succeeded';
  }
}

const around = 3;

/** The lines of the source around one, which is marked. */
export function sourceLines(
  { text, name }: ReturnType<typeof fileSeen>,
  line: number,
  style: Style,
  radius: number = around,
): string[] {
  const lines = text.split('\n');
  if (line < 1 || line > lines.length) return [];
  const [first, last] = [Math.max(1, line - radius), Math.min(lines.length, line + radius)];
  const shown = lines.slice(first - 1, last).map((text, i) => {
    const number = first + i;
    const row = `${String(number).padStart(5)} ${clip(lineText(text), shownColumns)}`;
    return number === line ? style.active(`▶${row}`) : style.dim(` ${row}`);
  });
  const head = name === undefined ? [] : [style.dim(`  ${oneLine(name)}`)];
  return [...head, ...shown.map((row) => row.trimEnd())];
}

/** One line with its indentation, and nothing that a terminal would obey. */
const lineText = (text: string): string =>
  `${/^\s*/.exec(text)?.[0].replaceAll('\t', '    ') ?? ''}${oneLine(text)}`;

export function variableLines(
  variables: Readonly<Record<string, ValueView>>,
  style: Style,
): string[] {
  // Functions are the program's text, not its state.
  const own = Object.entries(variables).filter(([, { type }]) => type !== 'function');
  const rows = own.map(([name, value]) => [name, style.dim(typeText(value)), valueText(value)]);
  return columns(rows).map((row) => row.trimEnd());
}

const typeText = ({ type, size }: ValueView): string =>
  size === undefined ? type : `${type} ${grouped(size)}`;

function valueText({ text, waits, later: whole }: ValueView): string {
  const later = whole ?? waits?.later;
  if (later === undefined) return clip(oneLine(text), shownColumns);
  return `${clip(oneLine(laterText(later)), shownColumns)}  (not there yet at this moment)`;
}

const laterText = (later: NonNullable<OpenDocument['later']>): string =>
  'error' in later ? `${later.error.code} ${later.error.message}` : stringify(later.value);

function frameLines(frames: readonly FrameDocument[], style: Style): string[] {
  return frames.flatMap(({ name, file, line, locals, stack }, i) => {
    const place = `${file === undefined ? '' : `${file}:`}${line}`;
    const head = `${i === frames.length - 1 ? '▶' : ' '} ${name} ${style.dim(`line ${place}`)}`;
    const own = variableLines(locals, style).map((row) => `    ${row}`);
    const operands = stack.map(({ text }) => clip(oneLine(text), 30)).join('  ');
    return [head, ...own, ...(operands === '' ? [] : [`    ${style.dim('stack')} ${operands}`])];
  });
}

const fibersMost = 20;

/** The frames of the main line, then those of fibers that have some. */
export function allFrameLines(lines: readonly LineDocument[], style: Style): string[] {
  const [main, ...fibers] = lines;
  const inside = fibers.filter(({ frames }) => frames.length > 0);
  const more = inside.length - fibersMost;
  return [
    ...(main ? frameLines(main.frames, style) : []),
    ...inside
      .slice(0, fibersMost)
      .flatMap(({ path, frames }) => [style.dim(`fiber ${path}`), ...frameLines(frames, style)]),
    ...(more > 0 ? [style.dim(`… ${count(more, 'fiber')} more`)] : []),
  ];
}

const pendingMost = 50;

/** What is open, line by line, and what the lines wait for that are no main line. */
export function pendingLines(lines: readonly LineDocument[], style: Style): string[] {
  const shown = lines.flatMap((line) => {
    const head = line.path === '0' ? [] : [style.dim(`fiber ${line.path}: ${waitingText(line)}`)];
    return [...head, ...line.open.map((entry) => pendingLine(entry, style))];
  });
  const more = shown.length - pendingMost;
  return more > 0
    ? [...shown.slice(0, pendingMost), style.dim(`… ${count(more, 'line')} more`)]
    : shown;
}

const stateMarks: Readonly<Record<OpenDocument['state'], string>> = {
  ...{ waiting: '○', ready: '○', open: '◐', broken: '✖', done: '●', failed: '✖' },
};

function pendingLine(entry: OpenDocument, style: Style): string {
  const { state, step, missing, later } = entry;
  const parts = [`${stateMarks[state]} ${openText(entry)}`];
  if (step !== '') parts.push(style.dim(`step ${step}`));
  if (state === 'waiting') parts.push(style.dim(`waits for ${count(missing, 'value')}`));
  else if (state === 'ready') parts.push(style.dim('held back by a write before it'));
  else if (state === 'done') parts.push(style.dim('done, behind others'));
  if (later !== undefined) parts.push(clip(oneLine(`→ later ${laterText(later)}`), shownColumns));
  return parts.join('  ');
}

function openText({ id, name, kind, question }: OpenDocument): string {
  if (id === undefined) return kind === 'lift' ? `computing ${liftText(name)}` : `${kind} ${name}`;
  const asked = question === undefined ? '' : `: ${clip(oneLine(question), shownColumns)}`;
  return `${id} ${name}${asked}`;
}

const answerLines = ({ answers }: StateView): string[] =>
  answers.map(({ value, step }) =>
    clip(oneLine(`${stringify(value)}  step ${step}`), shownColumns),
  );

function diffLines(diff: StateDiff, style: Style): string[] {
  const { from, to, variables, effects, answers, isCut } = diff;
  const changes = variables.flatMap((change) => changeLines(change, style));
  if (isCut) changes.push(style.dim('… and more'));
  const same = changes.length + effects.length + answers.length === 0;
  return [
    style.strong(`${from} → ${to}`),
    ...(same ? ['nothing differs'] : []),
    ...section('variables', changes, style),
    ...section(
      'outcomes between them',
      effects.map(({ id, name, step }) => `${id} ${name}  ${style.dim(`step ${step}`)}`),
      style,
    ),
    ...section(
      'answers',
      answers.map(({ text, step }) => clip(oneLine(`${text}  step ${step}`), shownColumns)),
      style,
    ),
  ];
}

function changeLines({ change, path, before = '', after = '' }: Change, style: Style): string[] {
  const old = clip(oneLine(before), shownColumns);
  const now = clip(oneLine(after), shownColumns);
  if (change === 'added') return [style.good(`+ ${path} = ${now}`)];
  if (change === 'removed') return [style.error(`- ${path} = ${old}`)];
  return [`${style.warning('~')} ${path}: ${old} → ${now}`];
}

interface Flags {
  readonly json?: true;
  readonly at?: string;
  readonly diff?: readonly string[];
}

export function showState(journal: Journal, summary: RunSummary, flags: Flags): void {
  if (flags.diff) printDiff(journal, summary, flags.diff, flags);
  else printState(journal, summary, flags.at ?? 'end', flags);
}

function printState(journal: Journal, summary: RunSummary, at: string, flags: Flags): void {
  const state = stateSeen(stateAt({ journal, run: summary.id, load, at }));
  const view = stateView(state, at);
  if (flags.json) {
    print(stringify(view, 2));
    return;
  }
  const style = styleOf(process.stdout);
  print(`${style.strong(`run ${summary.id}`)}  ${oneLine(summary.title)} (${writtenIn(summary)})`);
  const { source, program } = state.loaded;
  for (const line of stateLines(view, sourceSeen(summary, program, source.text), style)) {
    print(line);
  }
  say(styleOf(process.stderr).dim(`  ${ourName} debug ${summary.id} --at ${at}`));
}

function printDiff(
  journal: Journal,
  { id }: RunSummary,
  places: readonly string[],
  flags: Flags,
): void {
  const [from, to, ...more] = places;
  if (from === undefined || to === undefined || more.length > 0) {
    throw new CliError('PV6002', `--diff: got ${places.length} places, want two`, {
      hint: `such as: ${ourName} show ${id} --diff 2 end`,
    });
  }
  const at = (place: string) => stateSeen(stateAt({ journal, run: id, load, at: place }));
  const diff = diffStates([at(from), at(to)], [from, to]);
  present(flags.json, diff, () => diffLines(diff, styleOf(process.stdout)));
}

/** What differs, and the two texts below it as far as they do. */
export function apartLines(about: string, texts: Readonly<Record<string, string>>): string[] {
  const style = styleOf(process.stdout);
  const [one = '', other = ''] = Object.values(texts);
  const parts = apart(one, other);
  const width = Math.max(...Object.keys(texts).map(({ length }) => length));
  const rows = Object.keys(texts).map(
    (name, i) => `    ${style.dim(name.padEnd(width))} ${oneLine(parts[i] ?? '')}`,
  );
  return [`  ${about}`, ...rows];
}
