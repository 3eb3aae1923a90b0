/** Every library function of the guest by name. */
import type { BuiltinSpec } from './builtin.ts';

export const builtins: ReadonlyMap<string, BuiltinSpec> = new Map();
