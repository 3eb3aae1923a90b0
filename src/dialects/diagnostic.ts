/**
 * The text of a diagnostic or of a guest's error: the same for a person, for the studio and for the
 * model that has to repair the program.
 *
 *     plan.json:3:21: error PV2128: jump_if_true: got 9, want the seq_no of a step
 *        3 |     "jump_if_true": 9,
 *          |                     ^
 *       hint: steps are numbered 0 to 4
 */
import { counted, type Diagnostic, type FileSite, type Severity } from '../program/diagnostic.ts';
import type { GuestError, TraceFrame } from '../program/effect.ts';
import { clean, widthOf } from '../text/words.ts';
import { unbundle } from './bundled.ts';

export interface RenderOptions {
  /** What stands before line and column; nothing where it is absent. */
  readonly file?: string;
  /** ANSI colours. Default: none. */
  readonly color?: boolean;
  /** Whether the source lines are shown. Default: yes. */
  readonly frame?: boolean;
}

/** One problem, without a line break at its end. `source` is the whole program text. */
export function render(
  problem: Diagnostic | GuestError,
  source: string,
  options: RenderOptions = {},
): string {
  return new Renderer(source, options).problem(problem);
}

/** All problems in the order of the text, and how many there are; empty for none. */
export function renderAll(
  problems: readonly (Diagnostic | GuestError)[],
  source: string,
  options: RenderOptions = {},
): string {
  if (problems.length === 0) return '';
  const renderer = new Renderer(source, options);
  const texts = inOrder(problems).map((problem) => renderer.problem(problem));
  return [...texts, summary(problems)].join('\n\n');
}

/** By place, the first file first; of several at one place errors first, else as they came. */
export function inOrder<T extends Diagnostic | GuestError>(problems: readonly T[]): T[] {
  const rank = (problem: T): number => (severityOf(problem) === 'error' ? 0 : 1);
  return problems.toSorted(
    (a, b) =>
      compared(fileOf(a), fileOf(b)) || a.line - b.line || a.column - b.column || rank(a) - rank(b),
  );
}

const compared = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const fileOf = (site: FileSite): string => site.file ?? '';

/** `2 errors, 1 warning`. */
export function summary(problems: readonly (Diagnostic | GuestError)[]): string {
  const errors = problems.filter((problem) => severityOf(problem) === 'error').length;
  const counts = [count(errors, 'error'), count(problems.length - errors, 'warning')];
  return counts.filter((part) => part !== '').join(', ') || 'no errors';
}

const count = (n: number, noun: string): string => (n === 0 ? '' : counted(n, noun));

const severityOf = (problem: Diagnostic | GuestError): Severity =>
  'severity' in problem ? problem.severity : 'error';

type Paint = 'error' | 'warning' | 'note' | 'hint' | 'place' | 'gutter';

const colors: Readonly<Record<Paint, string>> = {
  error: '1;31',
  warning: '1;33',
  note: '1;36',
  hint: '1;32',
  place: '1',
  gutter: '2',
};

/** Frames of a back-trace that are shown at each end of a long one. */
const traceEnd = 10;

class Renderer {
  readonly #lines: readonly string[];
  /** The lines of files that the first one brings along. */
  readonly #others = new Map<string, readonly string[]>();
  readonly #options: RenderOptions;

  constructor(source: string, options: RenderOptions) {
    this.#lines = options.frame === false ? [] : source.split('\n');
    if (options.frame !== false && source.includes('#: file ')) {
      for (const [name, text] of unbundle(source).files) this.#others.set(name, text.split('\n'));
    }
    this.#options = options;
  }

  problem(problem: Diagnostic | GuestError): string {
    const severity = severityOf(problem);
    const lines = [
      this.#head(problem, severity, `${severity} ${problem.code}`, problem.message),
      ...this.#frame(problem, severity),
    ];
    if ('notes' in problem) for (const note of problem.notes ?? []) lines.push(...this.#note(note));
    if (problem.step) lines.push(`  ${this.#paint('note', 'step:')} ${clean(problem.step)}`);
    if ('trace' in problem) lines.push(...this.#trace(problem));
    if (problem.hint) lines.push(...this.#labelled('hint', problem.hint));
    return lines.join('\n');
  }

  #head(site: FileSite, paint: Paint, label: string, message: string): string {
    const place = this.#place(site);
    const [first = '', ...rest] = message.split('\n').map(clean);
    const start = `${this.#paint(paint, `${label}:`)} ${first}`;
    const head = place === '' ? start : `${this.#paint('place', `${place}:`)} ${start}`;
    return [head, ...rest.map((line) => `  ${line}`)].join('\n');
  }

  /** The place of a frame: in this file, in another one, or in the library. */
  #of({ file, ...site }: TraceFrame): string {
    if (file === undefined) return this.#place(site);
    return site.line === 0 ? file : `${file}:${site.line}:${site.column}`;
  }

  /** `file:line:column`, as far as it is known; other files lie beside the first, or below it. */
  #place({ file, line, column }: FileSite): string {
    const { file: own = '' } = this.#options;
    const parts = [
      file === undefined ? own : `${own.slice(0, own.lastIndexOf('/') + 1)}${file}`,
      line > 0 ? line : '',
      line > 0 && column > 0 ? column : '',
    ];
    return clean(parts.filter((part) => part !== '').join(':'));
  }

