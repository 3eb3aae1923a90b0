/**
 * What the model of a frame was told and has replied: data that the loop keeps, and the messages
 * of it. An entry becomes the same text every time, so that a provider's cache of the beginning
 * of a conversation stays valid.
 */
import type { Message } from '../../../effects/model/model.ts';
import { counted } from '../../../program/diagnostic.ts';
import { stringify } from '../../../program/json.ts';
import { sha256 } from '../../../program/sha256.ts';

export type Entry =
  /**
   * What the model was asked; marks of what it was shown of variables then, by name; the name of
   * the conversation.
   */
  | {
      readonly is: 'turn';
      readonly text: string;
      readonly shown: Readonly<Record<string, string>>;
      readonly session?: string;
    }
  | { readonly is: 'reply'; readonly text: string }
  | { readonly is: 'results'; readonly calls: readonly CallResult[] }
  /** `from`: of several people, who wrote it. */
  | { readonly is: 'user'; readonly text: Words; readonly from?: string }
  /**
   * `cut`: after a reply that was cut off, what of it is done. `said`: what the agent itself said
   * in another playbook to whom it hears now.
   */
  | { readonly is: 'problem' | 'note' | 'cut' | 'said'; readonly text: Words }
  /** What another agent has said. */
  | { readonly is: 'agent'; readonly from: string; readonly text: Words }
  | Recap;

/** In place of entries that were too many. */
export interface Recap {
  readonly is: 'recap';
  readonly first: readonly RecapLine[];
  readonly latest: readonly RecapLine[];
  /** How many lines stood between those. */
  readonly between: number;
  /** How many others are left out: what was done, called and said. */
  readonly done: number;
}

export interface RecapLine {
  /** Who wrote, said or noted it, `Ann wrote`; empty for what was done. */
  readonly by: string;
  readonly text: Words;
}

/** A long text by its ends, and the name of the variable that has all of it. */
export interface Ends {
  readonly start: string;
  readonly end?: string | undefined;
  readonly size: number;
  readonly name?: string | undefined;
}

export type Words = string | Ends;

export interface CallResult {
  readonly callee: string;
  /** The variable that has the result, as written. */
  readonly into?: string | null;
  readonly ok: boolean;
  readonly value?: unknown;
  /** In place of a long value, or of a long error. */
  readonly about?: Ends;
  readonly error?: unknown;
}

/** Entries between two replies are one message. */
export function sessionMessages(entries: readonly Entry[]): Message[] {
  const messages: Message[] = [];
  for (const entry of entries) {
    const role = entry.is === 'reply' ? 'assistant' : 'user';
    const content = entryText(entry);
    const last = messages.at(-1);
    if (content === '') continue;
    if (last?.role === role) {
      messages[messages.length - 1] = { role, content: `${last.content}\n\n${content}` };
    } else messages.push({ role, content });
  }
  return messages;
}

/** Results that are larger are shown in short: they are in their variables. */
const resultMax = 2000;

export function entryText(entry: Entry): string {
  switch (entry.is) {
    case 'turn':
      return entry.text;
    case 'recap':
      return recapText(entry);
    case 'note':
    case 'cut':
      return wordsText(entry.text);
    case 'reply':
      return entry.text.trim();
    case 'results':
      return entry.calls.length === 0
        ? ''
        : ['Results:', ...entry.calls.map(resultLine)].join('\n');
    case 'user':
      return `${entry.from ?? 'The person'} wrote: ${wordsText(entry.text, JSON.stringify)}`;
    case 'agent':
      return `${entry.from} said: ${wordsText(entry.text, JSON.stringify)}`;
    case 'said':
      return `You said: ${wordsText(entry.text, JSON.stringify)}`;
    case 'problem':
      return (
        `Your last reply could not be used further: ${wordsText(entry.text)}\n` +
        'What stands before that is done; do not repeat it.'
      );
  }
}

function resultLine(result: CallResult): string {
  const { callee, into, ok } = result;
  const target = into ? ` into ${into}` : '';
  return `- ${callee}${target}${ok ? '' : ' failed'}: ${resultText(result, resultMax)}`;
}

function recapText({ between, done, first, latest }: Recap): string {
  const were = (n: number, noun: string): string =>
    `${counted(n, noun)} ${n === 1 ? 'was' : 'were'}`;
  const gap = between === 1 ? '1 message or note is' : `${between} messages or notes are`;
  return [
    `So far in this playbook${done + between > 0 ? ', in short' : ''}:`,
    ...(done > 0 ? [`- ${were(done, 'thing')} done, called and said; their outcome is below`] : []),
    ...first.map(recapLineText),
    ...(between > 0 ? [`- ${gap} left out`] : []),
    ...latest.map(recapLineText),
  ].join('\n');
}

export const recapLineText = ({ by, text }: RecapLine): string =>
  `- ${by === '' ? wordsText(text) : `${by}: ${wordsText(text, JSON.stringify)}`}`;

const asItIs = (text: string): string => text;

/** A long text by its ends, each as `quoted` writes it, and where all of it is. */
export function wordsText(text: Words, quoted: (text: string) => string = asItIs): string {
  if (typeof text === 'string') return quoted(text);
  const { start, end = '', size, name } = text;
  const more = Math.max(0, size - start.length - end.length);
  const left = `(${counted(more, 'more character')}${place(name)})`;
  return end === '' ? `${quoted(start)} … ${left}` : `${quoted(start)} … ${left} … ${quoted(end)}`;
}

const place = (name: string | undefined): string => (name ? `; all in ${name}` : '');

/** By its beginning of so many characters, where it is longer. */
export function clipped(text: Words, most: number): Words {
  const { start, size, name }: Ends =
    typeof text === 'string' ? { start: text, size: text.length } : text;
  return start.length <= most ? text : { start: start.slice(0, most), size, name };
}

/** What a call has given, or why it has failed, in at most so many characters. */
export const resultText = ({ ok, value, about, error }: CallResult, most: number): string =>
  wordsText(clipped(about ?? (ok ? stringify(value ?? null) : reasonIn(error)), most));

/** An error as its parts, or as words alone. */
function reasonIn(error: unknown): string {
  if (typeof error === 'string') return error;
  const { code, message } = Object(error);
  const isPlain = typeof code === 'string' && typeof message === 'string';
  return isPlain ? `${code}: ${message}` : stringify(error ?? 'no reason was given');
}

/**
 * Marks of what was shown last of each variable, by its name as written. A result that was shown
 * whole has shown its variable, too.
 */
export function shownIn(entries: readonly Entry[]): ReadonlyMap<string, string> {
  return new Map(entries.flatMap(shownBy));
}

function shownBy(entry: Entry): readonly (readonly [name: string, mark: string])[] {
  if (entry.is === 'turn') return Object.entries(entry.shown);
  if (entry.is !== 'results') return [];
  return entry.calls.flatMap(({ into, ok, value, about }) => {
    if (!into || !ok || about) return [];
    const text = stringify(value ?? null);
    return text.length <= resultMax ? [[into, markOf(`${into} = ${text}`)]] : [];
  });
}

const markMax = 80;

/** What a line is recognised by; of a long one the hash is enough. */
export function markOf(line: string): string {
  return line.length > markMax ? sha256(line) : line;
}
