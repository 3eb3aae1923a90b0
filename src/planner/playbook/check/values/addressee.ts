/** Whom a reply speaks to, by any way to write the name. Pure. */
import { personWord } from '../../../../dialects/playbook/text/words.ts';
import { nearest } from '../../../../program/diagnostic.ts';
import { isUser } from '../../reply/said.ts';
import type { Directory } from './directory.ts';

export type Addressee =
  /** `to` is absent for whoever the program talks with. */
  | { readonly is: 'known'; readonly to?: string }
  /** `isForUser`: there is nobody else who could hear it. */
  | { readonly is: 'nobody'; readonly text: string; readonly isForUser: boolean };

/** `isMeeting`: whether a meeting is held there, which may be spoken to. */
export function addressee(
  written: string,
  { agents, people, made }: Directory,
  isMeeting = true,
): Addressee {
  if (isUser(written)) return { is: 'known' };
  const isForUser = agents.length + people.length + made.length === 0;
  // What a variable names, and who is in a meeting, the loop knows.
  if (isMeeting && /^meeting\b/i.test(written)) return { is: 'known', to: written };
  if (written.startsWith('$')) return { is: 'known', ...(!isForUser && { to: written }) };
  const named = new Map(
    [...agents, ...people].flatMap((one) => [
      [keyOf(one.name), one.name] as const,
      [keyOf(one.written), one.name] as const,
    ]),
  );
  for (const id of made) named.set(keyOf(id), id);
  const to = named.get(keyOf(written));
  if (to !== undefined) return { is: 'known', to };
  if (personWord.test(written)) return { is: 'known' };
  const all = [...new Set(named.values())];
  const near = nearest(written, all);
  const there = isForUser ? 'there is only the user' : `there are the user, ${all.join(', ')}`;
  const hint = near === undefined ? there : `did you mean ${near}?`;
  const text = `there is nobody called ${written} to say this to; ${hint}`;
  return { is: 'nobody', isForUser, text };
}

/** `agent Bike desk`, `BikeDesk` and `bike_desk` are one. */
const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^(?:the\s+)?(?:agent\s+)?/, '')
    .replace(/[\s_-]/g, '');
