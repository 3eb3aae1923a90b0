/** What a program of a model may refer to, as the resolver asks for it. */
import type { Environment } from '../dialect.ts';
import { plan } from './options.ts';
import type { ResolveEnvironment } from './resolver.ts';
import { universe } from './universe.ts';

export function resolveEnvironment({ tools, inputs }: Environment): ResolveEnvironment {
  return {
    options: plan,
    predeclared: (name) => tools.has(name) || inputs.includes(name),
    universal: (name) => universe.has(name),
    names: [...tools.keys(), ...inputs, ...universe],
  };
}
