/** What a reply waits for, with the time that it names. */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { untilIn } from '../../../../dialects/playbook/text/moments.ts';
import { secondsIn } from '../../../../dialects/playbook/text/spans.ts';
import type { YieldPart } from '../../parts.ts';
import { type Term, textTerm } from '../../reply/term.ts';

/** Whom or how long: what the reply says, and of the line what it leaves out. */
export function waitedFor(said: string, step: Step | undefined): string {
  const written = step?.whom ?? '';
  const isNamed = step?.waits === 'meeting' || step?.waits === 'event';
  if (!isNamed) return said || written;
  const [time = ''] = limited.test(said) ? [] : (limited.exec(written) ?? []);
  const whom = step.waits === 'meeting' ? 'meeting' : written.replace(limited, '');
  return `${said || whom} ${time}`.trim();
}

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
  const [limit = ''] = isWhole ? [part.whom] : (limited.exec(part.whom) ?? []);
  const time = limit.replace(/^\s*(?:within|until|till)\b/i, '').trim();
  const whom = reason === 'event' ? part.whom.replace(limited, '').trim() : part.whom;
  if (reason === 'timer' ? time.includes('$') : ofVariable.test(limit)) {
    return { ...part, whom, time: read(textTerm(time)) };
  }
  const seconds = secondsIn(time);
  if (seconds !== undefined) return { ...part, whom, seconds };
  const due = untilIn(time);
  if (due) return { ...part, whom, due };
  const got = time === '' ? 'nothing' : JSON.stringify(part.whom);
  if (reason === 'timer') {
    return `got a timer for ${got}, want a time, such as {"yield":"timer 30 seconds"}`;
  }
  if (reason === 'event' && whom === '') {
    return 'got an event without a name, want the one by which it is told: {"yield":"event paid"}';
  }
  const isLimit = /^\s*within\b/i.test(limit);
  return isLimit ? `got ${got}, want a time that can be read, such as within 5 minutes` : part;
}

const ofVariable = new RegExp(
  String.raw`^\s*(?:within|until|till)\s.*\$|` +
    String.raw`\$[\p{L}_]\p{XIDC}*\s*(?:seconds?|minutes?|hours?|days?|weeks?)\b`,
  'iu',
);
