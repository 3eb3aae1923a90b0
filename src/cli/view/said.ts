/** What a program says while it runs, to whom it talks with: its output, where stdout is free. */
import type { WatchEvent } from '../../engine/events.ts';
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
export const aloudFor = (flags: SaidFlags): Aloud | undefined =>
  flags.json || flags.events ? undefined : new Aloud();

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
  const text = saidIn(event);
  if (text === undefined) return undefined;
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

/** What an event says to whom a program talks with; undefined for other events. */
export const saidIn = (event: WatchEvent): string | undefined =>
  event.type === 'message.emitted' && event.channel === 'say' ? saidText(event.value) : undefined;

/** `Clara: Hello` where it is for somebody by name. */
function saidText(value: string): string {
  const decoded = decode(value);
  const data = toJson(decoded);
  const isFor = typeof data === 'object' && data !== null && 'to' in data && 'text' in data;
  return withoutControls(isFor ? `${data.to}: ${data.text}` : textOf(decoded));
}
