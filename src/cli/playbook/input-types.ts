/** Whether inputs are of the types that the playbooks declare which take them. */
import { declaredTypes, fitsOf, typeOf } from '../../dialects/playbook/compiled/declared-types.ts';
import type { LinkedFile } from '../../dialects/playbook/compiled/linked.ts';
import type { Fit } from '../../dialects/playbook/text/value-types.ts';
import { writtenName } from '../../dialects/playbook/text/variables.ts';
import { takersOf } from '../../dialects/playbook/weave/weave.ts';
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
      const fits = fitsOf(type);
      if (value === undefined || !fits || isOf(fitted(toJson(value), fits), fits)) continue;
      const got = `--input ${one.name}: got ${stringify(toJson(value))}`;
      throw new CliError('PV6007', `${got}, want a value of the type ${type}`, {
        hint: `${playbook.name} takes it as ${writtenName(one)}:${type}`,
      });
    }
  }
}

/** A number or a truth that is written as a text, where the type says that it is none. */
function fitted(value: unknown, fits: readonly Fit[]): unknown {
  if (typeof value !== 'string' || fits.includes('string')) return value;
  const words = value.trim();
  if (fits.includes('bool') && /^(?:true|false)$/i.test(words)) return /^t/i.test(words);
  if (fits.includes('int') && /^-?\d{1,15}$/.test(words)) return Number(words);
  return fits.includes('float') && /^-?\d+\.\d+$/.test(words) ? Number(words) : value;
}

function isOf(value: unknown, fits: readonly Fit[]): boolean {
  const kind = kindOf(value);
  return fits.some((fit) => {
    if (typeof fit === 'string') return fit === kind || (fit === 'float' && kind === 'int');
    if ('is' in fit) return fit.is === value;
    return fit.kind === kind && itemsOf(value).every((item) => isOf(item, fit.items));
  });
}

const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : Object.values(Object(value));

function kindOf(value: unknown): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    case 'string':
      return 'string';
    default:
      return 'dict';
  }
}
