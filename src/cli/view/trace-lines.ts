/** A run's times as a tree for a terminal: steps, their effects, attempts where one failed. */
import { usageWords } from '../../agent/run/usage.ts';
import type { RunTrace, TraceEffect, TraceStep, TraceTotals } from '../../engine/views/trace.ts';
import { nameBy } from '../../program/program.ts';
import { clip, duration, oneLine } from '../../text/words.ts';
import { markerOf } from './markers.ts';
import type { Style } from './output.ts';

const barColumns = 24;
const objectiveColumns = 50;
const errorColumns = 100;

export function traceLines(trace: RunTrace, style: Style): string[] {
  const { totals, criticalPath } = trace;
  const lines = [...totalLines(totals, style), ''];
  for (const step of trace.steps) lines.push(...stepLines(step, totals.wallMs, style));
  if (criticalPath.length > 0) {
    lines.push('', `${style.strong('critical path')} ${style.dim(criticalWords(totals))}`);
    for (const { effect, step, machineMs, queueMs, runMs } of criticalPath) {
      const parts = [`ran ${duration(runMs)}`];
      if (queueMs > 0) parts.push(`queued ${duration(queueMs)}`);
      if (machineMs > 0) parts.push(`${duration(machineMs)} before it was asked for`);
      const where = `${effect} ${style.dim(`step ${step || '-'}`)}`;
      lines.push(`  ${style.warning('◆')} ${where}  ${parts.join(' · ')}`);
    }
  }
  return lines;
}

function totalLines({ wallMs, runMs, queueMs, parallelism, usage }: TraceTotals, style: Style) {
  const parts = [
    `took ${style.strong(duration(wallMs))}`,
    `effects ran ${duration(runMs)} in all`,
    `${parallelism} at once on average`,
  ];
  if (queueMs > 0) parts.push(`queued ${duration(queueMs)} in all`);
  return [parts.join(' · '), ...(usage.modelCalls > 0 ? [style.dim(usageWords(usage))] : [])];
}

const criticalWords = ({ critical }: TraceTotals): string =>
  [
    `effects ${duration(critical.runMs)}`,
    `queued ${duration(critical.queueMs)}`,
    `machine and journal ${duration(critical.machineMs)}`,
  ].join(' · ');

function stepLines(step: TraceStep, wallMs: number, style: Style): string[] {
  const { id, kind, status, objective = '', by, effects, fromMs, toMs, critical, usage } = step;
  const about = clip(oneLine(objective), objectiveColumns);
  const words = [
    `${markerOf(status, style)} ${nameBy(id || '(no step)', by)} ${oneLine(kind)}`.trimEnd(),
  ];
  if (fromMs !== null && toMs !== null) words.push(duration(toMs - fromMs));
  if (usage.modelCalls > 0) words.push(style.dim(usageWords(usage)));
  if (about !== '') words.push(style.dim(about));
  const lines = [`${critical ? style.warning('◆') : ' '} ${words.join('  ')}`];
  effects.forEach((effect, i) => {
    const last = i === effects.length - 1;
    lines.push(...effectLines(effect, last, wallMs, style));
  });
  return lines;
}

function effectLines(effect: TraceEffect, last: boolean, wallMs: number, style: Style): string[] {
  const { id, name, status, queueMs, runMs, critical, attempts, origin } = effect;
  const parts = [`${markerOf(status, style)} ${oneLine(name)}`, style.dim(id)];
  if (attempts.length > 0) parts.push(duration(runMs));
  if (origin !== undefined) parts.push(style.dim('from the journal'));
  if (queueMs > 0) parts.push(style.dim(`queued ${duration(queueMs)}`));
  const mark = critical ? style.warning('◆') : ' ';
  const bar = barOf(effect, wallMs, style);
  const lines = [`${mark} ${bar} ${last ? '└' : '├'} ${parts.join('  ')}`];
  if (attempts.length < 2) return lines;
  const indent = `  ${' '.repeat(barColumns)} ${last ? ' ' : '│'}  `;
  attempts.forEach(({ attempt, startedMs, endedMs, error }, i) => {
    const took = endedMs === null ? 'no end' : duration(endedMs - startedMs);
    const branch = i === attempts.length - 1 ? '└' : '├';
    const why = error ? style.error(clip(oneLine(error.message), errorColumns)) : '';
    lines.push(`${indent}${branch} ${style.dim(`attempt ${attempt}`)}  ${took}  ${why}`.trimEnd());
  });
  return lines;
}

/** Where an effect stands in the run: `·` queued, `█` running. */
function barOf({ queuedMs, queueMs, runMs }: TraceEffect, wallMs: number, style: Style): string {
  if (queuedMs === null || wallMs === 0) return ' '.repeat(barColumns);
  const column = (ms: number): number =>
    Math.min(barColumns, Math.round((ms / wallMs) * barColumns));
  const from = Math.min(column(queuedMs), barColumns - 1);
  const start = Math.min(column(queuedMs + queueMs), barColumns - 1);
  const end = Math.max(start + 1, column(queuedMs + queueMs + runMs));
  const bar = `${'·'.repeat(start - from)}${'█'.repeat(end - start)}`;
  return `${' '.repeat(from)}${style.active(bar)}${' '.repeat(barColumns - end)}`;
}
