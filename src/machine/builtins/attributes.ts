/** The functions that ask for attributes by name, and `struct`. */
import { list, type Value } from '../../program/value.ts';
import { attributeNames, attributeOf, noAttribute } from '../attribute.ts';
import { foreignAttribute } from '../values/foreign-attributes.ts';
import { anything, aString, define, misused, naming, positional } from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';
import { methods } from './methods.ts';

export const attributes: readonly BuiltinSpec[] = [
  define('dir', {}, (call) => list(attributeNames(positional(call, [anything])[0], methods))),
  define('getattr', {}, (call): Value => {
    const [value, name, otherwise] = positional(call, [anything, aString], [anything]);
    const found = attributeOf(value, name, methods);
    if (found !== undefined) return found;
    if (otherwise !== undefined) return otherwise;
    return naming(call, () => {
      throw noAttribute(value, name, { methods, foreignAttribute });
    });
  }),
  define('hasattr', { lifts: true }, (call) => {
    const [value, name] = positional(call, [anything, aString]);
    return attributeOf(value, name, methods) !== undefined;
  }),
  define('struct', { stores: true }, (call): Value => {
    if (call.args.length > 0) throw misused(call, 'unexpected positional arguments');
    return { kind: 'struct', name: 'struct', fields: new Map(call.named) };
  }),
];
