/** Events that a program may be told of, and which lines that wait are for one. */
import type { TriggerCode } from '../../compiled/compiled.ts';
import { clockOf } from '../../text/times.ts';
import { triggerOf } from './trigger.ts';

/** As a file has it, or as it is compiled. */
export interface Triggered {
  readonly text: string;
  readonly code?: TriggerCode;
}

/** What triggers for events say of them. */
export const eventsOf = (triggers: readonly Triggered[]): readonly string[] =>
  triggers.flatMap(({ text, code }) => {
    const place = { line: 1, column: 1 };
    const read = code ? { code, text } : triggerOf({ text, place, children: [] }, 0);
    return read.code === 'EVT' && clockOf(read.text) === undefined ? [read.text] : [];
  });

/** Whether that is what is waited for: said to be an event, or one that a trigger is for, too. */
export function isEvent(waited: string, events: readonly string[]): boolean {
  const bare = waited.replace(/^(?:(?:the|an?|any|another|next)\s+)+/i, '');
  if (said.test(bare)) return true;
  return events.some((text) => isNamed(bare, text) || isNamed(nameIn(text), waited));
}

const said = /\b(?:events?|webhooks?|signals?)\b/i;

/** `paid` of `When the event paid arrives`. */
const nameIn = (text: string): string =>
  /\bevent\s+(?:(?:named|called)\s+)?(.+?)(?:\s+(?:\p{L}+s|is|has|was)(?!\p{L}).*)?[.!]?$/iu.exec(
    text,
  )?.[1] ?? '';

/** As the loop finds the name of an event in what waits for it: as whole words. */
function isNamed(name: string, within: string): boolean {
  const [key, all] = [wordsOf(name).join(''), wordsOf(within)];
  return (
    key !== '' &&
    all.some((_, first) => {
      let run = '';
      for (const word of all.slice(first)) {
        if (run.length >= key.length) break;
        run += word;
      }
      return run === key;
    })
  );
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s_\-.,;:/()"'`]+/)
    .filter((one) => one !== '');
