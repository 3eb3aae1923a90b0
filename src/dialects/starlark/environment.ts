/** What a program of a model may refer to, as the resolver asks for it. */
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
