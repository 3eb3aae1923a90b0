/** What a program says while it runs, to whom it talks with: its output, where stdout is free. */
import type { WatchEvent } from '../../engine/events.ts';
import type { RunHandle } from '../../engine/run-options.ts';
import { decode, textOf, toJson } from '../../program/json.ts';
import { withoutControls } from '../../text/words.ts';
import { Aloud } from './aloud.ts';
import { print } from './output.ts';
import type { View } from './view.ts';

export interface SaidFlags {
  readonly json?: boolean;
  readonly events?: boolean;
  readonly quiet?: boolean;
}

/**
 * For what is said while it is still written. Where stdout has a document, or is not for whoever
 * is talked with, it is told once it is whole.
 */
export const aloudFor = (flags: SaidFlags & { readonly remote?: object }): Aloud | undefined =>
  flags.json || flags.events || flags.remote ? undefined : new Aloud();

/** Whether an event is a message that a view shows: answers and what is said have their place. */
export const isNote = (event: WatchEvent): boolean =>
  event.type === 'message.emitted' && event.channel !== 'answer' && event.channel !== 'say';

/**
 * On stdout; on stderr where stdout has the result as a document. Gives what somebody at the
 * terminal has read of it.
 */
export function sayAloud(
  event: WatchEvent,
  view: View,
  flags: SaidFlags,
  aloud?: Aloud,
): string | undefined {
  if (event.type !== 'message.emitted' || event.channel !== 'say') return undefined;
  const text = saidText(event.value);
  if (flags.json || flags.events) {
    view.note(text);
    return flags.quiet ? undefined : text;
  }
  if (aloud) aloud.whole(text);
  else {
    view.hold?.();
    print(text);
    view.go?.();
  }
  return process.stdout.isTTY ? text : undefined;
}

/** Gives what was said last, from now on; undefined while nothing was. */
export function lastSaid({ subscribe }: Pick<RunHandle, 'subscribe'>): () => string | undefined {
  let last: string | undefined;
  subscribe((event) => {
    if (event.type === 'message.emitted' && event.channel === 'say') last = saidText(event.value);
  });
  return () => last;
}

/** `Clara: Hello` where it is for somebody by name. */
function saidText(value: string): string {
  const decoded = decode(value);
  const data = toJson(decoded);
  const isFor = typeof data === 'object' && data !== null && 'to' in data && 'text' in data;
  return withoutControls(isFor ? `${data.to}: ${data.text}` : textOf(decoded));
}
