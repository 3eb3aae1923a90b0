/** The timeline of the page: a row per step and effect, and the sheet that places the bars. */
import { runClock } from '../../engine/views/timeline.ts';
import type { RunTrace, TraceEffect, TraceStep } from '../../engine/views/trace.ts';
import { duration, oneLine } from '../../text/words.ts';
import { html, type Markup } from './markup.ts';

export interface TimelineMarkup {
  readonly rows: Markup;
  /** CSS: a rule per bar. In a sheet, so that the page needs no style attributes. */
  readonly places: string;
}

const ticks = 6;

export function timelineMarkup({ steps, totals, sessions }: RunTrace): TimelineMarkup {
  const places: string[] = [];
  const wallMs = Math.max(totals.wallMs, 1);
  const percent = (ms: number): string => `${Math.min(100, (100 * ms) / wallMs).toFixed(3)}%`;
  /** The attribute that places an element. */
  const place = (fromMs: number, toMs?: number): string => {
    const id = `p${places.length}`;
    const width = toMs === undefined ? '' : `;width:${percent(Math.max(0, toMs - fromMs))}`;
    places.push(`#${id}{left:${percent(fromMs)}${width}}`);
    return id;
  };
  const axis = Array.from({ length: ticks }, (_, i) => {
    const ms = (totals.wallMs * i) / (ticks - 1);
    return html`<span class="tick" id="${place(ms)}">${duration(ms)}</span>`;
  });
  const clock = runClock(sessions);
  const breaks = sessions.slice(1).map(({ from }) => place(clock(from)));
  const lines = (): Markup[] => breaks.map((id) => html`<i class="break ${id}"></i>`);
  const rows = steps.flatMap((step) => [
    stepRow(step),
    ...step.effects.map((effect) => effectRow(effect, place, lines())),
  ]);
  const markup = html`<div class="row axis"><div class="label">time of the run</div>
<div class="track">${axis}</div></div>
${rows}`;
  // Breaks are in every row: a class in place of an id.
  const sheet = places.map((rule, i) =>
    breaks.includes(`p${i}`) ? rule.replace(/^#/, '.') : rule,
  );
  return { rows: markup, places: sheet.join('\n') };
}

function stepRow({ id, kind, status, objective = '', critical }: TraceStep): Markup {
  const name = id === '' ? 'outside any step' : `${id} ${oneLine(kind)}`;
  const classes = `row step ${status}${critical ? ' critical' : ''}`;
  return html`<div class="${classes}"><div class="label" title="${name}">${name}</div>
<div class="about" title="${objective}">${objective}</div></div>
`;
}

type Place = (fromMs: number, toMs?: number) => string;

function effectRow(effect: TraceEffect, place: Place, breaks: readonly Markup[]): Markup {
  const { id, name, kind, status, critical, attempts, origin } = effect;
  const { queuedMs, startedMs, queueMs, runMs } = effect;
  const classes = `row effect ${kind} ${status}${critical ? ' critical' : ''}`;
  const times = `ran ${duration(runMs)}, queued ${duration(queueMs)}`;
  const said = `${name} ${id}, ${status}, ${origin === undefined ? times : 'from the journal'}`;
  const wait =
    queuedMs === null || queueMs === 0
      ? undefined
      : html`<i class="wait" id="${place(queuedMs, queuedMs + queueMs)}"></i>`;
  const bar =
    startedMs === null
      ? undefined
      : html`<i class="bar" id="${place(startedMs, startedMs + runMs)}"></i>`;
  const tries = attempts.flatMap(({ startedMs: from, endedMs, error }) =>
    error && endedMs !== null && attempts.length > 1
      ? [html`<i class="try" id="${place(from, endedMs)}"></i>`]
      : [],
  );
  return html`<div class="${classes}" data-effect="${id}">
<div class="label"><button title="${said}" aria-label="${said}">${critical ? '◆ ' : ''}${name}
<span class="soft">${id}</span></button></div>
<div class="track">${breaks}${wait}${bar}${tries}</div></div>
`;
}
