/** Every library function of the guest by name. */
import type { BuiltinSpec } from './builtin.ts';
import { plan } from './plan.ts';

export const builtins: ReadonlyMap<string, BuiltinSpec> = new Map(
  [...plan].map((spec) => [spec.name, spec]),
);
