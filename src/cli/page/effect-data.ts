/** What the page says of an effect when it is chosen: data for the script, shown as text. */
import type { EffectView } from '../../engine/views/show.ts';
import type { TraceEffect } from '../../engine/views/trace.ts';
import { stringify } from '../../program/json.ts';
import { count, duration } from '../../text/words.ts';
import { usageWords } from '../view/trace-lines.ts';

export interface EffectData {
  readonly id: string;
  readonly name: string;
  readonly times: string;
  readonly waitedFor: string | null;
  readonly parts: readonly { readonly title: string; readonly text: string; readonly bad?: true }[];
}

/** Characters of one value that a page holds, and of all of them. */
const valueMax = 200_000;
const valuesMax = 8_000_000;

/** Texts for a page, which have only so much room together. */
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

export function effectData(effect: EffectView, trace: TraceEffect, room: Room): EffectData {
  const parts: EffectData['parts'][number][] = [];
  parts.push({ title: 'asked', text: room.textOf(effect.request) });
  const { outcome } = effect;
  if (outcome && 'error' in outcome) {
    const { code, message, hint } = outcome.error;
    const text = `${code} ${message}${hint === undefined ? '' : `\nhint: ${hint}`}`;
    parts.push({ title: 'failed', text, bad: true });
  } else if (outcome) {
    parts.push({ title: 'answered', text: room.textOf(outcome.value) });
  }
  const { attempts } = trace;
  if (attempts.length > 1) {
    const lines = attempts.map(({ attempt, startedMs, endedMs, error }) => {
      const took = endedMs === null ? 'no end' : duration(endedMs - startedMs);
      return `${attempt}  at ${duration(startedMs)}  ${took}  ${error?.message ?? ''}`.trimEnd();
    });
    parts.push({ title: 'attempts', text: lines.join('\n') });
  }
  if (trace.usage) parts.push({ title: 'used', text: usageWords(trace.usage) });
  const { id, name, waitedFor } = trace;
  return { id, name, times: timesOf(effect, trace), waitedFor, parts };
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
