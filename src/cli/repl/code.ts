/** Entries of Starlark at the prompt: what they show, and what has become of them. */
import type { Entries } from '../../agent/thread/entries.ts';
import { render, renderAll } from '../../dialects/diagnostic.ts';
import { valueChannel } from '../../dialects/starlark/entry.ts';
import type { WatchEvent } from '../../engine/events.ts';
import { str } from '../../machine/values/text.ts';
import { decode, stringify, textOf, toJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { clip, duration, oneLine, withoutControls } from '../../text/words.ts';
import { flagged, withFlags } from '../advice.ts';
import { isColoured, print, say, styleOf } from '../view/output.ts';

export class EntryView {
  readonly #isQuiet: boolean;
  #shown: string[] = [];

  constructor(isQuiet: boolean) {
    this.#isQuiet = isQuiet;
  }

  /** Runs an entry. `shown`: what it has shown, line by line; of one that failed, why. */
  async enter(
    entries: Entries,
    text: string,
  ): Promise<{ readonly ok: boolean; readonly shown: string }> {
    this.#shown = [];
    let problems = '';
    const end = await entries.enter(text, ({ diagnostics, file }) => {
      const textIn = (color: boolean): string =>
        renderAll(diagnostics.map(flagged), text, { file, color }).trimEnd();
      if (diagnostics.length > 0) say(textIn(isColoured(process.stderr)));
      problems = textIn(false);
    });
    if (!end) return { ok: false, shown: problems };
    if (end.status === 'done') return { ok: true, shown: this.#shown.join('\n') };
    if (end.status === 'stopped') {
      say(styleOf(process.stderr).warning(withFlags(end.message)));
      return { ok: false, shown: end.message };
    }
    const { error } = end;
    const place = entries.placeOf(error);
    const color = isColoured(process.stderr);
    say(render({ ...flagged(error), step: '' }, place.text, { file: place.file, color }));
    return { ok: false, shown: `${error.code}: ${error.message}` };
  }

  show(event: WatchEvent): void {
    const style = styleOf(process.stderr);
    switch (event.type) {
      case 'message.emitted':
        this.#showMessage(event.channel, decode(event.value));
        return;
      case 'effect.settled':
        for (const warning of event.warnings ?? []) say(style.warning(oneLine(warning)));
        if (!event.outcome.ok || this.#isQuiet) return;
        say(style.dim(`✔ ${event.tool} ${duration(event.at - event.startedAt)}`));
        return;
      case 'effect.unknown':
        say(style.warning(`nobody knows whether ${event.tool} took effect: ${event.why}`));
        return;
      default:
    }
  }

  #showMessage(channel: string, value: Value): void {
    const text = withoutControls(textOf(value));
    if (channel === valueChannel && text === 'None') return;
    this.#shown.push(text);
    if (channel === valueChannel) print(text);
    else if (channel === 'answer') {
      print(typeof value === 'string' ? text : stringify(toJson(value), 2));
    } else say(text);
  }
}

const shownColumns = 80;

/** More than a line shows; a value that is larger is cut behind it. */
const shownBytes = 2 ** 24;

/** A variable as a list of them shows it. */
export function shownValue(value: Value, entries: Entries): string {
  if (typeof value === 'object' && value?.kind === 'function') return entries.signature(value);
  return clip(oneLine(str(value, { valueBytes: shownBytes })), shownColumns);
}
