/** Whether inputs are of the types that the playbooks declare which take them. */

import type { LinkedFile } from '../../dialects/playbook/link/linked.ts';
import { declaredTypes, takersOf } from '../../dialects/playbook/weave/weave.ts';
import { fitsType } from '../../planner/playbook/check/misfit.ts';
import { stringify, toJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { AgentError } from '../port/errors.ts';

/** Before anything is played, as the loop would when it comes there. Throws `AgentError` PV6007. */
export function refuseMisfits(inputs: ReadonlyMap<string, Value>, file: LinkedFile): void {
  for (const playbook of takersOf(file)) {
    const types = declaredTypes(playbook);
    for (const { hasDollar, name } of playbook.parameters) {
      const value = inputs.get(name);
      const type = types.get(name);
      if (value === undefined || type === undefined) continue;
      if (fitsType(toJson(value), type)) continue;
      const got = `the input ${name}: got ${stringify(toJson(value))}`;
      throw new AgentError('PV6007', `${got}, want a value of the type ${type}`, {
        hint: `${playbook.name} takes it as ${hasDollar ? '$' : ''}${name}: ${type}`,
      });
    }
  }
}
