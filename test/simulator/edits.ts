/** What a fork changes: a variable, an outcome, a step or the remainder of the program. */
import type { ForkEdit } from '../../src/engine/journal/fork-edit.ts';
import type { Chance } from './chance.ts';
import { labelOf } from './labels.ts';
import type { Expected } from './oracle.ts';
import type { Drawn } from './programs.ts';
import type { Recorded } from './recorded.ts';

export interface DrawnEdit {
  readonly kind: 'none' | 'set' | 'outcome' | 'program';
  readonly edit: ForkEdit;
  /** Whether the steps before the place may differ, so that the fork may be refused. */
  readonly mayDiffer: boolean;
}

/** `expected` is absent where time decides what a run comes to. */
export function drawEdit(
  chance: Chance,
  drawn: Drawn,
  recorded: Recorded,
  expected: Expected | undefined,
): DrawnEdit {
  const steps = expected?.steps.map(({ id }) => id) ?? [];
  const effects = [...recorded.outcomes.keys()];
  const places = chance.flag(0.5) ? effects : steps;
  const at = chance.flag(0.1) ? undefined : places[chance.below(places.length)];
  const common: ForkEdit = {
    ...(at !== undefined && { at }),
    by: 'person',
    perform: chance.pick(['missing', 'missing', 'missing', 'models', 'all']),
    vanished: chance.pick(['warn', 'ask']),
  };
  const none = { kind: 'none', edit: common, mayDiffer: false } as const;
  switch (chance.below(4)) {
    case 0: {
      const { globals } = drawn.program;
      const names = globals.filter((name) => /^([abc]|\d+)$/.test(name));
      const name = names[chance.below(names.length)];
      if (at === undefined || name === undefined) return none;
      const value = chance.pick(['"r7"', '"edited"', '["r17",1]', '12']);
      return { ...none, kind: 'set', edit: { ...common, set: { [name]: value } } };
    }
    case 1: {
      const id = effects[chance.below(effects.length)];
      const isActor = id !== undefined && recorded.outcomes.get(id)?.ok;
      if (!isActor || recorded.tools.get(id) === 'first') return none;
      const value = chance.pick(['"r7"', '"given"', '["r17",1]']);
      const outcomes = { [id]: { ok: true, value } } as const;
      // What comes before the place may have seen the outcome that was.
      return { ...none, kind: 'outcome', edit: { ...common, at: id, outcomes } };
    }
    case 2: {
      const place = chance.below(steps.length);
      const label = steps[place];
      const changed = label === undefined ? undefined : drawn.change?.(chance, label);
      if (label === undefined || changed === undefined) return none;
      const before = steps.slice(0, place).map(labelOf);
      const program = { text: changed.text, dialect: drawn.dialect };
      const mayDiffer = before.some(changed.isTouched);
      return { kind: 'program', edit: { ...common, at: label, program }, mayDiffer };
    }
    default:
      return none;
  }
}
