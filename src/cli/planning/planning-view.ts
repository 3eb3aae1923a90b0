/** What a person sees while a model writes a plan: on a terminal the end of its text. */
import { clip, clipStart, count, duration, oneLine } from '../../text/words.ts';
import { say, styleOf } from '../view/output.ts';
import { Screen } from '../view/screen.ts';

export interface PlanningView {
  /** Text of the model as it arrives. */
  progress(text: string): void;
  /** A line that stays. */
  note(text: string): void;
  end(): void;
}

interface ViewOptions {
  readonly model: string;
  /** What the model does: `planning`. */
  readonly doing: string;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

export function planningView({ model, doing, quiet, verbose }: ViewOptions): PlanningView {
  if (quiet) return { progress: () => {}, note: () => {}, end: () => {} };
  if (process.stderr.isTTY && !verbose && process.env.TERM !== 'dumb')
    return liveView(`${doing} with ${model}`);
  const { dim } = styleOf(process.stderr);
  say(dim(`${doing} with ${model} …`));
  return {
    progress: (text) => {
      if (verbose) process.stderr.write(dim(text));
    },
    note: (text) => say(dim(text)),
    end: () => {},
  };
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
