/** Playbooks that are meetings: who is to attend, and what they are called with besides. */
import type { Parameter, PlaybookHead } from './tree.ts';

export interface Attendees {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** Those that the metadata name; undefined for a playbook that is no meeting. */
export function meetingOf({ metadata }: Pick<PlaybookHead, 'metadata'>): Attendees | undefined {
  const { meeting, required_attendees: required, optional_attendees: optional } = metadata;
  if (meeting !== true) return undefined;
  return { required: namesIn(required), optional: namesIn(optional) };
}

/** Whether it leaves to its calls who attends. Whoever is invited may attend by such a one. */
export const isOpen = ({ required, optional }: Attendees): boolean =>
  required.length + optional.length === 0;

/** A list, or names with commas between them. */
function namesIn(value: unknown): string[] {
  const list = Array.isArray(value)
    ? value
    : String(value ?? '')
        .replace(/[[\]]/g, '')
        .split(',');
  return list.map((one) => String(one).trim()).filter((one) => one !== '');
}

/** What every meeting may be called with. */
const given: readonly Parameter[] = [
  { name: 'topic', scope: 'local', default: 'None' },
  { name: 'attendees', scope: 'local', default: 'None' },
];

export const withGiven = (parameters: readonly Parameter[]): readonly Parameter[] => [
  ...parameters,
  ...given.filter(({ name }) => !parameters.some((one) => one.name === name)),
];
