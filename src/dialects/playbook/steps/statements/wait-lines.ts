/** Lines that wait: for a person, for another agent, for a time, for something to happen. */
import { namePattern } from '../../../../program/name.ts';
import type { Step } from '../../compiled/compiled.ts';
import type { Place } from '../../source/tree.ts';
import { conditionsBehind, isOfMessage } from '../../text/conditions-behind.ts';
import { untilIn } from '../../text/moments.ts';
import { countIn, isForReplies } from '../../text/replies.ts';
import { spanForm, unitForm } from '../../text/spans.ts';
import { stateNames } from '../../text/variables.ts';
import * as words from '../../text/words.ts';
import { type Draft, draft, jump } from '../draft.ts';
import { agentIn } from '../names/agent-lines.ts';
import type { Names } from '../names/names.ts';
import { isEvent } from '../triggers/events.ts';

/**
 * What waits, and behind it what becomes of what was waited for. `text` begins with `Wait`.
 * Undefined where its words name nobody, no time, and nothing that a program is told of: they may
 * mean a person, a pause or nothing at all, `Wait for the oven to be hot`, `Pause for effect`.
 */
export function waitDrafts(text: string, place: Place, names: Names): Draft[] | undefined {
  const { times, once } = countIn(text) ?? {};
  if (times !== undefined && once !== undefined) {
    const [wait, ...more] = waitDrafts(once, place, names) ?? [];
    if (!wait || more.length > 0 || !isOfOne(wait, names)) return undefined;
    return [draft('LOP', times, place, [wait, jump({ to: 'head' }, place)])];
  }
  const reason = isPerhaps(text) || isForReplies(text) ? undefined : waitFor(text, names);
  if (reason === undefined) return undefined;
  const isUser = /^for user\b/.test(reason);
  const wait: Draft = {
    ...draft('YLD', reason, place),
    ...(isUser && !words.namedPerson.test(text) && { isForAnyone: true }),
  };
  const heard = isUser ? heardIn(text) : [];
  // Which of them has it, nobody knows before.
  if (heard.length > 1 && /\$\S+\s+or\s/i.test(text)) return undefined;
  if (heard.length > 0) {
    const taken = heard.map((name) => draft('EXE', `${name} = ${saidBy('the user')}`, place));
    return [wait, ...taken];
  }
  const [, until] = /^\p{L}+\s+until\s+(.+)$/isu.exec(text) ?? [];
  if (reason !== 'for user' || isPlain(text)) return [wait];
  if (until === undefined) return [{ ...wait, text: `${reason}; ${text}` }];
  const body = [wait, jump({ to: 'head' }, place)];
  return [draft('LOP', `Until ${until}`, place, body)];
}

/** Whether it waits only in some case, which nobody can tell from what is waited for. */
const isPerhaps = (text: string): boolean =>
  conditionsBehind(text).some(
    (one) => /\b(?:if|unless|in case)\s/i.test(one.by) && !isOfMessage(one),
  );

/** Of several who are asked at the same time, all answers are waited for at once. */
const isOfOne = ({ text }: Draft, { others, people }: Names): boolean =>
  !/^for user/.test(text) || others.size + people.size === 0;

/** What a variable takes that a line waits for: `Wait for the answer as $x`. */
export const saidBy = (whom: string): string => `what ${whom} has said`;

/** Whether a line waits that its words leave open, for whatever a model takes them for. */
export const isOpenWait = ({ isAmbiguous, text }: Pick<Step, 'isAmbiguous' | 'text'>): boolean =>
  isAmbiguous === true && words.waitWord.test(text);

/** `5 minutes`, `$n seconds`, `an hour`. */
const timeForm = new RegExp(`(?:\\$${namePattern}\\s+${unitForm}|${spanForm})`, 'iu');

/** Time before something is no time to wait for. */
const ahead = new RegExp(`${timeForm.source}\\s+(?:before|prior|avant)\\b`, 'iu');

const atMost = new RegExp(
  `\\s*,?\\s*(?:\\b(?:(?:but|and)\\s+)?(?:for\\s+)?` +
    '(?:up to|at most|within|not? (?:more|longer) than|a maximum of)\\s+)' +
    `(${timeForm.source})`,
  'iu',
);

