/**
 * The field of an object that is meant where a text or a number is wanted and the object is given:
 * its only field, or the one that by its name holds what the object is about, or the only number.
 */

export type FieldKind = 'text' | 'number' | 'other';

/** Names of the field for whose sake a tool gives the others. */
const mainNames: readonly string[] = ['text', 'value', 'result', 'answer', 'content', 'output'];
/** A number that says which one, and not how much. */
const identity = /(?:^|_)(?:id|code|year)$|I[dD]$/;

/** Undefined where several could be meant. */
export function obviousField(
  fields: ReadonlyMap<string, FieldKind>,
  wanted: 'text' | 'number',
): string | undefined {
  const mains = mainNames.filter((name) => fields.has(name));
  const [main] = mains;
  // A text may say a number, and a number is a text as it is written.
  if (main !== undefined)
    return mains.length > 1 || fields.get(main) === 'other' ? undefined : main;
  const fitting = [...fields.keys()].filter((name) => fields.get(name) === wanted);
  if (fields.size === 1) return fitting[0];
  const amounts = fitting.filter((name) => !identity.test(name));
  return wanted === 'number' && amounts.length === 1 ? amounts[0] : undefined;
}
