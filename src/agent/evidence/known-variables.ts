/** The variables of a run at a place of its past, as a model is shown them. */
import type { Inspection } from '../../machine/inspection.ts';
import { pendingsIn } from '../../machine/values/pendings.ts';
import { shortened, shownMax, type Variable } from '../../planner/goal.ts';
import { counted } from '../../program/diagnostic.ts';
import { NotData, stringify, toJson } from '../../program/json.ts';
import { charactersOf } from '../../program/size.ts';
import { settled, typeName, type Value } from '../../program/value.ts';

/** Functions are left out: their text is in the program. */
export const knownVariables = (values: ReadonlyMap<string, Value>): Variable[] =>
  [...values].flatMap(([name, given]): Variable[] => {
    const isWhole = pendingsIn([given]).size === 0;
    if (isWhole) return described(name, settled(given));
    return [{ name, type: 'not known', text: 'it, or a part of it, has not arrived' }];
  });

/** Of the function in which a run ended; none where it ended in no function. */
export function localVariables({ lines }: Inspection): Variable[] {
  const [, ...frames] = lines[0]?.frames ?? [];
  return knownVariables(frames.at(-1)?.locals ?? new Map());
}

/** One that has arrived; nothing for what is no data, as functions are. */
export function described(name: string, value: Value, most: number = shownMax): Variable[] {
  const text = textOf(value);
  if (text === undefined) return [];
  const variable = { name, type: typeWords(value), text: shortened(text, most) };
  return [text.length > most || text === tooLarge ? { ...variable, isCut: true } : variable];
}

/** Characters of a value whose text is worth making for the beginning that is shown. */
const most = 2 ** 20;

const tooLarge = 'too large to be shown';

/** Undefined for what is no data, as functions are. */
function textOf(value: Value): string | undefined {
  if (charactersOf(value, most) === undefined) return tooLarge;
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
