/**
 * How playbooks are played, as far as anybody may say so: a call by its options, a configuration
 * below `playbooks`, the front matter of a file below `planvm`.
 */
import { nearest } from '../../program/diagnostic.ts';
import { stringify } from '../../program/json.ts';
import { zoneLike, zoneNamed } from '../../program/time-zones.ts';
import type { Metadata } from './source/tree.ts';

export const strictnesses = ['advise', 'repair', 'enforce'] as const;

export type Strictness = (typeof strictnesses)[number];

export const chats = ['auto', 'keep', 'fresh'] as const;

export type Chat = (typeof chats)[number];

export interface Manner {
  readonly strictness: Strictness;
  /** The most lines that a playbook may have to stand in the place of its calls. */
  readonly inline: number;
  /** How many replies a playbook may take to its end. */
  readonly turns: number;
  /** What becomes of the conversation of a playbook that goes on after another one. */
  readonly chat: Chat;
  /** Tokens of a conversation beyond which it is told in short. */
  readonly sessionTokens: number;
  /** How deep playbooks may call each other. */
  readonly depth: number;
  /** How often the model may be told within a playbook that its reply cannot stand. */
  readonly slips: number;
  /** By whose clocks times of days are meant where they name no zone. */
  readonly timezone: string;
}

export const mannerDefaults: Manner = {
  ...({ strictness: 'repair', inline: 8, turns: 100, chat: 'auto' } as const),
  ...{ sessionTokens: 12_000, depth: 50, slips: 10, timezone: 'UTC' },
};

/** What each may be: one of some words, a whole number that is at least as large, a time zone. */
const forms: Readonly<Record<keyof Manner, readonly string[] | number | 'zone'>> = {
  ...{ strictness: strictnesses, inline: 0, turns: 1, chat: chats },
  ...({ sessionTokens: 1, depth: 1, slips: 0, timezone: 'zone' } as const),
};

const mannerNames = Object.keys(forms) as readonly (keyof Manner)[];

/** Limits that end a run, which goes on with larger ones. */
export const allowedNames: readonly ['turns', 'depth', 'slips'] = ['turns', 'depth', 'slips'];

export interface ReadManner {
  readonly manner: Partial<Manner>;
  /** *got X, want Y*, of what was left out. */
  readonly problems: readonly string[];
}

/** Of JSON-like data; nothing says nothing. */
export function readManner(data: unknown): ReadManner {
  if (data === undefined || data === null) return { manner: {}, problems: [] };
  if (typeof data !== 'object' || Array.isArray(data)) {
    return { manner: {}, problems: [`got ${stringify(data)}, want ${mannerNames.join(', ')}`] };
  }
  const entries = Object.entries(data);
  const fine = entries.filter(([name, value]) => problemOf(name, value) === undefined);
  return {
    manner: mannerIn(Object.fromEntries(fine)),
    problems: entries.flatMap(([name, value]) => problemOf(name, value) ?? []),
  };
}

function problemOf(name: string, value: unknown): string | undefined {
  const known = mannerNames.find((one) => one === name);
  if (known === undefined) {
    const near = nearest(name, mannerNames);
    const hint = near ? ` (did you mean ${near}?)` : '';
    return `got ${name}, want one of ${mannerNames.join(', ')}${hint}`;
  }
  const form = forms[known];
  if (form === 'zone') return zoneProblem(String(value));
  const isNumber = typeof form === 'number';
  const isFine = isNumber
    ? Number.isSafeInteger(value) && Number(value) >= form
    : form.includes(String(value));
  const want = isNumber ? `a whole number from ${form} on` : `one of ${form.join(', ')}`;
  return isFine ? undefined : `got ${name}: ${stringify(value)}, want ${want}`;
}

/** What is wrong with the name of a time zone, with one that is like it. */
export function zoneProblem(written: string): string | undefined {
  if (zoneNamed(written) !== undefined) return undefined;
  const near = zoneLike(written);
  const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
  return `got the time zone ${written}, want a name such as Europe/Berlin${hint}`;
}

/** What the front matter says below `planvm`; the time zone is of the program, however played. */
export const ownManner = ({ planvm, timezone }: Metadata): unknown =>
  timezone === undefined || Array.isArray(planvm) ? planvm : { timezone, ...Object(planvm) };

/** What of it options say, which may stand among others. */
export const mannerIn = (options: Partial<Manner>): Partial<Manner> =>
  Object.fromEntries(
    mannerNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
