/**
 * What an agent has to say between runs, in words on stderr: plans, forks before they are made,
 * verdicts, and what a run has found although it failed.
 */

import { described } from '../../agent/evidence/known-variables.ts';
import type { Notice } from '../../agent/port/events.ts';
import type { ForkPreview } from '../../engine/fork/fork-preview.ts';
import type { Verdict } from '../../engine/journal/verdict.ts';
import type { RunResult } from '../../engine/result.ts';
import type { EffectView } from '../../engine/views/show.ts';
import { fromJson, stringify } from '../../program/json.ts';
import { clip, count, oneLine } from '../../text/words.ts';
import { withFlags } from '../advice.ts';
import { problemText } from '../failure.ts';
import { roundLine } from './loop-view.ts';
import { type Style, say, styleOf } from './output.ts';
import type { View } from './view.ts';
import { tellWarning } from './warnings.ts';

interface NoticeFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** `view` is that of the run which goes on. */
export function sayNotice(
  notice: Notice,
  { quiet = false, verbose = false }: NoticeFlags,
  view: View | undefined,
): void {
  if (notice.type === 'plan.written' ? !verbose : quiet) return;
  if (notice.type === 'warned') tellWarning(notice.warning, say);
  const tell = notice.type === 'plan.checked' ? (line: string) => view?.note(line) : say;
  linesOf(notice, styleOf(process.stderr)).forEach(tell);
}

function linesOf(notice: Notice, style: Style): string[] {
  const { dim, warning } = style;
  switch (notice.type) {
    case 'session.found':
      return [`run ${notice.run} exists already: ${notice.status}; nothing is started twice`];
    case 'plan.written':
      return [notice.text];
    case 'plan.checked':
      return [roundLine(notice)];
    case 'plan.reused': {
      const { id, label } = notice;
      const name = label === '' ? id : `${id} (${label})`;
      return [dim(`this goal has the saved plan ${name}; --no-saved has another one written`)];
    }
    case 'guard.failed': {
      const next = notice.keeps
        ? 'what was done stays, and the rest is written again'
        : 'the goal is planned again';
      return [`${warning('guard:')} ${oneLine(notice.reason)}; ${next}`];
    }
    case 'plan.saved':
      return [savedLine(notice)];
    case 'repair.began': {
      const { text, attempt } = notice;
      return [withFlags(text), `the run failed; the model repairs it (${attempt})`];
    }
    case 'turn.failed':
      return [withFlags(notice.text)];
    case 'step.skipped':
      return [problemText(notice)];
    case 'fork.previewed':
      return forkLines(notice.preview, style);
    case 'verdict.given':
      return verdictLines(notice.verdict, style);
    case 'warned':
      return [];
  }
}

/** What is said of a plan that was saved. */
export const savedLine = ({ id, label }: { readonly id: string; readonly label: string }): string =>
  `saved as ${id}: planvm run @${label}`;

/** Of a list, so many are shown. */
const shownMost = 8;
const requestColumns = 80;

export function forkLines(preview: ForkPreview, style: Style): string[] {
  const { run, at, kept, reused, performed, doubtful, vanished, ends } = preview;
  const place = at === null ? 'from the start' : `from step ${at} on`;
  const lines = [style.strong(`fork of ${run}, ${place}`)];
  if (kept.length > 0) {
    const were = kept.length === 1 ? 'it was' : 'they were';
    lines.push(`  ${count(kept.length, 'effect')} before it, as ${were}`);
  }
  if (reused.length > 0) {
    lines.push(`  ${count(reused.length, 'effect')} asked for again, answered from the journal`);
  }
  if (doubtful.length > 0) {
    lines.push(style.warning(`  ${count(doubtful.length, 'effect')} in doubt, to be decided:`));
    lines.push(...listed(doubtful, () => ''));
  }
  if (performed.length > 0) {
    const more = 'to be performed; what comes then depends on how that goes:';
    lines.push(`  ${count(performed.length, 'effect')} ${more}`);
    lines.push(...listed(performed, ({ again }) => (again ? style.warning(' again') : '')));
  } else if (doubtful.length === 0) {
    lines.push(ends ? '  nothing to be performed' : '  nothing to be performed at first');
  }
  if (vanished.length > 0) {
    const sure = ends ? 'that it does without, and that stay done:' : 'not asked for so far:';
    lines.push(style.warning(`  ${count(vanished.length, 'write')} of ${run} ${sure}`));
    lines.push(...listed(vanished, () => ''));
  }
  return lines;
}

function listed<T extends EffectView>(
  effects: readonly T[],
  note: (effect: T) => string,
): string[] {
  const lines = effects.slice(0, shownMost).map((effect) => {
    const { step, id, name, request } = effect;
    const text = clip(oneLine(stringify(request)), requestColumns);
    return `    ${step} ${oneLine(name)} ${id} ${text}${note(effect)}`;
  });
  const more = effects.length - lines.length;
  return more > 0 ? [...lines, `    and ${more} more`] : lines;
}

export function verdictLines(
  { accept, outcome, reason, suggestion, rewritten = '', by }: Verdict,
  style: ReturnType<typeof styleOf>,
): string[] {
  const word = accept ? style.good('✔ accepted') : style.error('✖ rejected');
  const isPlain = accept || outcome === undefined || outcome === 'rewrite program';
  const way = isPlain ? '' : `, ${outcome}`;
  const lines = [`${word} ${style.dim(`by ${by}${way}:`)} ${oneLine(reason)}`];
  if (accept) return lines;
  if (suggestion !== '') lines.push(`  ${style.dim('to change:')} ${oneLine(suggestion)}`);
  if (rewritten !== '') lines.push(`  ${style.dim('rather:')} ${oneLine(rewritten)}`);
  return lines;
}

const shownColumns = 160;
const variablesMost = 20;

/** What there is although it has failed; nothing where there is nothing. */
export function foundLines({ status, variables, answers }: RunResult): string[] {
  const entries = Object.entries(variables);
  if (status !== 'failed' || entries.length + answers.length === 0) return [];
  const { dim } = styleOf(process.stderr);
  const lines = entries
    .slice(0, variablesMost)
    .flatMap(([name, data]) => described(name, fromJson(data)))
    .map(({ name, type, text }) => clip(oneLine(`  ${name}: ${type} = ${text}`), shownColumns));
  const more = entries.length - variablesMost;
  if (more > 0) lines.push(`  … and ${more} more, with --json`);
  const said = answers.length > 0 ? [`  answers: ${answers.length}, on stdout`] : [];
  return ['what was found until then:', ...lines, ...said].map(dim);
}
