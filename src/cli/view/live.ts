/**
 * The live view of a run on a terminal: one line per step, the effects under way beneath theirs
 * with the end of what the model has written so far, and a line that counts.
 */
import { stepWords } from '../../agent/view/step-words.ts';
import { observe, type RunningEffect, type StepState, type Watch } from '../../agent/view/watch.ts';
import { decode, textOf } from '../../program/json.ts';
import {
  clip,
  clipStart,
  count,
  duration,
  grouped,
  oneLine,
  price,
  widthOf,
  withoutControls,
} from '../../text/words.ts';
import { isNote } from './aloud.ts';
import { type Style, styleOf } from './output.ts';
import { Screen } from './screen.ts';
import type { View } from './view.ts';

/** How often the view is drawn at most, in milliseconds. */
const frameMs = 80;

export function liveView(watch: Watch): View {
  const screen = new Screen(process.stderr);
  const style = styleOf(process.stderr);
  let isHeld = false;
  const draw = (): void => {
    if (isHeld) return;
    const lines = viewLines(watch, { columns: screen.columns, rows: screen.rows, now: Date.now() });
    screen.draw(
      lines.map((line) => paint(line, style)),
      lines.map(({ text }) => text),
    );
  };
  // Time passes without events too.
  const timer = setInterval(draw, frameMs);
  timer.unref();
  return {
    show(event) {
      observe(watch, event);
      if (event.type === 'message.emitted' && isNote(event)) {
        screen.write(withoutControls(textOf(decode(event.value))));
      }
    },
    note(line) {
      screen.write(line);
      draw();
    },
    hold() {
      draw();
      isHeld = true;
      screen.close();
    },
    go() {
      isHeld = false;
      draw();
    },
    rest: () => screen.close(),
    end() {
      clearInterval(timer);
      draw();
      screen.close();
    },
  };
}

export interface Line {
  readonly text: string;
  /** Which part of the text is marked, and how: the beginning up to `until`. */
  readonly mark: keyof Style | 'none';
  readonly until: number;
  /** Whether the rest is of lesser interest. */
  readonly faint: boolean;
}

