/** What steps of a model wait for that the line does not say: another event, or another time. */
import { secondsIn, unitIn } from '../../text/spans.ts';
import { waitIn } from '../step-text.ts';
import { isEvent } from '../triggers/events.ts';
import type { Words } from './words.ts';

/** One sentence, where the wait `text` is for something else than its line. */
export function addedWait(
  text: string,
  words: Words,
  events: readonly string[],
): string | undefined {
  const { waits, whom = '' } = waitIn(text);
  const [what = '', time = ''] = waits === 'timer' ? ['', whom] : whom.split(limit);
  if (waits === 'event' && !words.isNear(what) && !isEvent(what.trim(), events)) {
    return `got YLD ${text}, want an event that the line or a trigger names`;
  }
  return isTimeOf(time, words) ? undefined : `got YLD ${text}, want a time that the line says`;
}

const limit = /\b(?:within|until)\b/i;

const units = '(?:second|minute|hour|day|week)';
const days = '(?:(?:sun|mon|tues|wednes|thurs|fri|satur)day)';

/** `30 minutes` of half an hour, `7 minutes` of 5 to 10 of them, `until 17:00` of till 5 pm. */
function isTimeOf(time: string, words: Words): boolean {
  if (time === '' || words.say(time)) return true;
  const { line, numbers } = words;
  const seconds = secondsIn(time);
  if (seconds !== undefined && seconds === secondsIn(line)) return true;
  // How long a moment is, or when the morning begins, may be said in numbers.
  if (numbers.length === 0) return !/\d/.test(time) || spoken.test(line);
  if (seconds === undefined) return (time.match(/\d+/g) ?? []).every((one) => isHour(+one, words));
  const unit = unitIn(time);
  if (unit === undefined || unit !== unitIn(line)) return false;
  const count = seconds / unit;
  return Math.min(...numbers) <= count && count <= Math.max(...numbers);
}

/** Of a time of the day: as the line has it, of twice twelve hours, or a quarter of one. */
const isHour = (number: number, { numbers }: Words): boolean =>
  [number, number - 12].some((one) => numbers.includes(one)) || [0, 15, 30, 45].includes(number);

const spoken = new RegExp(
  `\\b(?:moments?|a while|a bit|a little|${units}s?|fortnight|weekend|month|year|noon|midday|` +
    `midnight|(?:over|to)?night|morning|afternoon|evening|to(?:day|morrow)|later|${days})\\b`,
  'i',
);