  #frame({ file, line, column }: FileSite, paint: Paint): string[] {
    const lines = file === undefined ? this.#lines : (this.#others.get(file) ?? []);
    const frame = frameAt(lines, line, column);
    if (!frame) return [];
    return [
      `${this.#paint('gutter', frame.gutter)} ${frame.text}`,
      `${this.#paint('gutter', frame.blank)} ${this.#marked(frame.mark, paint)}`,
    ];
  }

  #marked(mark: string, paint: Paint): string {
    const start = mark.indexOf('^');
    return mark.slice(0, start) + this.#paint(paint, mark.slice(start));
  }

  #note(note: FileSite & { readonly message: string }): string[] {
    return [`  ${this.#head(note, 'note', 'note', note.message)}`, ...this.#frame(note, 'note')];
  }

  #labelled(paint: Paint, text: string): string[] {
    const [first = '', ...rest] = text.split('\n').map(clean);
    return [`  ${this.#paint(paint, `${paint}:`)} ${first}`, ...rest.map((line) => `    ${line}`)];
  }

  /** The calls that led to the error; a single frame says no more than its place. */
  #trace({ trace }: GuestError): string[] {
    if (trace.filter(({ line }) => line > 0).length < 2) return [];
    const row = (frame: TraceFrame): string => `    ${this.#of(frame)}: in ${clean(frame.name)}`;
    const left = trace.length - 2 * traceEnd;
    const rows =
      left > 0
        ? [
            ...trace.slice(0, traceEnd).map(row),
            `    … ${left} more`,
            ...trace.slice(-traceEnd).map(row),
          ]
        : trace.map(row);
    return [`  ${this.#paint('note', 'calls, innermost last:')}`, ...rows];
  }

  #paint(paint: Paint, text: string): string {
    return this.#options.color ? `\u001b[${colors[paint]}m${text}\u001b[0m` : text;
  }
}

// A line of source with a mark under the place that is meant: as wide as a terminal, with tabs and
// wide characters in step, and without control characters, since the text is a model's.

export interface Frame {
  /** Line number, right-aligned, and the bar. */
  readonly gutter: string;
  readonly text: string;
  /** As wide as the gutter, with the bar only. */
  readonly blank: string;
  readonly mark: string;
}

/** Characters of a source line that are shown, the marks for what was cut off included. */
const widthMax = 96;
/** Of these, how many stand before the place where a line is cut on both sides. */
const before = 40;

/** Undefined where there is no such line. Line and column count from 1. */
function frameAt(lines: readonly string[], line: number, column: number): Frame | undefined {
  const raw = lines[line - 1]?.replace(/\r$/, '');
  if (raw === undefined || line < 1) return undefined;
  const at = Math.min(Math.max(column, 1) - 1, raw.length);
  const from =
    raw.length <= widthMax ? 0 : Math.max(0, Math.min(at - before, raw.length - widthMax));
  const to = Math.min(raw.length, from + widthMax);
  const shown = clean(raw.slice(from, to));
  const [left, right] = [from > 0 ? '…' : '', to < raw.length ? '…' : ''];
  const extent = Math.min(extentAt(raw, at), to - at);
  const number = String(line).padStart(4);
  return {
    gutter: `${number} |`,
    text: `${left}${shown}${right}`,
    blank: `${' '.repeat(number.length)} |`,
    mark:
      blanks(left + shown.slice(0, at - from)) +
      '^'.repeat(widthOf(shown.slice(at - from, at - from + extent)) || 1),
  };
}

/** How much of the line the place covers: a string, a word, a number, or one character. */
function extentAt(line: string, at: number): number {
  const rest = line.slice(at);
  const found = /^"(?:[^"\\]|\\.)*"|^'(?:[^'\\]|\\.)*'|^-?[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*/u.exec(
    rest,
  );
  return found ? found[0].length : 1;
}

/** Space as wide as a text; its tabs stay tabs, so that they reach as far. */
function blanks(text: string): string {
  let space = '';
  for (const character of text) space += character === '\t' ? '\t' : ' '.repeat(widthOf(character));
  return space;
}
