/**
 * Where a program that carries out another text, as the loop over playbooks does, has that text's
 * variables. The program declares it, so whoever shows or sets them knows nothing of the program.
 *
 * - V1 Each part of the text has a dict of variables, and all of these are in one dict, a global
 *   variable of the program. The main line and the attempts that it waits for share it.
 * - V2 Who acts is told by the innermost call of one function of the program: one of its local
 *   variables is a dict that says for which part it acts and has the call's own variables.
 * - V3 A variable that was set from outside is one that the text has set: what the program knows of
 *   former values it compares with those in the dicts, and keeps apart from them.
 */
export interface TextVariables {
  /** What stands before the names of a part's variables: `$`. Those of a call have nothing. */
  readonly sign: string;
  /** The global variable of V1. */
  readonly parts: string;
  /** The function of V2, and its local variable. */
  readonly call: string;
  readonly about: string;
  /** Keys there: the name of the part, and the dict of the call's own variables. */
  readonly part: string;
  readonly own: string;
  /** Keys there, texts for people: the step that the call is at, and what is called. */
  readonly at: string;
  readonly name: string;
  /** Key there: who does it, where that is one of several that do the same; else an empty text. */
  readonly by?: string;
  /** What the text names in each part, without the sign; it need not be set by now. */
  readonly names: Readonly<Record<string, readonly string[]>>;
}

/** A variable as people write it: `$day`, `Desk.$day` of another part, `day` of the call. */
export type TextName =
  | { readonly of: 'part'; readonly part: string | undefined; readonly name: string }
  | { readonly of: 'call'; readonly name: string };

export function readName(written: string, { sign }: TextVariables): TextName {
  const at = written.indexOf(sign);
  if (at < 0) return { of: 'call', name: written };
  const part = at === 0 ? undefined : written.slice(0, at - 1);
  return { of: 'part', part, name: written.slice(at + sign.length) };
}

/** The same name, of a part that acts where `part` is undefined. */
export const writeName = (part: string | undefined, name: string, sign: string): string =>
  `${part === undefined ? '' : `${part}.`}${sign}${name}`;

/** The text of what is declared, and what a text declares; undefined for one that does not. */
export const variablesText = (variables: TextVariables): string => JSON.stringify(variables);

export function readVariables(text: string): TextVariables | undefined {
  try {
    const found = Object(JSON.parse(text));
    const { names = {} } = found;
    const isWhole = keys.every((key) => typeof found[key] === 'string') && isNames(names);
    return isWhole ? { ...found, names } : undefined;
  } catch {
    return undefined;
  }
}

const keys = ['sign', 'parts', 'call', 'about', 'part', 'own', 'at', 'name'] as const;

const isNames = (found: unknown): boolean =>
  Object.values(Object(found)).every(
    (names) => Array.isArray(names) && names.every((name) => typeof name === 'string'),
  );
