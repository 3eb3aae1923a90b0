/**
 * Variables of another text that a program carries out, at the places that it has declared
 * (`program/text-variables.ts`): which there are, and setting one between two instructions.
 *
 * A dict that is changed so keeps the change whatever fails before it, as one that the program
 * changes does (`window/give-up.ts`).
 */
import { readName, type TextVariables, writeName } from '../program/text-variables.ts';
import {
  type Dict,
  dictEntries,
  dictGet,
  dictSet,
  isDict,
  settled,
  unshared,
  type Value,
} from '../program/value.ts';
import type { State } from './state.ts';
import { bare } from './values/text.ts';

/**
 * The variables of all parts by their names, those of the first one without its name. Undefined
 * for a program that declares none.
 */
export function textVariables({ program, globals }: State): Map<string, Value> | undefined {
  const { variables } = program;
  const parts = variables && partsOf(program.globals, globals, variables);
  if (!variables || !parts) return undefined;
  const all = [...dictEntries(parts)];
  return new Map(
    all.flatMap(([part, held], index) => {
      const own = asDict(held);
      const name = index === 0 ? undefined : String(part);
      return (own ? [...dictEntries(own)] : []).map(
        ([key, value]) => [writeName(name, String(key), variables.sign), value] as const,
      );
    }),
  );
}

/** Sets one as if the text had; false for a name that is not there. The value is the machine's. */
export function setInText(
  state: State,
  variables: TextVariables,
  written: string,
  value: Value,
): boolean {
  if (!namesInText(state, variables).includes(written)) return false;
  const name = readName(written, variables);
  const about = lastCall(state, variables);
  const parts = partsOf(state.program.globals, state.globals, variables);
  const held =
    name.of === 'call'
      ? about && member(about, variables.own)
      : parts && member(parts, name.part ?? partThatActs(about, parts, variables));
  if (held?.frozen !== false) return false;
  dictSet(held, name.name, value);
  return true;
}

/** All names that can be set so; those of the part that acts with its name in front and without. */
export function namesInText(state: State, variables: TextVariables): string[] {
  const about = lastCall(state, variables);
  const own = about && member(about, variables.own);
  const parts = partsOf(state.program.globals, state.globals, variables);
  const acts = partThatActs(about, parts, variables);
  const ofParts = (parts ? keysOf(parts) : []).flatMap((part) => {
    const there = parts && member(parts, part);
    const names = new Set([...(there ? keysOf(there) : []), ...(variables.names[part] ?? [])]);
    const fronts = part === acts ? [undefined, part] : [part];
    return fronts.flatMap((front) =>
      [...names].map((name) => writeName(front, name, variables.sign)),
    );
  });
  return [...(own ? keysOf(own) : []), ...ofParts];
}

const keysOf = (held: Dict): string[] => [...dictEntries(held)].map(([name]) => String(name));

const member = (of: Dict, key: string): Dict | undefined => asDict(dictGet(of, key));

function partsOf(
  names: readonly string[],
  globals: readonly (Value | undefined)[],
  { parts }: TextVariables,
): Dict | undefined {
  return asDict(globals[names.indexOf(parts)]);
}

/** The first one where nothing has been called. */
function partThatActs(
  about: Dict | undefined,
  parts: Dict | undefined,
  { part }: TextVariables,
): string {
  const acts = about ? dictGet(about, part) : parts && [...dictEntries(parts)][0]?.[0];
  return String(acts === undefined ? '' : settled(acts));
}

/** What is known of the innermost call of the line. */
function lastCall(
  { frames, program, stack }: State,
  { call, about }: TextVariables,
): Dict | undefined {
  for (const frame of frames.toReversed()) {
    const chunk = program.chunks[frame.chunk];
    if (!chunk || bare(chunk.name) !== call) continue;
    return asDict(unshared(stack[frame.base + chunk.locals.indexOf(about)]));
  }
  return undefined;
}

function asDict(value: Value | undefined): Dict | undefined {
  const found = value === undefined ? undefined : settled(value);
  return isDict(found) ? found : undefined;
}
