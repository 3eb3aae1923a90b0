/** What a program that a model writes may name, as the record of a loop's run keeps it. */
import type { Environment, UsableProgram } from '../../dialects/dialect.ts';
import type { ToolSpec } from '../../program/effect.ts';

export interface KeptEnvironment {
  readonly tools: readonly ToolSpec[];
  readonly inputs: readonly string[];
  readonly programs?: readonly UsableProgram[];
}

export const keptEnvironment = ({ tools, inputs, programs }: Environment): KeptEnvironment => ({
  ...{ tools: [...tools.values()], inputs, ...(programs && { programs }) },
});

export const environmentIn = ({ tools, inputs, programs }: KeptEnvironment): Environment => ({
  ...{ tools: new Map(tools.map((spec) => [spec.name, spec])), inputs },
  ...(programs && { programs }),
});
