/** The steps of a run for a terminal, with the effects of each beneath it, and what it has said. */
import { usageWords } from '../../agent/run/usage.ts';
import { stackIn, stepWords } from '../../agent/view/step-words.ts';
import type { EffectView, RunView, SayView } from '../../engine/views/show.ts';
import type { Source } from '../../program/effect.ts';
import { stringify } from '../../program/json.ts';
import { clip, duration, oneLine } from '../../text/words.ts';
import { markerOf } from './markers.ts';
import { type Style, styleOf } from './output.ts';

export interface StepFlags {
  /** Whether to show what effects were asked, and what they gave. */
  readonly verbose?: true;
}

const objectiveColumns = 80;

/** `first` is what the first file of the program is called. */
export function stepLines(
  { steps, effects, says = [] }: RunView,
  flags: StepFlags,
  first: string,
): string[] {
  const style = styleOf(process.stdout);
  const byStep = Map.groupBy(effects, ({ step }) => step);
  const said = Map.groupBy(says, ({ step }) => step);
  const stack = stackIn(steps);
  const lines: string[] = [];
  const known = new Set(steps.map(({ id }) => id));
  for (const step of steps) {
    const { reasoning, ...described } = step;
    const about = clip(stepWords(described), objectiveColumns);
    const head = `${markerOf(step.status, style)} ${stack(step.id)} ${oneLine(step.kind)}`;
    const file = step.file === first ? '' : step.file;
    const at = file === undefined ? '' : `  ${file}:${step.line}`;
    lines.push(`${head}  ${style.dim(about + at)}`.trimEnd());
    if (reasoning !== undefined) {
      lines.push(`    ${style.dim(clip(oneLine(reasoning), shownColumns))}`);
    }
    const own = byStep.get(step.id) ?? [];
    // A call says itself why it has failed.
    if (step.reason !== undefined && own.length === 0) {
      lines.push(`    ${style.dim(clip(oneLine(step.reason), shownColumns))}`);
    }
    for (const effect of own) lines.push(...effectLines(effect, flags));
    for (const one of said.get(step.id) ?? []) lines.push(sayLine(one, style));
  }
  // Tasks of plans that were made on the way: no step of the program is theirs, but a place is.
  const loose = effects.filter(({ step }) => !known.has(step));
  for (const effect of loose) lines.push(...effectLines(effect, flags, effect.step));
  for (const one of says.filter(({ step }) => !known.has(step))) {
    lines.push(sayLine(one, style, one.step));
  }
  return lines;
}

function sayLine({ text, to, isNote }: SayView, style: Style, place = ''): string {
  const said = clip(oneLine(to === undefined ? text : `${to}: ${text}`), shownColumns);
  const mark = isNote ? style.warning('!') : style.active('»');
  return `    ${mark} ${place === '' ? said : `${place} ${said}`}`;
}

export const shownColumns = 400;

/** Where an outcome of a fork is from that it has not performed itself. */
const originWords: Readonly<Record<NonNullable<EffectView['origin']>, string>> = {
  base: 'before the fork',
  reused: 'from the journal',
};

function effectLines(effect: EffectView, { verbose }: StepFlags, place = ''): string[] {
  const style = styleOf(process.stdout);
  const { id, name, status, attempts, startedAt, endedAt, outcome, origin, usage } = effect;
  const parts = [`${place} ${name}`.trim(), style.dim(id)];
  if (startedAt !== null && endedAt !== null) parts.push(duration(endedAt - startedAt));
  if (attempts > 1) parts.push(`${attempts} attempts`);
  if (effect.standIn !== undefined) parts.push(`by ${effect.standIn}`);
  if (effect.model !== undefined) parts.push(style.dim(`asks ${effect.model}`));
  if (usage) parts.push(style.dim(usageWords(usage)));
  if (origin !== undefined) parts.push(style.dim(originWords[origin]));
  if (effect.as !== undefined) parts.push(style.dim(`as ${effect.as}`));
  if (status !== 'done' && status !== 'failed') parts.push(status);
  if (effect.sources) parts.push(style.dim(sourceWords(effect.sources)));
  const lines = [`    ${markerOf(status, style)} ${parts.join('  ')}`];
  const add = (label: string, text: string): void => {
    lines.push(`        ${style.dim(label)} ${clip(oneLine(text), shownColumns)}`);
  };
  for (const inner of effect.inner ?? []) add('within', `${inner.run} (${inner.status})`);
  if (verbose) add('asked', stringify(effect.request));
  if (outcome && 'error' in outcome) {
    add('error', `${outcome.error.code} ${outcome.error.message}`);
    if (outcome.error.hint !== undefined) add('hint', outcome.error.hint);
  } else if (outcome && verbose) {
    add('got', stringify(outcome.value));
  }
  return lines;
}

/** Where an outcome comes from, as far as a line has room. */
function sourceWords([first, ...others]: readonly Source[]): string {
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `from ${clip(oneLine(first?.url ?? ''), sourceColumns)}${more}`;
}

const sourceColumns = 100;
