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
  const [time = ''] = within.test(said) ? [] : (within.exec(written) ?? []);
  const whom = step.waits === 'meeting' ? 'meeting' : written.replace(within, '');
  return `${said || whom} ${time}`.trim();
}

const within = /\bwithin\b.*$/is;

/**
 * A text is what is wrong: *got X, want Y*. A variable stands for words for a time, which `read`
 * resolves.
 */
export function waiting(
  part: YieldPart,
  read: (term: Term) => NonNullable<YieldPart['time']>,
): YieldPart | string {
  const { for: reason } = part;
  const isTimed = reason === 'timer' || reason === 'user';
  const [limit = ''] = isTimed ? [part.whom] : (within.exec(part.whom) ?? []);
  const time = limit.replace(/^\s*(?:within|until|till)\b/i, '').trim();
  const whom = reason === 'event' ? part.whom.replace(within, '').trim() : part.whom;
  if (reason === 'timer' ? time.includes('$') : ofVariable.test(limit)) {
    if (reason !== 'agent') return { ...part, whom, time: read(textTerm(time)) };
    const got = JSON.stringify(part.whom);
    return `got the time ${got}, want a number there, such as {"yield":"meeting within 5 minutes"}`;
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
