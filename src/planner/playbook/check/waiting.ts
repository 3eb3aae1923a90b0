/** What a reply waits for, with the time that it names. */
import type { Step } from '../../../dialects/playbook/compiled/compiled.ts';
import { untilIn } from '../../../dialects/playbook/text/moments.ts';
import { secondsIn } from '../../../dialects/playbook/text/times.ts';
import type { YieldPart } from '../parts.ts';
import { type Term, textTerm } from '../reply/term.ts';

/** Whom or how long: what the reply says, and of the line what it leaves out. */
export function waitedFor(said: string, step: Step | undefined): string {
  const written = step?.whom ?? '';
  const isNamed = step?.waits === 'meeting' || step?.waits === 'event';
  if (!isNamed) return said || written;
  const isMeeting = step.waits === 'meeting';
  const bound = isMeeting ? limited : within;
  const [time = ''] = bound.test(said) ? [] : (bound.exec(written) ?? []);
  const whom = isMeeting ? 'meeting' : written.replace(within, '');
  return `${said || whom} ${time}`.trim();
}

const within = /\bwithin\b.*$/is;
const limited = /\b(?:within|until|till)\b.*$/is;

/**
 * A text is what is wrong: *got X, want Y*. A variable stands for words for a time, which `read`
 * resolves.
 */
export function waiting(
  part: YieldPart,
  read: (term: Term) => NonNullable<YieldPart['time']>,
): YieldPart | string {
  const { for: reason } = part;
  const isWhole = reason === 'timer' || reason === 'user';
  const isTimed = isWhole || /^meeting\b/i.test(part.whom);
  const [limit = ''] = isWhole ? [part.whom] : ((isTimed ? limited : within).exec(part.whom) ?? []);
  const time = limit.replace(/^\s*(?:within|until|till)\b/i, '').trim();
  const whom = reason === 'event' ? part.whom.replace(within, '').trim() : part.whom;
  if (reason === 'timer' ? time.includes('$') : ofVariable.test(limit)) {
    return { ...part, whom, time: read(textTerm(time)) };
  }
  const seconds = secondsIn(time);
  if (seconds !== undefined) return { ...part, whom, seconds };
  const due = isTimed ? untilIn(time) : undefined;
  if (due) return { ...part, whom, due };
  if (reason !== 'timer') return part;
  const got = time === '' ? 'nothing' : JSON.stringify(part.whom);
  return `got a timer for ${got}, want a time, such as {"yield":"timer 30 seconds"}`;
}

const ofVariable = new RegExp(
  String.raw`^\s*(?:within|until|till)\s.*\$|` +
    String.raw`\$[\p{L}_]\p{XIDC}*\s*(?:seconds?|minutes?|hours?|days?|weeks?)\b`,
  'iu',
);