const limits = /\b(?:at (?:the )?most|maximum|max|or less)\W*$/i;

/** What stands before whom an answer is waited for from. */
const whomForms = [
  /^\p{L}+\s+.*\b(?:from|(?:answers?|replies|reply|messages?|word)\s+of)\s+/iu,
  /^\p{L}+\s+(?:for|until|on)\s+/iu,
  /^\p{L}+\s+.*?\sfor\s+/iu,
];

function waitFor(text: string, names: Names): string | undefined {
  const [, whom] = /\bagent\s+(\p{XIDC}+)/iu.exec(text) ?? [];
  if (whom !== undefined) return `for agent ${whom}`;
  const [other] = whomForms.flatMap((form) => agentIn(text.replace(form, 'for '), names) ?? []);
  if (other !== undefined) {
    if (isWithOthers(text, names)) return undefined;
    const [, most] = atMost.exec(text) ?? [];
    return `for agent ${other}${most === undefined ? '' : ` within ${most}`}`;
  }
  const [, moment] = /^\p{L}+\s+(?:(?:for|until|till)\s+)?(.+)$/isu.exec(text) ?? [];
  if (moment === undefined) return 'for user';
  if (ahead.test(moment)) return undefined;
  const [time] = timeForm.exec(text) ?? [];
  const limit = time === undefined ? '' : ` within ${time}`;
  const [, until = ''] = /\s(?:until|till)\s+(.+?)(?:\s+for\s+.+)?$/isu.exec(text) ?? [];
  const bound = limit === '' && isMoment(until) ? ` until ${until}` : limit;
  if (/\bmeeting\b/i.test(text)) return `for meeting${bound}`;
  if (results.test(text)) return 'for call';
  if (isOfPerson(text)) return isOfSeveral(text, names) ? undefined : `for user${bound}`;
  const [bounds = '', most] = atMost.exec(text) ?? [];
  const isUntil = bound.startsWith(' until');
  const rest = isUntil ? text.replace(untilPart, '') : text.replace(bounds, '');
  const [, event] = /^\p{L}+\s+(?:for|until|till)\s+(.+)$/iu.exec(rest) ?? [];
  const named = event?.replace(/^(?:the\s+)?event\s+(?=\S)/i, '');
  if (named !== undefined && time === undefined && notOne.test(named)) return undefined;
  if (named !== undefined && noName.test(named)) return undefined;
  if (named !== undefined && isUntil) return `for event ${named}${bound}`;
  if (named !== undefined && most !== undefined) return `for event ${named} within ${most}`;
  if (isUntil) return `for timer ${until}`;
  if (/\bor\s+(?:until|till|when|if|as soon as)\b/i.test(text)) return undefined;
  const isLimit = most !== undefined || limits.test(text);
  if (time !== undefined && !isTimeAlone(text, time)) return undefined;
  if (time !== undefined) return `for timer ${isLimit ? 'within ' : ''}${time}`;
  if (event === undefined || named === undefined) return undefined;
  if (isMoment(named)) return `for timer ${named}`;
  return isEvent(event, names.events) ? `for event ${named}` : undefined;
}

/** Whether nothing else is said of how long: no `5 to 10 minutes`, `5 minutes (10 on Sundays)`. */
const isTimeAlone = (text: string, time: string): boolean =>
  !/[\p{L}\p{N}$]/u.test(
    text
      .replace(time, '')
      .replace(/[,;.].*$/s, '')
      .replace(purpose, '')
      .replace(ofTime, ''),
  );

/** `for the oven to heat`. */
const purpose = /\sfor\s.+\sto\s\p{Ll}+.*$/su;

const ofTime = new RegExp(
  '^\\p{L}+|(?<!\\p{L})(?:for|up to|at most|at the most|at least|within|maximum|max|of|about|' +
    'around|' +
    'approximately|exactly|another|just|only|or (?:less|so)|please|again|here|now|then|' +
    'not? (?:more|longer) than|a|pendant|environ|encore)(?!\\p{L})',
  'giu',
);

/** Of several events, or one that is waited for only sometimes, a step cannot say which. */
const notOne = /(?<!\p{L})(?:or|and|unless|if)(?!\p{L})/iu;

