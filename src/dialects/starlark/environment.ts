/** What a program of a model may refer to, as the resolver asks for it. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import { unpackPosition } from '../../program/program.ts';
import type { Environment } from '../dialect.ts';
import { plan } from './options.ts';
import type { ResolveEnvironment } from './resolver.ts';
import type { File, Load } from './syntax.ts';
import { universe } from './universe.ts';

export function resolveEnvironment({ tools, inputs }: Environment): ResolveEnvironment {
  return {
    options: plan,
    predeclared: (name) => tools.has(name) || inputs.includes(name),
    universal: (name) => universe.has(name),
    names: [...tools.keys(), ...inputs, ...universe],
  };
}

/** An error for each load statement: a program of a model is one file. */
export const refuseLoads = ({ body }: File): Diagnostic[] =>
  body.flatMap((node) => (node.kind === 'load' ? [noLoader(node)] : []));

function noLoader({ module, moduleAt }: Load): Diagnostic {
  return {
    code: 'PV2331',
    severity: 'error',
    message: `cannot load ${module}: programs have no other files to load`,
    ...unpackPosition(moduleAt),
    hint: 'write what is needed into this file; json and math are there without load',
  };
}
