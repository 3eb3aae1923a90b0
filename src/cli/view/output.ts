/**
 * The two streams of a command: results on stdout, all else on stderr, and colour only where a
 * person looks at it.
 */

import { fstatSync } from 'node:fs';
import { styleText } from 'node:util';
import { stringify } from '../../program/json.ts';
import { columns, duration } from '../../text/words.ts';

type Stream = NodeJS.WriteStream;

/** stdout as it was before anybody diverted it. */
const result = process.stdout.write.bind(process.stdout);

/**
 * From here on what other code writes to stdout goes to stderr: a tool that prints must not get
 * into the result.
 */
export function divertStdout(): void {
  const toStderr = (...args: Parameters<typeof result>): boolean => process.stderr.write(...args);
  process.stdout.write = toStderr as typeof process.stdout.write;
}

let printed = false;

/** What was told ahead of the end, by whoever need not say it there. */
export const told: Set<string> = new Set();

/** Writes one line of the result. */
export function print(text: string): void {
  printed = true;
  printText(`${text}\n`);
}

/** Prints a document where JSON is wanted, else lines for people. */
export function present(
  isJson: boolean | undefined,
  document: unknown,
  lines: () => Iterable<string>,
): void {
  if (isJson) print(stringify(document, 2));
  else for (const line of lines()) print(line);
}

/** Rows below the names of their columns. */
export function tableLines(
  names: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const [head = '', ...lines] = columns([names, ...rows]);
  return [styleOf(process.stdout).dim(head), ...lines];
}

/** How long ago a moment was, which is in epoch milliseconds. */
export const ago = (moment: number): string => `${duration(Math.max(0, Date.now() - moment))} ago`;

/** Whether there is a result, or a part of one. */
export const hasPrinted = (): boolean => printed;

/** Writes a text that ends its own lines. */
export function printText(text: string): void {
  if (!closed.has(process.stdout)) result(text);
}

/** Ends the line that stdout is in the midst of. */
let endLine: (() => void) | undefined;

/**
 * To be called as a line of stdout begins whose end is still to come, and without `end` once it has
 * come: where both streams go to one place, what is said meanwhile ends it first.
 */
export function openLine(end?: () => void): void {
  endLine = end;
}

function areOneStream(): boolean {
  try {
    const [out, err] = [fstatSync(process.stdout.fd), fstatSync(process.stderr.fd)];
    return out.dev === err.dev && out.ino === err.ino && out.ino !== 0;
  } catch {
    return false;
  }
}

/** Writes one line for the person who watches. */
export function say(text: string): void {
  if (endLine && areOneStream()) endLine();
  if (!closed.has(process.stderr)) process.stderr.write(`${text}\n`);
}

const closed = new Set<Stream>();

/** What there is to say cannot be written any more: the disk that it goes to is full, or gone. */
export class NotWritten extends Error {
  readonly stream: string;

  constructor(stream: string, cause: Error) {
    super(cause.message, { cause });
    this.stream = stream;
  }
}

/**
 * To be called as a command begins. A reader that has gone away (`planvm runs | head -1`, a
 * terminal that was closed) is no failure: what is still to be written is dropped, and a run goes
 * on to its end in the journal.
 */
export function openOutput(): void {
  printed = false;
  told.clear();
  endLine = undefined;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      closed.add(stream);
      if (error.code === 'EPIPE' || error.code === 'EIO') return;
      throw new NotWritten(stream === process.stdout ? 'stdout' : 'stderr', error);
    });
  }
}

/** Settles when everything written so far has been handed to the system. */
export async function drain(): Promise<void> {
  const { stdout, stderr } = process;
  const written = (write: typeof result): Promise<void> =>
    new Promise((done) => write('', () => done()));
  if (!closed.has(stdout)) await written(result);
  if (!closed.has(stderr)) await written(stderr.write.bind(stderr));
}

/**
 * Whether a stream takes colour: `--no-color` and NO_COLOR say no, FORCE_COLOR says yes, else a
 * terminal does.
 */
export function isColoured(stream: Stream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return !['0', 'false'].includes(FORCE_COLOR);
  return stream.isTTY === true && TERM !== 'dumb';
}

export interface Style {
  error(text: string): string;
  warning(text: string): string;
  good(text: string): string;
  active(text: string): string;
  strong(text: string): string;
  dim(text: string): string;
}

type Format = Parameters<typeof styleText>[0];

/** How text is marked on a stream; unchanged where it takes no colour. */
export function styleOf(stream: Stream): Style {
  const coloured = isColoured(stream);
  const mark = (format: Format) => (text: string) =>
    coloured ? styleText(format, text, { validateStream: false }) : text;
  return {
    error: mark(['bold', 'red']),
    warning: mark('yellow'),
    good: mark('green'),
    active: mark('cyan'),
    strong: mark('bold'),
    dim: mark('dim'),
  };
}
