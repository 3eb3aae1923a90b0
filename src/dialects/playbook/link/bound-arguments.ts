/** What the parameters of a playbook get from a call, and which variables are its own. */
import type { CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { fitsOf } from '../compiled/declared-types.ts';
import { flatSteps } from '../compiled/graph.ts';
import type { Parameter } from '../source/tree.ts';
import { argumentsIn } from '../text/calls.ts';
import { stateNames, unique, writtenName } from '../text/variables.ts';

export interface Bound {
  /** As written in the callee. */
  readonly name: string;
  readonly value: string;
  /** That its values are held to. */
  readonly type?: string;
}

export function boundArguments(
  { call }: Step,
  { parameters }: CompiledPlaybook,
): Bound[] | undefined {
  const given = argumentsIn(call?.args ?? '');
  const left = [...parameters];
  const bound: Bound[] = [];
  for (const { name, text } of given) {
    const plain = name?.replace('$', '');
    const at = plain === undefined ? 0 : left.findIndex((one) => one.name === plain);
    const [parameter] = at < 0 ? [] : left.splice(at, 1);
    if (!parameter || text.startsWith('*')) return undefined;
    bound.push({ name: writtenName(parameter), value: text, ...typeOf(parameter) });
  }
  for (const parameter of left) {
    if (parameter.default === undefined) return undefined;
    bound.push({ name: writtenName(parameter), value: parameter.default, ...typeOf(parameter) });
  }
  return bound;
}

/**
 * As lines one behind the other that come to what all at once do: none sets a variable of the agent
 * that one behind it reads. Undefined where they go in a circle, as `F($b, $a)` of `F($a, $b)`.
 */
export function inOrder(bound: readonly Bound[]): Bound[] | undefined {
  const left = [...bound];
  const ordered: Bound[] = [];
  while (left.length > 0) {
    const next = left.findIndex((one) =>
      left.every((other) => other === one || !stateNames(other.value).includes(one.name)),
    );
    if (next < 0) return undefined;
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}

/** The type of a variable, where its values are held to it. */
export const typeOf = ({ type }: Pick<Parameter, 'type'>): Pick<Bound, 'type'> =>
  type !== undefined && fitsOf(type) ? { type } : {};

export const declared = (name: string, type: string | undefined): string =>
  type === undefined ? name : `${name}:${type}`;

/** As written: its parameters, and what its lines set. */
export const ownVariables = ({ parameters, steps }: CompiledPlaybook): readonly string[] =>
  unique([...parameters.map(writtenName), ...flatSteps(steps).flatMap(({ writes }) => writes)]);

export const ownLocals = (playbook: CompiledPlaybook): readonly string[] =>
  ownVariables(playbook).filter((name) => !name.startsWith('$'));
