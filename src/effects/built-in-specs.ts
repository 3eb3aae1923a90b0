/** The declarations of the tools that every run has. */
import type { ToolSpec } from '../program/effect.ts';
import { bindSpecs } from './bind/specs.ts';
import { calculateSpec } from './calculate/calculate.ts';
import { clockSpecs } from './clock/specs.ts';
import { modelSpecs } from './model/specs.ts';
import { askSpec } from './person/spec.ts';
import { retrieveSpecs } from './retrieve/specs.ts';
import { tableAskSpecs } from './table-ask/specs.ts';

export const builtInSpecs: readonly ToolSpec[] = [
  ...modelSpecs,
  ...bindSpecs,
  ...tableAskSpecs,
  ...retrieveSpecs,
  calculateSpec,
  askSpec,
  ...clockSpecs,
];
