/**
 * The timeline of the page: a row per step and effect, and the sheet that places the bars. The row
 * of an effect opens on what it was asked and what it answered, as far as a page has room.
 */
import { usageWords } from '../agent/run/usage.ts';
import type { EffectView } from '../engine/views/show.ts';
import { runClock } from '../engine/views/timeline.ts';
import type { RunTrace, TraceEffect, TraceStep } from '../engine/views/trace.ts';
import { stringify } from '../program/json.ts';
import { count, duration, oneLine } from '../text/words.ts';
import { html, type Markup } from './markup.ts';

export interface TimelineMarkup {
  readonly rows: Markup;
  /** CSS: a rule per bar. In a sheet, so that the page needs no style attributes. */
  readonly places: string;
}

const ticks = 6;

export function timelineMarkup(
  { steps, totals, sessions }: RunTrace,
  effects: readonly EffectView[],
  room: Room,
): TimelineMarkup {
  const places: string[] = [];
  const wallMs = Math.max(totals.wallMs, 1);
  const percent = (ms: number): string => `${Math.min(100, (100 * ms) / wallMs).toFixed(3)}%`;
  /** The class that places an element. */
  const place = (fromMs: number, toMs?: number): string => {
    const name = `p${places.length}`;
    const width = toMs === undefined ? '' : `;width:${percent(Math.max(0, toMs - fromMs))}`;
    places.push(`.${name}{left:${percent(fromMs)}${width}}`);
    return name;
  };
  const axis = Array.from({ length: ticks }, (_, i) => {
    const ms = (totals.wallMs * i) / (ticks - 1);
    return html`<span class="tick ${place(ms)}">${duration(ms)}</span>`;
  });
  const clock = runClock(sessions);
  const breaks = sessions
    .slice(1)
    .map(({ from }) => html`<i class="break ${place(clock(from))}"></i>`);
  const views = new Map(effects.map((effect) => [effect.id, effect]));
  const rows = steps.flatMap((step) => [
    stepRow(step),
    ...step.effects.flatMap((trace) => {
      const view = views.get(trace.id);
      return view ? [effectRow(trace, bars(trace, place, breaks), facts(view, trace, room))] : [];
    }),
  ]);
  const markup = html`<div class="row axis"><div class="label">time of the run</div>
<div class="track">${axis}</div></div>
${rows}`;
  return { rows: markup, places: places.join('\n') };
}

function stepRow({ id, kind, status, objective = '', critical }: TraceStep): Markup {
  const name = id === '' ? 'outside any step' : `${id} ${oneLine(kind)}`;
  const classes = `row step ${status}${critical ? ' critical' : ''}`;
  return html`<div class="${classes}"><div class="label" title="${name}">${name}</div>
<div class="about" title="${objective}">${objective}</div></div>
`;
}

function effectRow(trace: TraceEffect, track: Markup, about: Markup): Markup {
  const { id, name, kind, status, critical } = trace;
  return html`<details class="effect ${kind} ${status}${critical ? ' critical' : ''}">
<summary class="row"><span class="label" title="${name}">${critical ? '◆ ' : ''}${name}
<span class="soft">${id}</span></span>
<span class="track">${track}</span></summary>
<div class="facts">${about}</div></details>
`;
}

type Place = (fromMs: number, toMs?: number) => string;

/** Where an effect waited, where it ran, and which attempts of it failed. */
function bars(effect: TraceEffect, place: Place, breaks: readonly Markup[]): Markup {
  const { attempts, queuedMs, startedMs, queueMs, runMs } = effect;
  const bar = (kind: string, fromMs: number, toMs: number): Markup =>
    html`<i class="${kind} ${place(fromMs, toMs)}"></i>`;
  const shown = [...breaks];
  if (queuedMs !== null && queueMs > 0) shown.push(bar('wait', queuedMs, queuedMs + queueMs));
  if (startedMs !== null) shown.push(bar('bar', startedMs, startedMs + runMs));
  for (const { startedMs: from, endedMs, error } of attempts.length > 1 ? attempts : []) {
    if (error && endedMs !== null) shown.push(bar('try', from, endedMs));
  }
  return html`${shown}`;
}

function facts(effect: EffectView, trace: TraceEffect, room: Room): Markup {
  const { outcome } = effect;
  const { attempts, usage, waitedFor } = trace;
  const shown = [html`<p>${timesOf(effect, trace)}</p>`];
  const add = (title: string, text: string, kind = 'value'): void => {
    shown.push(html`<h3>${title}</h3><pre class="${kind}">${text}</pre>`);
  };
  add('asked', room.textOf(effect.request));
  if (outcome && 'error' in outcome) {
    const { code, message, hint } = outcome.error;
    add('failed', `${code} ${message}${hint === undefined ? '' : `\nhint: ${hint}`}`, 'value bad');
  } else if (outcome) {
    add('answered', room.textOf(outcome.value));
  }
  if (attempts.length > 1) {
    const lines = attempts.map(({ attempt, startedMs, endedMs, error }) => {
      const took = endedMs === null ? 'no end' : duration(endedMs - startedMs);
      return `${attempt}  at ${duration(startedMs)}  ${took}  ${error?.message ?? ''}`.trimEnd();
    });
    add('attempts', lines.join('\n'));
  }
  if (usage) add('used', usageWords(usage));
  if (waitedFor !== null) add('begun after', waitedFor);
  return html`${shown}`;
}

function timesOf(effect: EffectView, trace: TraceEffect): string {
  const { startedMs, queueMs, runMs, critical, origin } = trace;
  const words = [`${effect.class} · ${effect.status}`];
  if (origin !== undefined) words.push('from the journal of the run it was forked from');
  if (startedMs !== null) words.push(`ran ${duration(runMs)} from ${duration(startedMs)} on`);
  if (queueMs > 0) words.push(`queued ${duration(queueMs)}`);
  if (critical) words.push('on the critical path');
  return words.join(' · ');
}

/** Characters of one value that a page holds, and of all of them. */
const valueMax = 200_000;
const valuesMax = 8_000_000;

export class Room {
  readonly #run: string;
  #left = valuesMax;

  constructor(run: string) {
    this.#run = run;
  }

  /** A text as it is, anything else as JSON; what does not fit is cut with a note. */
  textOf(value: unknown): string {
    const text = typeof value === 'string' ? value : stringify(value, 2);
    const most = Math.min(valueMax, this.#left);
    this.#left -= Math.min(text.length, most);
    if (text.length <= most) return text;
    const note = `${count(text.length, 'character')} in all: planvm show ${this.#run} --json`;
    return `${text.slice(0, most)}… (${note})`;
  }
}
