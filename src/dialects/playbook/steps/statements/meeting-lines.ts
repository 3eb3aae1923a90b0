/** Lines that hold meetings: `Have a meeting with Cook and Buyer about soup`. */
import { namePattern } from '../../../../program/name.ts';
import type { Callee, Names } from '../names/names.ts';

const who = '(?:\\s+with\\s+(?<who>.+?))?';
const about =
  '(?:\\s+(?:about|on|regarding|to (?:discuss|talk about|plan|decide))\\s+(?<topic>.+?))?';
const head = `^(?:(?<target>\\$?${namePattern})\\s*=\\s*)?`;
const into = `(?:\\s+as\\s+(?<into>\\$${namePattern}))?$`;
const verbs = '(?:have|hold|start|begin|open|call|convene|arrange|set up|run)';

const meeting = '(?:an?|the|another)\\s+(?<kind>(?:[\\p{XIDC}$]+\\s+){0,4}?)meeting';

const forms: readonly RegExp[] = [
  new RegExp(`${head}${verbs}\\s+${meeting}${who}${about}${into}`, 'iu'),
  new RegExp(`${head}${verbs}\\s+${meeting}${about}${who}${into}`, 'iu'),
  new RegExp(
    `${head}(?:invite|call)\\s+(?<who>.+?)\\s+(?:to|into|for)\\s+${meeting}${about}${into}`,
    'iu',
  ),
  new RegExp(`${head}meet(?:\\s+with)?\\s+(?<who>.+?)${about}${into}`, 'iu'),
];

/**
 * The call of the meeting that is meant: the one that the line names, else the only one that the
 * agent has. Undefined for any other line, and where somebody is to come whom there is not.
 */
export function meetingCall(text: string, names: Names): string | undefined {
  const all = new Set(names.callees.values());
  const meetings = [...all].filter(({ name, meeting }) => meeting && !name.includes('.'));
  if (meetings.length === 0) return undefined;
  for (const form of forms) {
    const { groups } = form.exec(text.trim()) ?? {};
    if (!groups) continue;
    const called = callOf(groups, text, meetings, names);
    if (called !== undefined) return called;
  }
  return undefined;
}

function callOf(
  groups: Readonly<Record<string, string | undefined>>,
  text: string,
  meetings: readonly Callee[],
  names: Names,
): string | undefined {
  const meeting = meantBy(text, meetings);
  const attendees = groups.who === undefined ? [] : attendeesIn(groups.who, names);
  const isAlone = attendees?.length === 0 && meeting?.meeting === 'open';
  if (!meeting || !attendees || isAlone) return undefined;
  const topic = groups.topic ?? groups.kind?.trim().replace(/^(?:short|quick|new)\b\s*/i, '');
  const given = [
    ...(topic === undefined || topic === '' ? [] : [`topic=${written(topic)}`]),
    ...(attendees.length === 0 ? [] : [`attendees=[${attendees.join(', ')}]`]),
  ];
  const target = groups.target ?? groups.into;
  return `${target === undefined ? '' : `${target} = `}${meeting.name}(${given.join(', ')})`;
}

function meantBy(text: string, meetings: readonly Callee[]): Callee | undefined {
  const squeezed = (one: string): string => one.toLowerCase().replace(/[\s_]/g, '');
  const named = meetings.filter(({ name }) => squeezed(text).includes(squeezed(name)));
  return named.length === 1 ? named[0] : meetings.length === 1 ? meetings[0] : undefined;
}

/** As they are written in a call; undefined where one of them is nobody of the file. */
function attendeesIn(list: string, { others, people }: Names): string[] | undefined {
  const found = list
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/i)
    .map((one) => one.replace(/^(?:the|agent|both)\s+/i, '').trim())
    .map((one) => {
      if (variable.test(one)) return one;
      if (/^(?:me|user|human|person|visitor|customer)$/i.test(one)) return '"User"';
      const name = others.get(one) ?? (people.has(one) ? one : undefined);
      return name === undefined ? undefined : `"${name}"`;
    });
  return found.every((one) => one !== undefined) ? found : undefined;
}

const variable = new RegExp(`^\\$${namePattern}$`, 'u');

const unbraced = new RegExp(`(?<!\\{)\\$${namePattern}`, 'gu');

/** A variable as it is, words as a text, with what stands in braces filled in. */
function written(topic: string): string {
  if (variable.test(topic) || /^"[^"]*"$/.test(topic)) return topic;
  const braced = topic.replace(unbraced, (name) => `{${name}}`);
  return JSON.stringify(braced.replace(/^(["'])(.*)\1$/, '$2'));
}