export interface Window {
  readonly columns: number;
  readonly rows: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The whole view, never higher or wider than the window. */
export function viewLines(watch: Watch, window: Window): Line[] {
  const width = Math.max(1, window.columns - 1);
  // Of a long goal the end is cut, not the id that other commands want.
  const rest = `${width < 60 ? '' : ` · ${watch.dialect}`} · run ${watch.run}`;
  const title = clip(oneLine(watch.title), Math.max(10, width - widthOf(rest)));
  const head = line(title + rest, 'strong', true);
  const room = Math.max(1, window.rows - 3);
  const body = bodyLines(watch, room, window.now, width);
  const foot = line(footer(watch, window.now), 'none', true);
  const lines = window.rows < 4 ? [foot] : [head, ...body, foot];
  return lines.map((one) => ({ ...one, text: clip(one.text, width) }));
}

function bodyLines(watch: Watch, room: number, now: number, width: number): Line[] {
  const effects = Map.groupBy(watch.running.values(), ({ step }) => step ?? -1);
  let open = false;
  const blocks = watch.steps.map((state, index) => {
    const status = shownStatus(state, open);
    open ||= state.calls && (status === 'running' || status === 'entered');
    const below = (effects.get(index) ?? []).map((effect) => effectLine(effect, now, width));
    const lines = [stepLine(state, status, watch), ...below];
    return { lines, active: ['running', 'failed', 'unknown'].includes(status) };
  });
  for (const effect of effects.get(-1) ?? []) {
    blocks.push({ lines: [effectLine(effect, now, width)], active: true });
  }
  const all = blocks.flatMap(({ lines }) => lines);
  if (all.length <= room) return all;
  return excerpt(blocks, room);
}

/** A step that only computes is entered at once; what it computes with may still be under way. */
function shownStatus({ status, calls }: StepState, open: boolean): StepState['status'] {
  return open && !calls && status === 'done' ? 'entered' : status;
}

interface Block {
  readonly lines: readonly Line[];
  readonly active: boolean;
}

/** As many lines around what is active as there is room for, and how many steps are left out. */
function excerpt(blocks: readonly Block[], room: number): Line[] {
  const first = Math.max(0, blocks.findIndex(({ active }) => active) - 1);
  const before = first === 0 ? 0 : 1;
  const shown: Line[] = [];
  let next = first;
  // One line is kept for what is left out behind.
  while (next < blocks.length && shown.length < room - before - 1) {
    shown.push(...(blocks[next]?.lines ?? []));
    next++;
  }
  const left = blocks.length - next;
  const lines = before === 0 ? [] : [line(`  … ${count(first, 'step')} before`, 'none', true)];
  lines.push(...shown.slice(0, room - before - 1));
  if (left > 0) lines.push(line(`  … ${count(left, 'step')} after`, 'none', true));
  return lines.slice(0, room);
}

const markers: Readonly<Record<StepState['status'], readonly [string, keyof Style | 'none']>> = {
  waiting: ['○', 'dim'],
  entered: ['○', 'active'],
  running: ['◐', 'active'],
  done: ['✔', 'good'],
  failed: ['✖', 'error'],
  unknown: ['?', 'warning'],
  cancelled: ['–', 'dim'],
};

function stepLine(
  { step, visits }: StepState,
  status: StepState['status'],
  { steps }: Watch,
): Line {
  const [marker, mark] = markers[status];
  const label = step.label.padEnd(Math.min(12, longest(steps)));
  const again = visits > 1 ? ` ×${visits}` : '';
  const text = `${marker} ${label} ${oneLine(step.kind)}${again}`;
  const words = stepWords(step);
  const about = words === '' ? '' : `  ${words}`;
  return { text: text + about, mark, until: 1, faint: status === 'waiting' };
}

const lengths = new WeakMap<readonly StepState[], number>();

function longest(steps: readonly StepState[]): number {
  const known = lengths.get(steps);
  if (known !== undefined) return known;
  const length = steps.reduce((max, { step }) => Math.max(max, step.label.length), 1);
  lengths.set(steps, length);
  return length;
}

function effectLine(effect: RunningEffect, now: number, width: number): Line {
  const again = effect.attempt > 1 ? ` (attempt ${effect.attempt})` : '';
  const since = duration(Math.max(0, now - effect.startedAt));
  // What stands at no step of the program says where it does.
  const place = effect.step === undefined && effect.visit !== '' ? `${effect.visit} ` : '';
  const start = `    ${place}${effect.tool}${again} ${since}`;
  const tail = oneLine(effect.tail);
  const room = width - widthOf(start) - 2;
  const text = tail === '' || room < 8 ? start : `${start}  ${clipStart(tail, room)}`;
  return { text, mark: 'active', until: start.length, faint: true };
}

/** `4.2s · 3 effects running, 12 done · at most 5 at once · 1 234 tokens · $0.01`. */
function footer(watch: Watch, now: number): string {
  const { running, settled, most, modelCalls, tokens, cost, unpriced } = watch;
  const parts = [
    duration(Math.max(0, now - watch.startedAt)),
    `${count(running.size, 'effect')} running, ${grouped(settled)} done`,
  ];
  if (most > 1) parts.push(`at most ${grouped(most)} at once`);
  if (modelCalls > 0) parts.push(`${grouped(tokens)} tokens`);
  if (modelCalls > 0 && (cost > 0 || !unpriced)) parts.push(price(cost) + (unpriced ? ' +' : ''));
  return parts.join(' · ');
}

const line = (text: string, mark: Line['mark'], faint: boolean): Line => ({
  text,
  mark,
  until: mark === 'strong' ? text.indexOf(' · ') : 0,
  faint,
});

function paint({ text, mark, until, faint }: Line, style: Style): string {
  const start = text.slice(0, until);
  const rest = text.slice(until);
  return (mark === 'none' ? start : style[mark](start)) + (faint ? style.dim(rest) : rest);
}
