/**
 * The page of a run: one HTML file with all that is needed to read it, from a disk as well. It has
 * no script and loads nothing, and its policy forbids both, so that what a model or a tool wrote is
 * text whatever it says.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writtenIn } from '../agent/record/asked.ts';
import { fileOf } from '../agent/settings/kept-settings.ts';
import type { RunSummary } from '../engine/journal/journal.ts';
import { readPast } from '../engine/past/read-past.ts';
import { type RunResult, resultOf } from '../engine/result.ts';
import { nothingSpent } from '../engine/spent.ts';
import type { Look } from '../engine/views/show.ts';
import { type TraceTotals, traceOf } from '../engine/views/trace.ts';
import { count, duration, price } from '../text/words.ts';
import { html, jsonMarkup, type Markup, raw } from './markup.ts';
import { Room, timelineMarkup } from './timeline.ts';

export interface PageParts {
  readonly summary: RunSummary;
  readonly look: Look;
  /** None while the run goes on. */
  readonly result: RunResult | undefined;
  /** The error with the lines that it is about, without colour. */
  readonly error?: string | undefined;
  /** An export of the run: the page can then be imported again. */
  readonly exported?: string | undefined;
}

export function runPage(parts: PageParts): string {
  const { summary, look } = parts;
  const trace = traceOf(look);
  const room = new Room(summary.id);
  const timeline = timelineMarkup(trace, look.view.effects, room);
  const body = html`<header>
${head(parts, trace.totals)}
</header>
<main>
${ends(parts, room)}
<h2>Timeline</h2>
${legend}
<div class="card timeline">${timeline.rows}</div>
${variables(parts, room)}
<h2>Program</h2>
<div class="card"><details><summary>${fileOf(summary)}</summary>
<pre>${textOf(look)}</pre></details></div>
<footer>A run of planvm. An effect opens on what it was asked and what it answered.</footer>
</main>`;
  return documentOf(`${summary.title} · ${summary.id}`, body, timeline.places, parts.exported);
}

const textOf = ({ events }: Look): string => readPast(events).program?.text ?? '';

function documentOf(
  title: string,
  body: Markup,
  places: string,
  exported: string | undefined,
): string {
  const sheets = [readFileSync(new URL('style.css', import.meta.url), 'utf8'), places];
  const hashes = sheets.map(
    (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  const policy = [
    "default-src 'none'",
    `style-src ${hashes.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${sheets.map(
  (sheet) => html`<style>${raw(sheet)}</style>
`,
)}</head>
<body>
${body}
${exported === undefined ? undefined : embedded(exported)}
</body>
</html>
`;
  return markup;
}

const embedded = (exported: string): Markup =>
  html`<script type="application/x-planvm-run+json" id="run">${jsonMarkup(exported)}</script>`;

function head({ summary, look, result }: PageParts, totals: TraceTotals): Markup {
  const { status, reason } = look.view;
  const { usage } = result ?? { usage: totals.usage };
  const figures: [string, string][] = [
    ['took', duration(totals.wallMs)],
    ['effects', String(look.view.effects.length)],
    ['at once on average', String(totals.parallelism)],
    ['queued', duration(totals.queueMs)],
  ];
  if (usage.modelCalls > 0) {
    figures.push(['model calls', String(usage.modelCalls)]);
    figures.push(['tokens', `${usage.inputTokens} in, ${usage.outputTokens} out`]);
    figures.push(['cost', usage.cost === null ? 'unknown' : price(usage.cost)]);
  }
  const started = new Date(summary.createdAt).toISOString();
  return html`<h1>${summary.title === '' ? summary.id : summary.title}</h1>
<p><span class="status ${status}">${status}${reason === undefined ? '' : ` (${reason})`}</span>
<span class="soft mono">${summary.id}</span> <span class="soft">${writtenIn(summary)}, started
<time datetime="${started}">${started}</time></span></p>
<dl class="figures">${figures.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd>
</div>`,
  )}</dl>`;
}

/** Answer, error and warnings. */
function ends({ result, error }: PageParts, room: Room): Markup {
  const { answers = [], answer, warnings = [] } = result ?? {};
  const said =
    error === undefined
      ? []
      : [
          html`<h2>Error</h2>
<div class="card error"><pre>${error}</pre></div>`,
        ];
  if (answers.length > 0) {
    said.push(html`<h2>Answer</h2>
<div class="card answer"><pre>${room.textOf(answer)}</pre></div>`);
  }
  if (warnings.length > 0) {
    const lines = warnings.map(
      ({ step, message }) => html`<p>${step === undefined ? '' : `step ${step}: `}${message}</p>`,
    );
    const summary = count(warnings.length, 'warning');
    said.push(html`<h2>Warnings</h2>
<div class="card"><details><summary>${summary}</summary>${lines}</details></div>`);
  }
  return html`${said}`;
}

const legend = html`<p class="legend"><span class="tool">tool</span>
<span class="model">model</span> <span class="retrieve">retrieval</span>
<span class="person">person</span> <span class="clock">clock</span>
<span class="failed">failed</span></p>`;

/** As the run has left them; while it goes on, as far as its journal leads. */
function variables({ result, look, summary }: PageParts, room: Room): Markup | undefined {
  const { view } = look.again;
  const status = look.view.status;
  const now = { run: summary.id, status, view, spent: nothingSpent(), warnings: [] };
  const entries = Object.entries((result ?? resultOf(now)).variables);
  if (entries.length === 0) return undefined;
  const shown = entries.map(([name, value]) => {
    const text = room.textOf(value);
    const whole =
      text.length <= clippedAt
        ? html`<pre>${text}</pre>`
        : html`<details><summary><code>${text.slice(0, clippedAt)}…</code></summary>
<pre>${text}</pre></details>`;
    return html`<tr><th class="mono">${name}</th><td>${whole}</td></tr>
`;
  });
  return html`<h2>Variables at the end</h2>
<div class="card"><table>${shown}</table></div>`;
}

const clippedAt = 400;
