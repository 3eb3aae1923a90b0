/** The variables of a run at a place of its past, as a model is shown them. */
import type { StateAt } from '../../engine/past/time.ts';
import type { Variable } from '../../planner/goal.ts';
import { shortened } from '../../planner/prompt.ts';
import { counted } from '../../program/counted.ts';
import { decode, NotData, stringify, toJson } from '../../program/json.ts';
import { charactersOf } from '../../program/size.ts';
import { isPending, settled, typeName, type Value } from '../../program/value.ts';

/** Functions are left out: their text is in the program. */
export function knownVariables(state: StateAt): Variable[] {
  return [...state.inspection.globals].flatMap(([name, given]): Variable[] => {
    const value = arrived(settled(given), state);
    if (value === undefined) return [{ name, type: 'still to come', text: '…' }];
    return described(name, value);
  });
}

/** One that has arrived; nothing for what is no data, as functions are. */
export function described(name: string, value: Value, most?: number): Variable[] {
  const text = textOf(value);
  return text === undefined ? [] : [{ name, type: typeWords(value), text: shortened(text, most) }];
}

/** What a value that had not settled there has become; undefined where that is not known. */
function arrived(value: Value, { inspection, past }: StateAt): Value | undefined {
  if (!isPending(value)) return value;
  const entry = inspection.pendings.get(value);
  if (entry?.kind !== 'effect') return undefined;
  const outcome = past().effects.get(entry.id ?? '')?.outcome;
  return outcome?.ok ? decode(outcome.value) : undefined;
}

/** Characters of a value whose text is worth making for the beginning that is shown. */
const most = 2 ** 20;

/** Undefined for what is no data, as functions are. */
function textOf(value: Value): string | undefined {
  if (charactersOf(value, most) === undefined) return 'too large to be shown';
  try {
    return stringify(toJson(value));
  } catch (error) {
    if (error instanceof NotData) return undefined;
    throw error;
  }
}

function typeWords(value: Value): string {
  if (typeof value === 'string') return `string of ${counted(value.length, 'character')}`;
  if (value === null || typeof value !== 'object') return typeName(value);
  switch (value.kind) {
    case 'list':
    case 'tuple':
      return `${value.kind} of ${value.items.length}`;
    case 'dict':
      return `dict of ${counted(value.index.size, 'key')}`;
    default:
      return typeName(value);
  }
}
