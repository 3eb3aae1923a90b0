/** What a person sees while a model plans, repairs or judges: on a terminal the end of its text. */
import type { Notice, RunBegan } from '../../agent/port/events.ts';
import { noticedMs, retryText } from '../../agent/view/watch.ts';
import { isModelUnavailable } from '../../effects/model/unavailable.ts';
import type { WatchEvent } from '../../engine/events.ts';
import { decode, textOf } from '../../program/json.ts';
import { clip, clipStart, count, duration, oneLine } from '../../text/words.ts';
import { say, styleOf } from './output.ts';
import { Screen } from './screen.ts';
import type { View } from './view.ts';

interface LoopFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

type Checked = Extract<Notice, { readonly type: 'plan.checked' }>;

/** On a terminal the end of the model's text, elsewhere lines. */
export function loopView(
  { doing, model }: NonNullable<RunBegan['loop']>,
  { quiet = false, verbose = false }: LoopFlags,
): View {
  const what = `${doing} with ${shownModel(model)}`;
  if (quiet) return viewOf({ progress: () => {}, note: () => {}, end: () => {} });
  if (process.stderr.isTTY && !verbose && process.env.TERM !== 'dumb') {
    return viewOf(liveView(what));
  }
  const { dim } = styleOf(process.stderr);
  say(dim(`${what} …`));
  return viewOf({
    progress: (text) => {
      if (verbose) process.stderr.write(dim(text));
    },
    note: (text) => say(dim(text)),
    end: () => {},
  });
}

/** A transcript by its path as a person at this place would write it. */
function shownModel(name: string): string {
  const file = /^replay\/(.*)$/.exec(name)?.[1];
  return file === undefined ? name : `the transcript ${file}`;
}

/** A round of planning in a line. */
export function roundLine({ round, ok, isProgram, diagnostics }: Checked): string {
  if (!isProgram) return `reply ${round} holds no program`;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (ok) return `plan ${round} passes the check`;
  const first = errors[0];
  const sample = first === undefined ? '' : `: ${first.code} ${first.message}`;
  return `plan ${round} has ${count(errors.length, 'error')}${sample}`;
}

/** The events of the loop's run, as far as a person who waits for a plan wants to see them. */
function viewOf(progress: PlanningView): View {
  return {
    show(event: WatchEvent) {
      if (event.type === 'effect.progress') progress.progress(event.text);
      else if (event.type === 'effect.retries') {
        if (event.waitMs >= noticedMs) progress.note(retryText(event));
      } else if (event.type === 'effect.settled') {
        const error = event.outcome.ok ? undefined : event.outcome.error;
        if (!isModelUnavailable(error?.code)) event.warnings?.forEach(progress.note);
      } else if (event.type === 'message.emitted' && event.channel !== 'answer') {
        progress.note(textOf(decode(event.value)));
      }
    },
    note: progress.note,
    end() {},
  };
}

interface PlanningView {
  /** Text of the model as it arrives. */
  progress(text: string): void;
  /** A line that stays. */
  note(text: string): void;
  end(): void;
}

const tailCharacters = 400;
const redrawMs = 80;

function liveView(what: string): PlanningView {
  const style = styleOf(process.stderr);
  const screen = new Screen(process.stderr);
  const startedAt = Date.now();
  let characters = 0;
  let tail = '';
  let drawnAt = 0;
  const draw = (): void => {
    drawnAt = Date.now();
    const width = screen.columns - 1;
    const facts = [what, duration(drawnAt - startedAt)];
    if (characters > 0) facts.push(count(characters, 'character'));
    const head = clip(`◐ ${facts.join(' · ')}`, width);
    const body = `  ${clipStart(oneLine(tail), width - 2)}`;
    screen.draw([style.active(head), style.dim(body)], [head, body]);
  };
  draw();
  return {
    progress(text) {
      characters += text.length;
      tail = (tail + text).slice(-tailCharacters);
      if (Date.now() - drawnAt >= redrawMs) draw();
    },
    note: (text) => screen.write(style.dim(text)),
    end() {
      screen.draw([], []);
      screen.close();
    },
  };
}
