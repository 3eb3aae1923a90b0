/** What a reply waits for, with the time that it names. */
import type { Step } from '../../../dialects/playbook/compiled/compiled.ts';
import { momentsIn } from '../../../dialects/playbook/text/moments.ts';
import { secondsIn } from '../../../dialects/playbook/text/times.ts';
import type { YieldPart } from '../parts.ts';

/** Whom or how long: what the reply says, and of the line what it leaves out. */
export function waitedFor(said: string, step: Step | undefined): string {
  const written = step?.whom ?? '';
  if (step?.waits !== 'meeting') return said || written;
  const [time = ''] = within.test(said) ? [] : (/\bwithin\b.*$/is.exec(written) ?? []);
  return `${said || 'meeting'} ${time}`.trim();
}

const within = /\bwithin\b/i;
/** A variable in the place of a number: what it is worth, a reply has to say. */
const ofVariable = /\$[\p{L}_]\p{XIDC}*\s*(?:seconds?|minutes?|hours?|days?|weeks?)\b/iu;

/** A text is what is wrong: *got X, want Y*. */
export function waiting(part: YieldPart): YieldPart | string {
  const isTimed = part.for === 'timer' || part.for === 'user' || within.test(part.whom);
  if (isTimed && ofVariable.test(part.whom)) {
    const got = JSON.stringify(part.whom);
    return `got the time ${got}, want a number there, such as {"yield":"timer 30 seconds"}`;
  }
  const seconds = isTimed ? secondsIn(part.whom) : undefined;
  if (part.for === 'timer' && seconds === undefined) {
    const due = momentsIn(part.whom.replace(/^\s*(?:until|till)\s+/i, ''));
    if (due) return { ...part, due };
    const got = part.whom === '' ? 'nothing' : JSON.stringify(part.whom);
    return `got a timer for ${got}, want a time, such as {"yield":"timer 30 seconds"}`;
  }
  return seconds === undefined ? part : { ...part, seconds };
}
