/** Models of agents of playbooks, as options, variables and configuration files name them. */

import type { AgentModels } from '../../agent/port/settings.ts';
import { BadQuantity } from '../../agent/settings/quantity.ts';
import { modelProblem } from '../../program/model-name.ts';

/** `Desk=openai/gpt-5-mini`. Throws `BadQuantity`. */
export function readAgentModel(given: string): AgentModels {
  const at = given.indexOf('=');
  const name = given.slice(0, Math.max(at, 0)).trim();
  if (name === '') throw new BadQuantity(`got ${given}, want AGENT=PROVIDER/NAME`);
  return agentModelsIn({ [name]: given.slice(at + 1).trim() });
}

/** Of JSON-like data. Throws `BadQuantity`. */
export function agentModelsIn(given: unknown): AgentModels {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new BadQuantity(`got ${JSON.stringify(given)}, want { "AGENT": "PROVIDER/NAME" }`);
  for (const [name, model] of Object.entries(given)) {
    const problem = modelProblem(model);
    if (problem !== undefined) throw new BadQuantity(`${name}: ${problem}`);
  }
  return given as AgentModels;
}
