/** What the parameters of a playbook get from a call, and which variables are its own. */
import type { CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { fitsOf } from '../compiled/declared-types.ts';
import { flatSteps } from '../compiled/graph.ts';
import type { Parameter } from '../source/tree.ts';
import { argumentsIn } from '../text/calls.ts';
import { unique, writtenName } from '../text/variables.ts';

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

/** The type of a variable, where its values are held to it. */
export const typeOf = ({ type }: Pick<Parameter, 'type'>): Pick<Bound, 'type'> =>
  type !== undefined && fitsOf(type) ? { type } : {};

export const declared = (name: string, type: string | undefined): string =>
  type === undefined ? name : `${name}:${type}`;

export const ownLocals = ({ parameters, steps }: CompiledPlaybook): readonly string[] =>
  unique([
    ...parameters.map(writtenName),
    ...flatSteps(steps).flatMap(({ writes }) => writes),
  ]).filter((name) => !name.startsWith('$'));
