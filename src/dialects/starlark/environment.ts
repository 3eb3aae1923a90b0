/** What a program of a model may refer to, as the resolver asks for it. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import { tool, type Value } from '../../program/value.ts';
import type { Environment } from '../dialect.ts';
import { plan } from './options.ts';
import type { ResolveEnvironment } from './resolver.ts';
import { callable } from './tool-names.ts';
import { universe } from './universe.ts';

export function resolveEnvironment({ tools, inputs }: Environment): ResolveEnvironment {
  const named = callable(tools);
  return {
    options: plan,
    predeclared: (name) => named.has(name) || inputs.includes(name),
    universal: (name) => universe.has(name),
    names: [...named.keys(), ...inputs, ...universe],
  };
}

/** What a name of the host stands for in code; undefined for an input, which is a variable. */
export function predeclaredValue({ tools }: Environment): (name: string) => Value | undefined {
  const named = callable(tools);
  return (name) => {
    const spec = named.get(name);
    return spec && tool(spec.name);
  };
}

/** Says which tools there are where something is called that is none. */
export function nameTools(
  found: readonly Diagnostic[],
  source: string,
  { tools }: Environment,
): Diagnostic[] {
  const names = [...callable(tools).keys()];
  if (names.length === 0) return [...found];
  const lines = source.split('\n');
  const more = names.length > namesMax ? ', …' : '';
  const hint = `${toolsAre} ${names.slice(0, namesMax).join(', ')}${more}`;
  return found.map((one) => {
    const rest = lines[one.line - 1]?.slice(one.column - 1) ?? '';
    const isCall = one.code === 'PV2321' && one.hint === undefined && /^\w+\(/.test(rest);
    return isCall ? { ...one, hint } : one;
  });
}

/** How the hint begins, for those who know of more tools. */
export const toolsAre = 'the tools are';

const namesMax = 30;
