/** Whether inputs are of the types that the playbooks declare which take them. */
import { declaredTypes, typeOf } from '../../dialects/playbook/compiled/declared-types.ts';
import type { LinkedFile } from '../../dialects/playbook/compiled/linked.ts';
import { writtenName } from '../../dialects/playbook/text/variables.ts';
import { takersOf } from '../../dialects/playbook/weave/weave.ts';
import { unfit, unquoted } from '../../planner/playbook/check/values/declared.ts';
import { stringify, toJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { CliError } from '../failure.ts';

/** Before anything is played, as the loop would when it comes there. Throws `CliError` PV6007. */
export function refuseMisfits(inputs: ReadonlyMap<string, Value>, file: LinkedFile): void {
  for (const playbook of takersOf(file)) {
    const types = declaredTypes(playbook);
    for (const one of playbook.parameters) {
      const value = inputs.get(one.name);
      const type = typeOf(types, writtenName(one));
      if (value === undefined) continue;
      const given = unquoted({ is: 'value', value: toJson(value) }, type);
      if (unfit(given, type) === undefined) continue;
      const got = `--input ${one.name}: got ${stringify(toJson(value))}`;
      throw new CliError('PV6007', `${got}, want a value of the type ${type}`, {
        hint: `${playbook.name} takes it as ${writtenName(one)}:${type}`,
      });
    }
  }
}
