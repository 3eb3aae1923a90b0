/** A run as lines of text, one per event that matters: for files, pipes and other programs. */
import { playbooks, writtenIn } from '../../agent/record/asked.ts';
import {
  isAside,
  noticedMs,
  observe,
  retryText,
  seenStep,
  type Watch,
} from '../../agent/view/watch.ts';
import { isModelUnavailable } from '../../effects/model/unavailable.ts';
import type { WatchEvent } from '../../engine/events.ts';
import { decode, textOf } from '../../program/json.ts';
import { clip, duration, grouped, oneLine, withoutControls } from '../../text/words.ts';
import { isNote } from './aloud.ts';
import { say, styleOf } from './output.ts';
import { shownColumns } from './step-lines.ts';
import type { View } from './view.ts';

export interface PlainOptions {
  /** Also what goes well and what begins. */
  readonly verbose: boolean;
}

export function plainView(watch: Watch, { verbose }: PlainOptions): View {
  return {
    show(event) {
      const line = lineOf(event, watch, verbose);
      observe(watch, event);
      if (line !== undefined) say(line);
    },
    note: say,
    end() {
      if (watch.most < 2) return;
      say(styleOf(process.stderr).dim(`at most ${grouped(watch.most)} effects at once`));
    },
  };
}

/** Shows nothing of a run but what a person has to know. */
export const quietView: View = { show() {}, note() {}, end() {} };

function lineOf(event: WatchEvent, watch: Watch, verbose: boolean): string | undefined {
  const style = styleOf(process.stderr);
  switch (event.type) {
    case 'run.started':
      return style.dim(
        `run ${event.run.id}: ${oneLine(event.run.title)} (${writtenIn(event.run)})`,
      );
    case 'run.forked': {
      const { id, title, base } = event.run;
      const kind = writtenIn(event.run);
      return style.dim(`run ${id}: ${oneLine(title)} (${kind}), forked from ${base?.run}`);
    }
    case 'effect.reused':
      return verbose
        ? style.dim(`↩ ${place(seenStep(watch, event.step))}${event.tool} from the journal`)
        : undefined;
    case 'step.entered':
      if (!verbose || watch.dialect === playbooks) return undefined;
      return style.dim(`  step ${event.step}`);
    case 'effect.started':
      return startLine(event, seenStep(watch, event.step), verbose);
    case 'effect.retries': {
      const where = place(seenStep(watch, event.step)) + event.tool;
      return event.waitMs < noticedMs ? undefined : `↻ ${where} ${retryText(event)}`;
    }
    case 'effect.settled': {
      if (isAside(watch, event.tool) && event.outcome.ok) return undefined;
      const running = watch.running.get(event.effect);
      const name = place(running?.visit ?? '') + event.tool;
      if (!event.outcome.ok) {
        const { code, message } = event.outcome.error;
        if (isModelUnavailable(code)) return undefined;
        // All of it stands in the journal, and below, where the run ends with it.
        return `${style.error('✖')} ${name} ${code}: ${clip(oneLine(message), shownColumns)}`;
      }
      const took = duration(event.at - event.startedAt);
      return `${style.good('✔')} ${name} ${style.dim(took)}`;
    }
    case 'effect.unknown':
      return `${style.warning('?')} ${event.tool} (effect ${event.effect}): ${oneLine(event.why)}`;
    case 'message.emitted':
      if (!isNote(event)) return undefined;
      return withoutControls(textOf(decode(event.value)));
    case 'approval.granted':
    case 'approval.denied': {
      const word = event.type === 'approval.granted' ? 'approved' : 'denied';
      const note = event.note === undefined ? '' : `: ${oneLine(event.note)}`;
      return style.dim(`${word} by ${event.by} (effect ${event.effect})${note}`);
    }
    case 'limit.raised':
      return style.dim(`limits raised: ${Object.keys(event.limits).join(', ')}`);
    default:
      return undefined;
  }
}

function startLine(
  { attempt, tool }: Extract<WatchEvent, { type: 'effect.started' }>,
  step: string,
  verbose: boolean,
): string | undefined {
  if (attempt > 1) return `↻ ${place(step)}${tool} attempt ${attempt}`;
  return verbose ? styleOf(process.stderr).dim(`◐ ${place(step)}${tool}`) : undefined;
}

/** The step in front of a tool's name. */
const place = (step: string): string => (step === '' ? '' : `${step} `);