/** Of which event nothing is said. */
const noName = /^(?:(?:an?|any|some|the|another)\s+(?:\p{L}+\s+)?)?events?$/iu;

const untilPart = /\s+(?:until|till)\s+.+?(?=\s+for\s|$)/isu;

const isOfPerson = (text: string): boolean =>
  words.personWord.test(text) ||
  answers.test(text) ||
  (isPlain(text) && /\b(?:messages?|questions?|something|anything)\b/i.test(text));

/** `Wait for the user or Ann`. */
function isOfSeveral(text: string, names: Names): boolean {
  const parts = text.split(/,?\s+(?:and|or)\s+/i);
  return parts.length > 1 && parts.some((part) => isNamed(part, names));
}

/** `Wait for Ann or the user`, `Wait for Ann or 5 minutes`. */
function isWithOthers(text: string, names: Names): boolean {
  const [, ...parts] = text.split(/,?\s+(?:and|or)\s+/i);
  return parts.some(
    (part) => isNamed(part, names) || words.namedPerson.test(part) || timeForm.test(part),
  );
}

const isNamed = (part: string, { others, people }: Names): boolean =>
  (part.match(/\$?\p{XIDC}+/gu) ?? []).some((word) => people.has(word) || others.has(word));

/** Also of a variable that is called as times are. */
const isMoment = (text: string): boolean => untilIn(text) !== undefined || timeNamed.test(text);

const timeNamed =
  /^\$(?:\p{XIDC}*_)?(?:time|date|day|deadline|moment|due|hour|heure|jour)(?:_\p{XIDC}*)?$/iu;

/** What has been called for is what `both` are. */
const results = new RegExp(
  String.raw`^\p{L}+\s+(?:for|until|on)\s+(?:each|every one|` +
    String.raw`(?:both|all)(?:\s+of\s+(?:them|these|those))?|` +
    String.raw`(?:(?:both|all)(?:\s+of)?(?:\s+(?:the|these|those))?|the|these|those)\s+` +
    String.raw`(?:(?:two|three|four)\s+)?(?:results?|calls?|searches|tools?))` +
    String.raw`(?:\s+(?:are|is|have|has|to|be|come|came|in|back|there|done|finish(?:ed)?|` +
    'completed?|return(?:ed)?))*$',
  'iu',
);

const answers = /\b(?:repl(?:y|ies)|answers?|responses?|input)\b/i;

/** Variables that take what the person says: `Wait for the user to say something as $message`. */
function heardIn(text: string): string[] {
  const taken = [...text.matchAll(takes)].map(([, name]) => name);
  return stateNames(text).filter((name) => taken.includes(name.slice(1)));
}

const takes = new RegExp(
  "\\b(?:as|into|and|or|for(?:\\s+(?!(?:to|until|till|while|before|after)\\b)[\\p{L}'’]+){0,4}?|" +
    '(?:give|enter|provide|type|say|name|choose|pick|select|tell|send|state|specify|share)s?' +
    '(?:\\s+(?:me|us|you))?)\\s+(?:(?:an?|the|their|his|her|some|your)\\s+)?' +
    `(?:(?!(?:if|whether|unless|until)\\b)\\p{L}+\\s+)??\\{?\\$\\{?(${namePattern})`,
  'giu',
);

/** Whether nothing is said of what the person is to say. */
const isPlain = (text: string): boolean =>
  text.replace(words.personWord, ' ').replace(plain, '') === '';

const plain = new RegExp(
  "[\\s.,!'’]+|\\b(?:wait|for|until|on|the|an?|to|has|have|had|is|done|us|you|me|it|s|says?|" +
    'said|tells?|told|repl(?:y|ies|ied)|responds?|responded|answers?|answered|writes?|written|' +
    'wrote|types?|typed|speaks?|talks?|sends?|sent|gives?|given|enters?|comes?|came|back|again|' +
    'next|new|more|another|one|some|something|anything|input|messages?|response|question|their|' +
    'attend\\w*|que|qu|le|la|l|un|une|de|d|à|dise|réponde|réponse|écrive|quelque|chose)\\b',
  'giu',
);
