/** What a program that a model writes may name, as the record of a loop's run keeps it. */
import type { Environment } from '../../dialects/dialect.ts';
import type { ToolSpec } from '../../program/effect.ts';

export interface KeptEnvironment {
  readonly tools: readonly ToolSpec[];
  readonly inputs: readonly string[];
}

export const keptEnvironment = ({ tools, inputs }: Environment): KeptEnvironment => ({
  ...{ tools: [...tools.values()], inputs },
});

export const environmentIn = ({ tools, inputs }: KeptEnvironment): Environment => ({
  ...{ tools: new Map(tools.map((spec) => [spec.name, spec])), inputs },
});
