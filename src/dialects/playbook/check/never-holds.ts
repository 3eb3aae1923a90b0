/** Conditions that nothing can meet, also by the types that lines declare of their variables. */
import type { CompiledAgent, CompiledPlaybook } from '../compiled/compiled.ts';
import { fitsOf, typesIn } from '../compiled/declared-types.ts';
import { flatSteps } from '../compiled/graph.ts';
import { bareCondition, constantOf } from '../text/constant.ts';
import { isNever } from '../text/never.ts';
import { writtenName } from '../text/variables.ts';
import { stateOf } from './check-variables.ts';

/** What variables may be, as far as that is sure, by their written names. */
export type SureTypes = ReadonlyMap<string, readonly string[]>;

/** `condition` is the text as an expression, where it can be one. */
export function holdsNever(
  condition: string | undefined,
  text: string,
  types: SureTypes = new Map(),
): boolean {
  if (constantOf(text) === false) return true;
  const fits = [...types].map(
    ([name, all]) => [name.replace('$', ''), all.flatMap((type) => fitsOf(type) ?? [])] as const,
  );
  return isNever(condition ?? bareCondition(text), new Map(fits));
}

/** `$n:int, $k:str`. */
export const shownTypes = (types: SureTypes): string =>
  [...types].map(([name, all]) => `${name}:${all.join(' or ')}`).join(', ');

/**
 * The types that variables have, whichever playbook sets them: where each says one, of values.
 * `given` are those that something else sets. Without a dollar they are of the playbook `own`.
 */
export function sureTypes(
  names: readonly string[],
  { playbooks }: CompiledAgent,
  given: readonly string[],
  own?: CompiledPlaybook,
): SureTypes {
  const known = names.flatMap((name): (readonly [string, string[]])[] => {
    const isShared = name.startsWith('$');
    const setters = playbooks.filter((one) =>
      isShared ? stateOf(one).includes(name) : one === own,
    );
    const types = setters.map((one) => (isItem(one, name) ? undefined : declaredIn(one, name)));
    const isSure = !given.includes(name) && types.every((one) => fitsOf(one) !== undefined);
    const all = new Set(types.flatMap((one) => one ?? []));
    // Of `n` and `$n` a condition means either.
    const isOne = names.every(
      (one) => one === name || one.replace('$', '') !== name.replace('$', ''),
    );
    return isSure && isOne && all.size > 0 ? [[name, [...all]]] : [];
  });
  return new Map(known);
}

/** Whether a loop sets a variable, to whatever it goes over. */
const isItem = ({ steps }: CompiledPlaybook, name: string): boolean =>
  flatSteps(steps).some(({ code, writes }) => code === 'LOP' && writes.includes(name));

/** The type of a variable in a playbook: the first line that says one decides. */
function declaredIn({ parameters, steps }: CompiledPlaybook, name: string): string | undefined {
  const all = [
    ...parameters.map((one) => [writtenName(one), one.type] as const),
    ...flatSteps(steps).flatMap(typesIn),
  ];
  return all.find(([one, type]) => one === name && type !== undefined)?.[1];
}
