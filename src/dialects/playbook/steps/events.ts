/** Events that a program may be told of, and which lines that wait are for one. */
import type { TriggerCode } from '../compiled/compiled.ts';
import { clockOf } from '../text/times.ts';
import { articles, asHappens, triggerOf } from './trigger.ts';

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

/**
 * Whether a trigger is for an event that it names, and for nothing else: who tells the program of
 * that says its name, and nothing that a person writes is it.
 */
export const isOfEvent = (text: string): boolean => named.some((form) => form.test(text.trim()));

const kind = '(?:events?|webhooks?|[ée]v[éè]nements?)';

/** A word of a name: what says which, or goes on to something else, is none. */
const word =
  '(?!(?:the|an?|any|each|every|another|some|new|next|messages?|and|or|if|when|that|which|is|in|' +
  'it|they|he|she|we|you|i|named|called)\\s)[^\\s,;]+';

const name = `${word}(?:\\s+${word}){0,3}?`;
const nameBehind = `${kind}:?\\s+(?:(?:named|called)\\s+)?${name}`;
const nameInFront = `${name}\\s+${kind}`;

const comes =
  '(?:arrives?|comes?(?:\\s+in)?|occurs?|happens?|fires|received|survient|est\\s+reçue?|' +
  'has\\s+(?:arrived|come|occurred|happened)|' +
  '(?:is|was|gets|has been)\\s+(?:received|told|sent|raised|emitted|fired|triggered|published))';

const named: readonly RegExp[] = [
  `${asHappens}${articles}(?:${nameBehind}|${nameInFront})\\s+${comes}`,
  `(?:on|upon)\\s+(?:receiving\\s+)?${articles}(?:${nameBehind}|${nameInFront})`,
].map((form) => new RegExp(`^${form}\\s*[.!]?$`, 'iu'));

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
