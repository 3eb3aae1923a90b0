/** What a program says while it runs, to whom it talks with: its output, where stdout is free. */
import type { WatchEvent } from '../../engine/events.ts';
import { decode, textOf, toJson } from '../../program/json.ts';
import type { View } from './live.ts';
import { print } from './output.ts';
import { withoutControls } from './text.ts';

export interface SaidFlags {
  readonly json?: boolean;
  readonly events?: boolean;
}

/** Whether an event is a message that a view shows: answers and what is said have their place. */
export const isNote = (event: WatchEvent): boolean =>
  event.type === 'message.emitted' && event.channel !== 'answer' && event.channel !== 'say';

/** On stdout; on stderr where stdout has the result as a document. */
export function sayAloud(event: WatchEvent, view: View, { json, events }: SaidFlags): void {
  if (event.type !== 'message.emitted' || event.channel !== 'say') return;
  const text = saidText(event.value);
  if (json || events) {
    view.note(text);
    return;
  }
  view.hold?.();
  print(text);
  view.go?.();
}

/** `Clara: Hello` where it is for somebody by name. */
function saidText(value: string): string {
  const decoded = decode(value);
  const data = toJson(decoded);
  const isFor = typeof data === 'object' && data !== null && 'to' in data && 'text' in data;
  return withoutControls(isFor ? `${data.to}: ${data.text}` : textOf(decoded));
}
