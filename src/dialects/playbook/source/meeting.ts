/** Playbooks that are meetings: who is to attend, and the parameters that every meeting takes. */
import type { Parameter, PlaybookHead } from './tree.ts';

export interface Attendees {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** Those that the metadata name; undefined for a playbook that is not a meeting. */
export function meetingOf({ metadata }: Pick<PlaybookHead, 'metadata'>): Attendees | undefined {
  const { meeting, required_attendees: required, optional_attendees: optional } = metadata;
  return meeting === true
    ? { required: namesIn(required), optional: namesIn(optional) }
    : undefined;
}

/** A list, or names with commas between them. */
const namesIn = (value: unknown): string[] =>
  (Array.isArray(value)
    ? value
    : String(value ?? '')
        .replace(/[[\]]/g, '')
        .split(',')
  )
    .map((name) => String(name).trim())
    .filter((name) => name !== '');

const meetingParameters: readonly Parameter[] = ['topic', 'attendees'].map((name) => {
  return { name, default: 'None' };
});

export const withMeetingParameters = (parameters: readonly Parameter[]): readonly Parameter[] => [
  ...parameters,
  ...meetingParameters.filter(({ name }) => !parameters.some((own) => own.name === name)),
];
