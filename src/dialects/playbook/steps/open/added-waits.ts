/** What steps of a model wait for that the line does not say: another event, or another time. */
import { secondsIn, unitIn } from '../../text/spans.ts';
import { waitIn } from '../step-text.ts';
import { isEvent } from '../triggers/events.ts';
import { constantsIn, type Words } from './words.ts';

/** One sentence, where the wait `text` is for something else than its line. */
export function addedWait(
  text: string,
  words: Words,
  events: readonly string[],
): string | undefined {
  const { waits, whom = '' } = waitIn(text);
  const [what = '', time = ''] = waits === 'timer' ? ['', whom] : whom.split(limit);
  if (waits === 'event' && !words.say(what) && !isEvent(what.trim(), events)) {
    return `got YLD ${text}, want an event that the line or a trigger names`;
  }
  return isTimeOf(time, words) ? undefined : `got YLD ${text}, want a time that the line says`;
}

const limit = /\b(?:within|until)\b/i;

/** `30 minutes` of half an hour, `7 minutes` of 5 to 10 of them, or of a few. */
function isTimeOf(time: string, words: Words): boolean {
  const seconds = secondsIn(time);
  if (seconds === undefined) return constantsIn(time).every((one) => words.say(one));
  if (words.say(time) || seconds === secondsIn(words.line)) return true;
  const unit = unitIn(time);
  if (unit === undefined || unit !== unitIn(words.line)) return false;
  const { numbers } = words;
  const count = seconds / unit;
  return numbers.length === 0 || (Math.min(...numbers) <= count && count <= Math.max(...numbers));
}
