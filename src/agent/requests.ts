/** What an agent is asked for, and what becomes of it. */

import type { Manner } from '../dialects/playbook/manner.ts';
import type { RunMetadata } from '../engine/journal/run-identity.ts';
import type { Assume } from '../engine/past/past-effect.ts';
import type { Goal } from '../planner/goal.ts';
import { fromJson } from '../program/json.ts';
import type { Limits } from '../program/limits.ts';
import type { Value } from '../program/value.ts';
import { described } from './evidence/known-variables.ts';
import type { CodedError } from './port/errors.ts';
import type { Reply } from './port/reply.ts';
import type { Source } from './program/source.ts';
import type { GoalOptions } from './run/work.ts';
import type { Base, GoalWork } from './sessions.ts';

/** A program: its text, or a file with those that it names. */
export type GivenSource = string | { readonly file: string } | GivenText;

export interface GivenText {
  readonly text: string;
  /** As diagnostics name it. */
  readonly file?: string;
}

export interface SessionOptions {
  /**
   * Of the first run: letters, digits, `-_.`. The same request under it gives the same session,
   * also after its end; another request is refused with PV5113.
   */
  readonly id?: string;
  readonly title?: string;
  /** JSON, at most 16 KB: sessions are found by it. */
  readonly metadata?: RunMetadata;
  /** Variables that are set before it starts: JSON data. */
  readonly inputs?: Readonly<Record<string, unknown>> | ReadonlyMap<string, Value>;
  readonly limits?: Partial<Limits>;
  /** Suspends the session when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Of work on a run that is there: it has an id and inputs. */
export type LaterOptions = Omit<SessionOptions, 'id' | 'inputs'>;

export interface RunOptions extends SessionOptions {
  /** What the program is written in; found out where absent. */
  readonly dialect?: string;
  readonly goal?: string;
  /** How often a model may repair it where it fails. Default: 0. */
  readonly repairs?: number;
  /** One effect at a time. */
  readonly sequential?: boolean;
  /** Of playbooks. */
  readonly playbooks?: Partial<Manner>;
  /** Whether playbooks hear messages when they have nothing to do. */
  readonly idle?: boolean;
}

export interface AskOptions extends SessionOptions, GoalOptions {
  /** What the plan is written in; `llmcompiler` and `react` are loops over tasks. */
  readonly dialect?: string;
  /** Language and form of the answer, in words. */
  readonly language?: string;
  readonly format?: string;
  /** Label of saved plans to look at before others; false: none is looked at. */
  readonly saved?: string | false;
}

export interface ResumeOptions extends Pick<SessionOptions, 'limits' | 'signal'> {
  /** What has become of effects that are in doubt. */
  readonly assume?: Assume;
  /** Left with the run once it is known that it can go on; else nothing is left. */
  readonly reply?: Reply | readonly Reply[];
  /**
   * Called for each reply that does not fit, or holds a secret; the others are left, and where
   * there are none, the run waits on. Without it, the session rejects.
   */
  refused?(reply: Reply, error: CodedError): void;
}

export async function sourceOf(given: GivenSource): Promise<Source> {
  const { readFileSource, withBeside } = await import('./program/source.ts');
  if (typeof given === 'string') return { text: given, file: 'program', title: '' };
  if ('text' in given) {
    const { text, file = 'program' } = given;
    return { text, file, title: file };
  }
  return withBeside(await readFileSource(given.file));
}

export const valuesOf = (inputs: SessionOptions['inputs'] = {}): ReadonlyMap<string, Value> =>
  inputs instanceof Map
    ? inputs
    : new Map(Object.entries(inputs).map(([name, data]) => [name, fromJson(data)]));

export function goalOf(text: string, options: AskOptions): Omit<GoalWork, keyof Base> {
  const { language, format, saved } = options;
  const inputs = valuesOf(options.inputs);
  const words = [...inputs].flatMap(([name, value]) => described(name, value));
  const goal: Goal = {
    text,
    ...(language !== undefined && { language }),
    ...(format !== undefined && { format }),
    ...(words.length > 0 && { inputs: words }),
  };
  return {
    ...{ goal, inputs, options },
    ...(typeof saved === 'string' && { label: saved }),
    ...(saved === false && { saved: false }),
  };
}
