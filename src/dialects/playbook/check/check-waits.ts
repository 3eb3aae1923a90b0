/** Triggers and meetings that will not come about as they are written. */
import { namePattern } from '../../../program/name.ts';
import type { CompiledFile, CompiledPlaybook } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { error, type Report, warn } from '../report.ts';
import { zoneProblem } from '../source/manner.ts';
import { meetingOf } from '../source/meeting.ts';
import type { Names } from '../steps/names/names.ts';
import { isOpenWait } from '../steps/statements/wait-lines.ts';
import { untilIn } from '../text/moments.ts';
import { clockOf, isAboutTime } from '../text/times.ts';

/** Times that cannot be read, and events that nobody but a message tells of. */
export function checkTimes({ name, triggers }: CompiledPlaybook, report: Report): void {
  for (const { code, condition, id, names, place, text } of triggers) {
    if (code === 'BGN' || condition !== undefined || names.length > 0) continue;
    const clock = clockOf(text);
    const step = `${name}:${id}`;
    const wrong = clock?.kind === 'at' && clock.zone && zoneProblem(clock.zone);
    if (wrong) error(report, 'unknownZone', place, wrong, { step });
    if (clock) continue;
    if (isAboutTime(text)) {
      const message = `got "${text}", want a time: it is held against messages alone`;
      const hint =
        'such as After 5 minutes, Every 2 hours, Every Monday at 9:00, On weekdays at 18:30 in ' +
        'Europe/Berlin, Before the program ends';
      warn(report, 'unreadTime', place, message, { step, hint });
    } else if (code === 'EVT' && unseen.test(text)) {
      const message = `got "${text}", which nothing here watches for: it has to be told`;
      const hint = 'tell it with planvm answer RUN \'{"event": "name", "data": …}\' while it waits';
      warn(report, 'untoldEvent', place, message, { step, hint });
    }
  }
}

/** Times that lines wait for: by whose clocks, and those that cannot be read. */
export function checkPauses({ name, steps }: CompiledPlaybook, report: Report): void {
  for (const one of flatSteps(steps)) {
    const { number, place, waits, whom = '' } = one;
    const step = `${name}:${number}`;
    const isTimed = waits === 'timer' || waits === 'user' || waits === 'meeting';
    const moments = isTimed ? untilIn(whom) : undefined;
    const wrong = moments?.zone && zoneProblem(moments.zone);
    if (wrong) error(report, 'unknownZone', place, wrong, { step });
    const open = isOpenWait(one) ? one.text.replace(waitHead, '') : undefined;
    const meant = open ?? (waits === 'event' ? whom.replace(/\s*\bwithin\b.*$/is, '') : '');
    if (!(isAboutTime(meant) || ofTime.test(meant))) continue;
    const becomes = open === undefined ? 'an event of that name is waited for' : left;
    const message = `got "${meant}", want a time: ${becomes}`;
    const hint =
      'such as Wait 5 minutes, Wait until 17:30, Wait until Monday at 9:00 in Europe/Berlin, ' +
      'Wait until tomorrow, Wait until 2026-12-24, Wait until $time';
    warn(report, 'unreadTime', place, message, { step, hint });
  }
}

const left = 'how long is left to a model';

/** What stands before a time in a line that waits. */
const waitHead = /^\p{L}+\s+(?:(?:for|until|till)\s+)?|[.!]\s*$/giu;

/** Words for times, and a variable alone, of which nobody tells. */
const ofTime = new RegExp(
  '\\b(?:to(?:day|morrow|night)|noon|midnight|morning|afternoon|evening|night|' +
    "o'clock|half past|quarter (?:past|to)|[ap]m|" +
    '(?:next|this|following|end of the|before|after)\\s+(?:minute|hour|day|week|month|year)|' +
    '(?:sun|mon|tues|wednes|thurs|fri|satur)day|' +
    '(?:\\d{1,2}(?:st|nd|rd|th)?\\s+)?(?:january|february|march|april|june|july|august|' +
    'september|october|november|december)|' +
    '\\d+\\s+(?:minutes?|hours?|days?|weeks?|months?|years?)|' +
    '(?:few|several|some|many|couple of)\\s+(?:more\\s+)?' +
    '(?:seconds|minutes|hours|days|weeks|months|years)|' +
    '(?:minutes?|hours?|days?|weeks?)\\s+(?:before|prior))\\b|' +
    `^\\$${namePattern}$|^\\d{1,4}[./-]\\d`,
  'iu',
);

const unseen = /\b(?:files?|webhooks?|upload\w*|folders?|mails?|e-mails?)\b/i;

/** Names of those who are to attend that nobody has. */
export function checkMeeting(
  playbook: CompiledPlaybook,
  { agents }: CompiledFile,
  { others }: Names,
  report: Report,
): void {
  const meeting = meetingOf(playbook);
  if (!meeting) return;
  const all = ['User', ...agents.map(({ name }) => name), ...others.values()];
  const known = new Set(all.map(nameOf));
  for (const one of [...meeting.required, ...meeting.optional]) {
    if (known.has(nameOf(one))) continue;
    const message = `got ${one} to attend, which is no agent of the file`;
    const hint = `those there are: ${[...new Set(all)].join(', ')}`;
    warn(report, 'unknownAttendee', playbook.place, message, { step: playbook.name, hint });
  }
}

/** `agent Bike desk`, `BikeDesk` and `bike_desk` are one, as they are where they are spoken to. */
const nameOf = (written: string): string =>
  written
    .toLowerCase()
    .replace(/^\s*(?:the\s+)?(?:agent\s+)?/, '')
    .replace(/[\s_-]/g, '');
