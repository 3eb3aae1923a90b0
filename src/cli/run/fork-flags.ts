/** What the options of `planvm fork` say about the fork: its edit. */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { AgentModels } from '../../agent/port/settings.ts';
import type { ForkCall } from '../../agent/resume/planned-fork.ts';
import { givenFailure } from '../../engine/fork/fork-changes.ts';
import type { PastEffect } from '../../engine/past/past.ts';
import type { Outcome } from '../../program/effect.ts';
import { encode } from '../../program/json.ts';
import { readOptionValue } from '../option-value.ts';

export interface EditFlags {
  readonly at?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly outcome?: Readonly<Record<string, Outcome>>;
  readonly fresh?: 'models' | 'all';
  readonly model?: string;
  readonly replay?: string;
  readonly agentModel?: AgentModels;
  readonly note?: string | undefined;
}

/** Of `--set`: `name=value`, the value JSON where it parses, else text. */
export function assigned(
  given: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [written, text] = pairOf(given, 'name=value');
  const name = written.normalize('NFC');
  if (name in before) throw new InvalidArgumentError(`${name} is set twice`);
  return { ...before, [name]: canonical(text, `--set ${name}`) };
}

/** Of `--outcome`: `0#3=value`, or `0#3=error:TEXT`. */
export function replaced(
  given: string,
  before: Readonly<Record<string, Outcome>> = {},
): Record<string, Outcome> {
  const [effect, text] = pairOf(given, '0#3=value or 0#3=error:TEXT');
  if (effect in before) throw new InvalidArgumentError(`${effect} is given twice`);
  const [, message] = /^error:([\s\S]*)$/.exec(text) ?? [];
  const outcome: Outcome =
    message === undefined
      ? { ok: true, value: canonical(text, `--outcome ${effect}`) }
      : givenFailure(message);
  return { ...before, [effect]: outcome };
}

function pairOf(given: string, want: string): [string, string] {
  const at = given.indexOf('=');
  if (at > 0) return [given.slice(0, at).trim(), given.slice(at + 1)];
  throw new InvalidArgumentError(`got ${given}, want ${want}`);
}

const canonical = (text: string, option: string): string => encode(readOptionValue(text, option));

/**
 * The edit that the options ask for. An outcome alone takes the fork to the step of its effect;
 * another model alone asks that one for everything from the step on.
 */
export function editOf(
  flags: EditFlags,
  program: ForkCall['program'],
  effects: ReadonlyMap<string, PastEffect>,
): ForkCall['edit'] {
  const { set, outcome, fresh, note } = flags;
  const first = [...effects.keys()].find((id) => outcome !== undefined && id in outcome);
  const at = flags.at ?? (set === undefined && program === undefined ? first : undefined);
  const { agentModel, model, replay } = flags;
  const isOtherModel = [agentModel, model, replay].some((one) => one !== undefined);
  const perform = fresh ?? (isOtherModel ? 'models' : undefined);
  return {
    by: 'person',
    ...(at === undefined ? {} : { at }),
    ...(set === undefined ? {} : { set }),
    ...(outcome === undefined ? {} : { outcomes: outcome }),
    ...(perform === undefined ? {} : { perform }),
    ...(note === undefined ? {} : { note }),
  };
}
